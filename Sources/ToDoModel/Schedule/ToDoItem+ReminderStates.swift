extension ToDoItem {
  /// Returns the item with a user's reminder states in place of its own, where they are later.
  ///
  /// A user who was told before the list was shared, or according to the item's own state, is not told again.
  ///
  /// - Parameter isShared: whether the list is shared, so that the user's states are the later ones of two for the same time. In a
  ///   list that is shared no longer, they are those of the item.
  package func applying(_ states: [Reminder], isShared: Bool) -> ToDoItem {
    guard !states.isEmpty, !reminders.isEmpty else { return self }
    var item = self
    item.content.reminders = reminders.map { reminder in
      guard let state = states.first(where: { $0.trigger == reminder.trigger }), let told = state.acknowledged else {
        return reminder
      }
      guard let own = reminder.acknowledged else { return state }
      return told > own || told == own && isShared ? state : reminder
    }
    return item
  }
}

extension ReminderSchedule {
  /// Returns the reminder of an item after an acknowledgment, and whether the acknowledgment counts.
  ///
  /// - Parameter item: the item with the user's states.
  /// - Returns: `nil` if the item has no such reminder, or one at a place.
  package func acknowledging(
    _ acknowledgment: ReminderAcknowledgment, of item: ToDoItem, at now: Timestamp
  ) -> AcknowledgedReminder? {
    let key = acknowledgment.key
    guard let index = item.reminders.firstIndex(where: { $0.trigger == key.trigger }) else { return nil }
    let reminder = item.reminders[index]
    let refused = AcknowledgedReminder(isAcknowledged: false, reminder: reminder)
    switch key.trigger {
    case .arriving, .leaving: return nil
    case .time, .before, .day: break
    }
    guard !item.isDone, item.deletion == nil, let time = time(of: reminder, due: item.due) else { return refused }
    // A client with other rules for a time zone computes another time of day.
    let isSame = isAcknowledged(Reminder(key.trigger, acknowledged: max(time, key.time)), at: min(time, key.time))
    guard isSame else { return refused }
    if acknowledgment.onlyIfDue {
      guard entries(of: item).contains(where: { $0.index == index && $0.tellTime <= now }) else { return refused }
    }
    let acknowledged = Reminder(key.trigger, acknowledged: time, snoozedUntil: acknowledgment.snoozeTime)
    // A repeated confirmation counts.
    if let end = acknowledgment.leaseEnd, reminder.snoozedUntil != end, reminder != acknowledged { return refused }
    return AcknowledgedReminder(isAcknowledged: true, reminder: acknowledged)
  }
}
