import ToDoModel

/// The move of an item that repeats to a due date at which its rule has no occurrence.
struct OccurrenceMove: Equatable, Sendable {
  /// The new due date.
  let due: DueDate
  /// The repetition with which all following occurrences move, too.
  let following: Repetition

  /// Creates the move that an edit makes, or returns `nil` if it makes none or the rule cannot follow.
  ///
  /// - Parameter zone: the time zone of the repetition.
  init?(_ edit: ItemEdit, of item: ToDoItem, in zone: any TimeZoneRules) {
    guard case .set(let due) = edit.due, case .keep = edit.repetition, let old = item.due,
      let repetition = item.repetition,
      case .calendar = repetition.rule,
      repetition.continuing(repetition, dueBefore: old, dueAfter: due, in: zone).occurrence != nil,
      let following = repetition.moved(from: old, to: due, in: zone)
    else { return nil }
    (self.due, self.following) = (due, following)
  }
}
