package import ToDoModel

/// An edit of only one occurrence: it becomes an item of its own, and the item that repeats
/// moves on to the next one.
package struct OccurrenceSplit: Equatable, Sendable {
  /// The content of the occurrence after the edit. It does not repeat.
  package let occurrence: ItemContent
  /// The edit that moves the item that repeats on.
  package let moving: ItemEdit

  /// Splits the occurrence that is due off, or returns `nil` if the edit changes no more than the due date, which concerns only
  /// this occurrence anyway, if there is no further occurrence, or if the edit changes how the item repeats.
  ///
  /// - Parameter zone: the zone of the repetition.
  package init?(_ edit: ItemEdit, of item: ToDoItem, now: Timestamp, in zone: any TimeZoneRules) {
    guard !item.isDone, edit.repetition == .keep, let moving = ItemEdit(skipping: item, now: now, in: zone) else {
      return nil
    }
    var rest = edit
    rest.due = .keep
    guard item.content.applying(rest) != item.content else { return nil }
    var occurrence = item.content.applying(edit)
    occurrence.repetition = nil
    (self.occurrence, self.moving) = (occurrence, moving)
  }
}
