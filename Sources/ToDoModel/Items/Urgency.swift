extension ToDoItem {
  /// Returns the item's urgency, from 0 to 20,000: the same on every client. A done item has 0.
  ///
  /// | part | points |
  /// | --- | --- |
  /// | priority | high 6,000, medium 4,000, low 2,000 |
  /// | due date | 2,400 if it is two weeks away or more; then more each day, up to 12,000 if it is a week or more past |
  /// | age | 2,000 after a year, and in proportion before |
  ///
  /// - Parameters:
  ///   - now: the current time, with which due times are compared.
  ///   - today: the current day of the reader, with which due dates are compared.
  public func urgency(now: Timestamp, today: CalendarDate) -> Int {
    guard !isDone else { return 0 }
    let age = min(max(Self.days(from: createdAt, to: now), 0), Self.year)
    return 2_000 * Int(priority?.level ?? 0) + dueUrgency(now: now, today: today) + 2_000 * age / Self.year
  }

  private static let year = 365

  private func dueUrgency(now: Timestamp, today: CalendarDate) -> Int {
    let past: Int
    switch due {
    case nil: return 0
    case .date(let date): past = today.daysSinceEpoch - date.daysSinceEpoch
    case .time(let time): past = Self.days(from: time, to: now)
    }
    // From 14 days before to 7 days after.
    return 2_400 + 9_600 * min(max(past + 14, 0), 21) / 21
  }

  /// Returns the number of whole days between two times, rounded down.
  private static func days(from start: Timestamp, to end: Timestamp) -> Int {
    let (difference, overflow) = end.microseconds.subtractingReportingOverflow(start.microseconds)
    guard !overflow else { return start < end ? .max / 2 : .min / 2 }
    let day: Int64 = 86_400_000_000
    return Int((difference / day) - (difference % day < 0 ? 1 : 0))
  }
}
