extension Repetition {
  /// An occurrence after a completed one.
  package struct Next: Equatable, Sendable {
    /// The due date.
    package var due: DueDate
    /// The number of occurrences between both, which are overdue.
    package var missedCount: Int

    /// Creates an occurrence.
    package init(due: DueDate, missedCount: Int = 0) {
      (self.due, self.missedCount) = (due, missedCount)
    }
  }

  /// Returns the next occurrence after one that is done now.
  ///
  /// For a calendar rule, that is the first one later than `occurrence` (or else the due date) that is not overdue. A date is
  /// overdue once the day has ended in the time zone. After-done rules count from the day of completion, and keep the due date's
  /// local time.
  ///
  /// - Parameters:
  ///   - due: the due date of the item, which a calendar rule requires.
  ///   - zone: the time zone with the name `timeZone`.
  /// - Returns: `nil` if there is no further occurrence up to the year 9999.
  package func next(after due: DueDate?, now: Timestamp, in zone: any TimeZoneRules) -> Next? {
    switch rule {
    case .calendar(let rule):
      guard let due = occurrence ?? due, let occurrences = Occurrences(of: rule, from: start ?? due, in: zone) else {
        return nil
      }
      return occurrences.next(after: due, now: now).map { Next(due: $0.due, missedCount: $0.missedCount) }
    case .afterDone(let interval):
      guard let today = zone.localTime(at: now).date else { return nil }
      return interval.due(after: today, keepingTimeOf: due, in: zone).map { Next(due: $0) }
    }
  }

  /// Returns the first occurrences that are later than `occurrence`, or else a due date, for previews. For an after-done rule, each
  /// is done on the day on which it is due.
  ///
  /// - Parameter zone: the time zone with the name `timeZone`.
  package func occurrences(after due: DueDate, limit: Int, in zone: any TimeZoneRules) -> [DueDate] {
    switch rule {
    case .calendar(let rule):
      let due = occurrence ?? due
      return Occurrences(of: rule, from: start ?? due, in: zone)?.later(than: due, limit: limit) ?? []
    case .afterDone(let interval):
      var (found, last) = ([DueDate](), due)
      while found.count < limit, let day = last.date(in: zone),
        let next = interval.due(after: day, keepingTimeOf: due, in: zone)
      {
        found.append(next)
        last = next
      }
      return found
    }
  }
}

extension Repetition.Interval {
  /// Returns the due date that is an interval after a day. A day that a month does not have is the month's last.
  fileprivate func due(
    after day: CalendarDate, keepingTimeOf due: DueDate?, in zone: any TimeZoneRules
  ) -> DueDate? {
    let next =
      switch unit {
      case .daily: day.adding(days: count)
      case .weekly: day.adding(days: 7 * count)
      case .monthly: day.adding(months: count)
      case .yearly: day.adding(months: 12 * count)
      }
    guard let next, case .time(let time) = due else { return next.map(DueDate.date) }
    let instant = zone.instant(at: LocalTime(next, zone.localTime(at: time).time))
    return Timestamp.supportedRange.contains(instant) ? .time(instant) : nil
  }
}
