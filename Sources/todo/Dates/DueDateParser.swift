import ToDoModel

/// Parses the value of `--due`.
///
/// | form | meaning |
/// | --- | --- |
/// | `today`, `tomorrow`, `yesterday` | the day |
/// | `fri`, `friday` | the first Friday after today |
/// | `next mon` | the Monday of the week after this one; weeks begin on Monday |
/// | `+3d`, `+1w`, `in 3 days`, `in a week` | the date that number of days or weeks after today |
/// | `+2h`, `+30m`, `in 2 hours` | the time that number of hours or minutes after now, without seconds |
/// | `2026-05-01` | the day |
/// | `17:00`, `5pm`, `5:30 pm`, `noon`, `midnight` | the next occurrence of the time, today or tomorrow |
/// | any day above and a time, with or without `at` | that time on that day |
/// | `2026-05-01T17:00`, with `Z` or `+02:00` | ISO 8601; local time unless it has an offset |
///
/// `midnight` and `24:00` are the end of the day. Case and the amount of white space are ignored.
/// `TimeZoneRules.instant(at:)` resolves local times that do not exist or occur twice.
struct DueDateParser {
  let now: Timestamp
  let zone: any TimeZoneRules

  /// Parses a due date.
  ///
  /// - Throws: `DueDateError` if the text has none of the forms.
  func parse(_ text: String) throws -> DueDate {
    var words = Words(text)
    guard let due = dueDate(&words), words.isEmpty else { throw DueDateError(text: text) }
    return due
  }
}

extension DueDateParser {
  private func dueDate(_ words: inout Words) -> DueDate? {
    guard let today = zone.localTime(at: now).date else { return nil }
    if let shift = Shift(&words) {
      switch shift {
      case .days(let days): return today.adding(days: days).flatMap { dueDate(on: $0, &words) }
      case .minutes(let minutes): return time(minutesFromNow: minutes)
      }
    }
    if let day = Day(&words) {
      return day.date(today: today).flatMap { dueDate(on: $0, &words) }
    }
    if let dateTime = words.take(ISODateTime.init) {
      guard let clock = dateTime.clock else { return dueDate(on: dateTime.date, offsetAllowed: true, &words) }
      return time(on: dateTime.date, clock)
    }
    return nextTime(today: today, &words)
  }

  /// Returns the date itself, or a time on that date if a time follows.
  private func dueDate(on date: CalendarDate, offsetAllowed: Bool = false, _ words: inout Words) -> DueDate? {
    if words.isEmpty { return .date(date) }
    _ = words.take("at")
    guard let clock = ClockTime(&words), offsetAllowed || clock.offset == nil else { return nil }
    return time(on: date, clock)
  }

  private func nextTime(today: CalendarDate, _ words: inout Words) -> DueDate? {
    _ = words.take("at")
    guard let clock = ClockTime(&words), clock.offset == nil, let tomorrow = today.adding(days: 1) else { return nil }
    let instant = zone.instant(at: LocalTime(today, clock.time))
    return instant >= now ? supported(instant) : time(on: tomorrow, clock)
  }

  private func time(on date: CalendarDate, _ clock: ClockTime) -> DueDate? {
    let local = LocalTime(date, clock.time)
    guard let offset = clock.offset else { return supported(zone.instant(at: local)) }
    return supported(Timestamp(microseconds: local.microseconds - Int64(offset) * 1_000_000))
  }

  private func time(minutesFromNow minutes: Int) -> DueDate? {
    let (duration, isTooLong) = Int64(minutes).multipliedReportingOverflow(by: 60_000_000)
    let minute = now.microseconds - now.microseconds.flooredDivision(by: 60_000_000).remainder
    let (sum, isTooLate) = minute.addingReportingOverflow(duration)
    return isTooLong || isTooLate ? nil : supported(Timestamp(microseconds: sum))
  }

  private func supported(_ instant: Timestamp) -> DueDate? {
    Timestamp.supportedRange.contains(instant) ? .time(instant) : nil
  }
}
