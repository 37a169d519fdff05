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

/// An edit of an item that repeats, if it can be of only one occurrence.
struct OccurrenceChange: Equatable, Sendable {
  /// The edit of the item.
  let edit: ItemEdit
  /// The move of the due date, if there is one that the rule can follow.
  let move: OccurrenceMove?
  /// Whether the edit changes more than the due date, so that a single occurrence becomes an item of its own.
  let splits: Bool

  /// Creates the change, or returns `nil` if there is nothing to choose.
  init?(_ edit: ItemEdit, _ move: OccurrenceMove?, splits: Bool) {
    guard move != nil || splits else { return nil }
    (self.edit, self.move, self.splits) = (edit, move, splits)
  }

  /// The question which occurrences change.
  var question: String {
    splits
      ? FormQuestion.text(
        "The item repeats. Which occurrences change?",
        choices: ["only this one, as an item of its own", "this one and all following"])
      : FormQuestion.text(
        "The item repeats. Which occurrences move?", choices: ["only this one", "this one and all following"])
  }
}
