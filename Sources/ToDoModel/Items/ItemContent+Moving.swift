extension ItemContent {
  /// Returns the content of an item that repeats after one occurrence is done: with the next due date, without completed steps,
  /// waiting until as many days before the due date as before, and with those reminders that are relative to the due date.
  ///
  /// - Parameters:
  ///   - next: the next occurrence.
  ///   - now: the time of the completion.
  ///   - zone: the time zone of the repetition.
  package func moved(on next: Repetition.Next, now: Timestamp, in zone: any TimeZoneRules) -> ItemContent {
    var content = self
    content.due = next.due
    content.steps = steps.map { Step($0.text) }
    content.reminders = reminders.compactMap(\.forNextOccurrence)
    if let waitUntil {
      let days = next.due.day(in: zone) - (due?.day(in: zone) ?? zone.day(at: now))
      content.waitUntil = zone.adding(days: days, to: waitUntil)
    }
    if var repetition {
      repetition.occurrence = nil
      repetition.missedCount = min(repetition.missedCount, .max - next.missedCount) + next.missedCount
      content.repetition = repetition
    }
    return content
  }
}

extension TimeZoneRules {
  /// Returns the instant with the same local time a number of days later, or `nil` outside the years 1 to 9999.
  fileprivate func adding(days: Int, to instant: Timestamp) -> Timestamp? {
    let local = localTime(at: instant)
    guard let date = local.date?.adding(days: days) else { return nil }
    let moved = self.instant(at: LocalTime(date, local.time))
    return Timestamp.supportedRange.contains(moved) ? moved : nil
  }
}
