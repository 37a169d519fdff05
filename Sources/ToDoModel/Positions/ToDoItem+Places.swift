extension ToDoItem {
  /// Returns the index of a reminder that an event at the item's place triggers and a user can be told about, or `nil`.
  ///
  /// A done, deleted or waiting item has no such reminder, and nothing is told twice within an hour.
  ///
  /// - Parameter time: the event's time.
  package func placeReminder(_ event: PlaceReminder.Event, at time: Timestamp) -> Int? {
    guard !isDone, deletion == nil, !isWaiting(at: time) else { return nil }
    return reminders.firstIndex { reminder in
      reminder.trigger == event.trigger && PlaceFences.isOver(reminder.acknowledged, at: time)
    }
  }
}
