package import ToDoModel

extension ItemEdit {
  /// Creates the edit that moves an item on to its next occurrence without checking it, or `nil` if there is none.
  ///
  /// - Parameter zone: the zone of the repetition.
  package init?(skipping item: ToDoItem, now: Timestamp, in zone: any TimeZoneRules) {
    guard let next = item.repetition?.next(after: item.due, now: now, in: zone) else { return nil }
    let moved = item.content.moved(on: next, now: now, in: zone)
    self.init()
    due = .set(next.due)
    if moved.steps != item.steps { steps = moved.steps }
    if moved.reminders != item.reminders { reminders = moved.reminders }
    if let waitUntil = moved.waitUntil { self.waitUntil = .set(waitUntil) }
  }
}
