/// A calendar rule's occurrences, which are times or dates, like its start.
///
/// An occurrence at a time has the local time of the start, as `TimeZoneRules.instant(at:)` resolves it on days on which the
/// clocks change. Occurrences lie in the years 1 to 9999.
///
/// The cost does not depend on the number of occurrences: at most a few milliseconds in a release build, because each month up to
/// the year 9999 is examined at most twice.
struct Occurrences {
  private let days: RecurrenceDays
  private let start: DueDate
  /// The local time of the occurrences; `nil` if they are dates.
  private let time: TimeOfDay?
  private let zone: any TimeZoneRules
  /// The last day that can have an occurrence.
  private let lastDay: Int
  /// The time after which there is no occurrence.
  private let lastTime: Timestamp

  /// Creates the occurrences of a rule, or returns `nil` if the rule is invalid or starts outside the years 1 to 9999.
  init?(of rule: RecurrenceRule, from start: DueDate, in zone: any TimeZoneRules) {
    guard rule.violation == nil, let date = start.date(in: zone) else { return nil }
    days = RecurrenceDays(of: rule, from: date)
    (self.start, self.zone) = (start, zone)
    time = if case .time(let instant) = start { zone.localTime(at: instant).time } else { nil }
    switch rule.end {
    case nil: (lastDay, lastTime) = (.max, .supportedRange.upperBound)
    case .count(let count): (lastDay, lastTime) = (days.day(number: count) ?? .max, .supportedRange.upperBound)
    case .until(.date(let date)): (lastDay, lastTime) = (date.daysSinceEpoch, .supportedRange.upperBound)
    // The clocks may be set back on the day, so an occurrence on the next can be earlier than a local time suggests.
    case .until(.time(let end)) where time != nil: (lastDay, lastTime) = (zone.day(at: end) + 1, end)
    case .until(.time(let end)): (lastDay, lastTime) = (zone.day(at: end), .supportedRange.upperBound)
    }
  }

  /// Returns the first occurrence that is later than a due date and not overdue, and the number of overdue ones that are later
  /// than the due date, too.
  func next(after due: DueDate, now: Timestamp) -> (due: DueDate, missedCount: Int)? {
    guard let first = first(after: due) else { return nil }
    let today = zone.day(at: now)
    let next = self.first(from: max(first.day, today - 1)) { occurrence, day in
      if case .time(let time) = occurrence { time >= now } else { day >= today }
    }
    return next.map { ($0.due, days.count(in: first.day..<$0.day)) }
  }

  /// Returns the first occurrences that are later than a due date.
  func later(than due: DueDate, limit: Int) -> [DueDate] {
    var (found, last) = ([DueDate](), due)
    while found.count < limit, let next = first(after: last) {
      found.append(next.due)
      last = next.due
    }
    return found
  }

  /// Returns the occurrence on the local day of a due date, or `nil` if there is none.
  func occurrence(onDayOf due: DueDate) -> DueDate? {
    let day = due.day(in: zone)
    guard day <= lastDay, days.first(onOrAfter: day, through: day) == day else { return nil }
    return self.due(on: day)
  }

  /// Returns the number of occurrences before a day.
  func count(before date: CalendarDate) -> Int {
    days.count(in: days.startDay..<max(date.daysSinceEpoch, days.startDay))
  }

  // MARK: Searching

  private typealias Occurrence = (day: Int, due: DueDate)

  private func first(after due: DueDate) -> Occurrence? {
    let dueDay = due.day(in: zone)
    // An occurrence that falls into a gap of the clocks can be moved to the next day.
    return first(from: dueDay - 1) { occurrence, day in
      if case (.time(let time), .time(let due)) = (occurrence, due) { time > due } else { day > dueDay }
    }
  }

  /// Returns the first occurrence on a day or later that meets a condition, which all later ones meet, too.
  private func first(from day: Int, where condition: (DueDate, Int) -> Bool) -> Occurrence? {
    var candidate = days.first(onOrAfter: day, through: lastDay)
    while let day = candidate {
      guard let due = due(on: day) else { return nil }
      if condition(due, day) { return (day, due) }
      candidate = days.first(onOrAfter: day + 1, through: lastDay)
    }
    return nil
  }

  /// Returns the occurrence on a day, or `nil` if it is later than the last one.
  private func due(on day: Int) -> DueDate? {
    guard day != days.startDay else {
      if case .time(let time) = start, time > lastTime { return nil }
      return start
    }
    let date = CalendarDate(daysSinceEpoch: day)
    guard let time else { return .date(date) }
    let instant = zone.instant(at: LocalTime(date, time))
    return instant <= lastTime && Timestamp.supportedRange.contains(instant) ? .time(instant) : nil
  }
}

extension TimeZoneRules {
  /// Returns the local day at an instant, in days since 1970-01-01.
  func day(at instant: Timestamp) -> Int {
    Int(localTime(at: instant).microseconds.flooredDivision(by: 86_400_000_000).quotient)
  }
}

extension DueDate {
  /// The day in a time zone, in days since 1970-01-01.
  func day(in zone: any TimeZoneRules) -> Int {
    switch self {
    case .time(let time): zone.day(at: time)
    case .date(let date): date.daysSinceEpoch
    }
  }

  /// The day in a time zone, or `nil` outside the years 1 to 9999.
  package func date(in zone: any TimeZoneRules) -> CalendarDate? {
    switch self {
    case .time(let time): zone.localTime(at: time).date
    case .date(let date): date
    }
  }
}
