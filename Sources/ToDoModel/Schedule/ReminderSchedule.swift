/// The times at which reminders are due.
package struct ReminderSchedule: Sendable {
  /// Returns the rules of the named time zone.
  private let zone: @Sendable (String) -> any TimeZoneRules

  /// Creates a schedule.
  ///
  /// - Parameter zone: returns the rules of the named time zone, or others if it is unknown.
  package init(zone: @escaping @Sendable (String) -> any TimeZoneRules) {
    self.zone = zone
  }

  /// A reminder that was not acknowledged for its time, or is snoozed.
  package struct Entry: Equatable, Sendable {
    /// The index of the reminder in the item.
    package let index: Int
    /// The time that the trigger gives.
    package let time: Timestamp
    /// The time from which the user is to be told: later than `time` if the reminder is snoozed, or while the item waits.
    package let tellTime: Timestamp

    /// Creates an entry.
    package init(index: Int, time: Timestamp, tellTime: Timestamp) {
      (self.index, self.time, self.tellTime) = (index, time, tellTime)
    }
  }

  /// Returns the reminders that the user must still be told about, the earliest first. A done or deleted item has none; one that
  /// waits has none before its wait ends. Reminders at a place have no time: see `PlaceFences`.
  package func entries(of item: ToDoItem) -> [Entry] {
    guard !item.isDone, item.deletion == nil else { return [] }
    let entries = item.reminders.enumerated().compactMap { index, reminder -> Entry? in
      guard let time = time(of: reminder, due: item.due) else { return nil }
      guard let tellTime = isAcknowledged(reminder, at: time) ? reminder.snoozedUntil : time else { return nil }
      return Entry(index: index, time: time, tellTime: item.waitUntil.map { max($0, tellTime) } ?? tellTime)
    }
    return entries.sorted { ($0.tellTime, $0.index) < ($1.tellTime, $1.index) }
  }

  /// Returns the reminder that the user was last told about, or else one that is due; `nil` if there is none.
  package func snoozable(of item: ToDoItem, at now: Timestamp) -> Entry? {
    guard !item.isDone, item.deletion == nil else { return nil }
    let told = item.reminders.enumerated().compactMap { index, reminder -> Entry? in
      guard let time = time(of: reminder, due: item.due), isAcknowledged(reminder, at: time) else { return nil }
      return Entry(index: index, time: time, tellTime: time)
    }
    let latest = told.filter { $0.time <= now }.max { ($0.time, $0.index) < ($1.time, $1.index) }
    return latest ?? entries(of: item).first { $0.tellTime <= now }
  }

  /// Returns the reminders that are due or snoozed.
  package func dismissible(of item: ToDoItem, at now: Timestamp) -> [Entry] {
    entries(of: item).filter { $0.tellTime <= now || isAcknowledged(item.reminders[$0.index], at: $0.time) }
  }

  /// Returns the reminders whose time has passed, whether the user was told about them or not, the earliest first.
  package func passed(of item: ToDoItem, at now: Timestamp) -> [Entry] {
    guard !item.isDone, item.deletion == nil else { return [] }
    let entries = item.reminders.enumerated().compactMap { index, reminder in
      time(of: reminder, due: item.due).map { Entry(index: index, time: $0, tellTime: $0) }
    }
    return entries.filter { $0.time <= now }.sorted { ($0.time, $0.index) < ($1.time, $1.index) }
  }

  /// Whether a reminder was acknowledged for its time.
  ///
  /// A client with other rules for a time zone, or none, computes another time of day. An acknowledgment up to 15 hours
  /// later counts as well, so that two such clients don't tell of the same reminder in turn.
  package func isAcknowledged(_ reminder: Reminder, at time: Timestamp) -> Bool {
    guard let acknowledged = reminder.acknowledged else { return false }
    guard case .day = reminder.trigger else { return acknowledged == time }
    return acknowledged >= time && acknowledged.microseconds - time.microseconds <= Self.dayTolerance
  }

  private static let dayTolerance: Int64 = 15 * 3600 * 1_000_000

  /// Returns the time that a trigger gives for a due date, or `nil` if it gives none.
  package func time(of reminder: Reminder, due: DueDate?) -> Timestamp? {
    let time: Timestamp? =
      switch (reminder.trigger, due) {
      case (.time(let time), _): time
      case (.before(let seconds), .time(let due)):
        Timestamp(microseconds: due.microseconds - Int64(seconds) * 1_000_000)
      case (.day(let trigger), let due?): self.time(of: trigger, due: due)
      case (.before, _), (.day, nil), (.arriving, _), (.leaving, _): nil
      }
    return time.flatMap { Timestamp.supportedRange.contains($0) ? $0 : nil }
  }

  private func time(of trigger: Reminder.DayTrigger, due: DueDate) -> Timestamp? {
    let zone = zone(trigger.timeZone)
    let dueDay: CalendarDate? =
      switch due {
      case .date(let date): date
      case .time(let time): zone.localTime(at: time).date
      }
    guard let day = dueDay?.adding(days: -trigger.daysBefore) else { return nil }
    return zone.instant(at: LocalTime(day, TimeOfDay(hour: 0, minute: trigger.minuteOfDay)))
  }
}

extension ToDoItem {
  /// Returns the reminders after the user was told about some, or has dismissed them.
  package func acknowledging(_ entries: [ReminderSchedule.Entry]) -> [Reminder] {
    changing(entries) { Reminder($0.trigger, acknowledged: $1.time) }
  }

  /// Returns the reminders with some of them due again at a time.
  package func snoozing(_ entries: [ReminderSchedule.Entry], until time: Timestamp) -> [Reminder] {
    changing(entries) { Reminder($0.trigger, acknowledged: $1.time, snoozedUntil: time) }
  }

  private func changing(
    _ entries: [ReminderSchedule.Entry], _ change: (Reminder, ReminderSchedule.Entry) -> Reminder
  ) -> [Reminder] {
    var reminders = reminders
    for entry in entries where reminders.indices.contains(entry.index) {
      reminders[entry.index] = change(reminders[entry.index], entry)
    }
    return reminders
  }
}
