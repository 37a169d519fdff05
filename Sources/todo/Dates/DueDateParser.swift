import ToDoModel

/// Parses the value of `--due`.
///
/// | form | meaning |
/// | --- | --- |
/// | `today`, `tomorrow`, `yesterday` | the day |
/// | `fri`, `friday` | the first Friday after today |
/// | `next mon`, `next week` | the Monday of the week after this one; weeks begin on Monday |
/// | `weekend` | today if it is a Saturday, or else the next Saturday |
/// | `eow`, `eom`, `eoy`, `end of month` | the last day of the week, the month or the year |
/// | `3d`, `+1w`, `in 3 months`, `+1y` | the date that number of days, weeks, months or years after today |
/// | `+2h`, `90min`, `in 2 hours` | the time that number of hours or minutes after now, without seconds |
/// | `28 nov`, `nov 28`, `28.11.`, `28/11` | the next such day; with a weekday, the one of this year or the next that has it |
/// | `3rd`, `first mon of may` | the next such day |
/// | `28 nov 2027`, `28.11.2027`, `2027-11-28` | the day |
/// | `17:00`, `5pm`, `5:30 pm`, `noon`, `midnight` | the next occurrence of the time, today or tomorrow |
/// | `tonight`, `this evening` | 20:00 or 18:00 today; mornings begin at 9:00 and afternoons at 15:00 |
/// | any day above and a time or a part of the day, in either order | that time on that day; `mon 9` is 9:00 |
/// | `2026-05-01T17:00`, with `Z` or `+02:00` | ISO 8601; local time unless it has an offset |
///
/// Everything that the program prints is among these forms. `midnight` and `24:00` are the end of the day. Case and the
/// amount of white space are ignored. `TimeZoneRules.instant(at:)` resolves local times that do not exist or occur twice,
/// unless an abbreviation of the zone follows the time.
struct DueDateParser {
  let now: Timestamp
  let zone: any TimeZoneRules
  /// Whether `5/1` is a day of May.
  var monthFirst = false

  /// Parses a due date.
  ///
  /// - Throws: `DueDateError` if the text has none of the forms.
  func parse(_ text: String) throws -> DueDate {
    var words = Words(text)
    guard let due = dueDate(&words), words.isEmpty else {
      throw DueDateError(text: text, isAmbiguous: Words(text).contains(where: Shift.isAmbiguous))
    }
    return due
  }
}

extension DueDateParser {
  private func dueDate(_ words: inout Words) -> DueDate? {
    guard let today = zone.localTime(at: now).date else { return nil }
    if let shift = Shift(&words) {
      switch shift {
      case .days(let days): return today.adding(days: days).flatMap { dueDate(on: $0, &words) }
      case .months(let months): return today.adding(months: months).flatMap { dueDate(on: $0, &words) }
      case .minutes(let minutes): return time(minutesFromNow: minutes)
      }
    }
    if let part = DayPart(today: &words) { return supported(zone.instant(at: LocalTime(today, part.time))) }
    if let due = timeBeforeDay(&words, today) { return due }
    if let (date, isComplete) = date(&words, today) { return dueDate(on: date, offsetAllowed: isComplete, &words) }
    if let dateTime = words.take(ISODateTime.init) {
      guard let clock = dateTime.clock else { return dueDate(on: dateTime.date, offsetAllowed: true, &words) }
      return time(on: dateTime.date, clock)
    }
    return nextTime(today: today, &words)
  }

  /// Returns the date itself, or a time on that date if a time follows.
  private func dueDate(on date: CalendarDate, offsetAllowed: Bool = false, _ words: inout Words) -> DueDate? {
    if words.isEmpty { return .date(date) }
    if let part = words.take({ DayPart($0) }) { return supported(zone.instant(at: LocalTime(date, part.time))) }
    _ = words.take("at")
    guard let clock = ClockTime(&words) ?? words.take(ClockTime.init(hour:)), offsetAllowed || clock.offset == nil
    else {
      return nil
    }
    if clock.offset == nil, !words.isEmpty {
      return words.take { instant(at: LocalTime(date, clock.time), inZone: $0) }.flatMap(supported)
    }
    return time(on: date, clock)
  }

  /// Consumes a time and a day after it: `at noon friday`, `17:00 on 28 nov`.
  private func timeBeforeDay(_ words: inout Words, _ today: CalendarDate) -> DueDate? {
    var rest = words
    _ = rest.take("at")
    guard let clock = ClockTime(&rest), clock.offset == nil else { return nil }
    _ = rest.take("on")
    guard let date = date(&rest, today)?.date ?? rest.take(ISODateTime.init)?.day, rest.isEmpty else { return nil }
    words = rest
    return time(on: date, clock)
  }

  /// Consumes a day, in ISO 8601 only after a weekday. A complete date has a year.
  private func date(_ words: inout Words, _ today: CalendarDate) -> (date: CalendarDate, isComplete: Bool)? {
    var rest = words
    let weekday = rest.take { Weekday($0) }
    var form = CalendarForm(&rest, monthFirst: monthFirst)
    if form == nil, weekday != nil { form = rest.take(ISODateTime.init)?.day.map(CalendarForm.date) }
    if let form {
      guard let date = form.date(today: today, weekday) else { return nil }
      words = rest
      return (date, form == .date(date))
    }
    rest = words
    guard let date = Day(&rest)?.date(today: today) else { return nil }
    words = rest
    return (date, false)
  }

  /// Returns the instant of a local time with the offset that has an abbreviation, or `nil` if none has it then.
  private func instant(at local: LocalTime, inZone name: Substring) -> Timestamp? {
    let day = 86_400_000_000 as Int64
    let offsets = [-day, day].map { zone.offset(at: Timestamp(microseconds: local.microseconds + $0)) }
    return offsets.lazy.filter { $0.name.lowercased() == name }
      .map { (offset: $0, instant: Timestamp(microseconds: local.microseconds - $0.microseconds)) }
      .first { zone.offset(at: $0.instant) == $0.offset }?.instant
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
