import ToDoModel

/// A repetition as it is written, without the words before and after it.
struct RepetitionMatch: Equatable, Sendable {
  typealias Weekday = RecurrenceRule.Weekday

  var frequency: RecurrenceRule.Frequency
  var interval = 1
  var weekdays: [Weekday] = []
  var monthDays: [Int] = []
  var months: [Int] = []
  /// The part of the day that belongs to it: `every morning`.
  var part: Part?
  /// Whether it is the first day of a span: `every weekend`.
  var isSpan = false
  /// Whether the interval begins when the item was done.
  var isAfterDone = false
  /// The other meanings of the words: `every 2nd tuesday` is every other one, or one in a month.
  var alternatives: [RepetitionMatch] = []

  /// Whether it says on which days something happens, so that no other day can.
  var hasDays: Bool { !weekdays.isEmpty || !monthDays.isEmpty || !months.isEmpty }

  /// The days from Monday to Friday.
  static let workdays = RepetitionMatch(frequency: .weekly, weekdays: (0..<5).map { Weekday($0) })

  /// Creates the repetition after a number of units, or returns `nil` if they are shorter than a day or no whole number of days.
  init?(_ number: Double, _ unit: Unit) {
    let (frequency, count): (RecurrenceRule.Frequency, Double)
    switch unit {
    case .minute, .quarterHour, .halfHour, .hour: return nil
    case .day: (frequency, count) = (.daily, number)
    case .week: (frequency, count) = (.weekly, number)
    case .fortnight: (frequency, count) = (.weekly, number * 2)
    case .month: (frequency, count) = (.monthly, number)
    case .year where number == number.rounded(): (frequency, count) = (.yearly, number)
    case .year: (frequency, count) = (.monthly, number * 12)
    }
    guard count == count.rounded(), (1...Double(RecurrenceRule.Limits.interval)).contains(count) else { return nil }
    self.init(frequency: frequency, interval: Int(count))
  }

  init(
    frequency: RecurrenceRule.Frequency, interval: Int = 1, weekdays: [Weekday] = [], monthDays: [Int] = [],
    months: [Int] = []
  ) {
    (self.frequency, self.interval) = (frequency, interval)
    self.weekdays = Set(weekdays).sorted { ($0.day, $0.ordinal) < ($1.day, $1.ordinal) }
    self.monthDays = Set(monthDays).sorted()
    self.months = Set(months).sorted()
  }

  /// Returns both repetitions as one, or `nil` if they are two: `weekly` and `on mondays`.
  func joined(_ other: RepetitionMatch) -> RepetitionMatch? {
    guard frequency == other.frequency, !isAfterDone, !other.isAfterDone, !hasDays || !other.hasDays else { return nil }
    var result = hasDays ? self : other
    result.interval = max(interval, other.interval)
    result.part = part ?? other.part
    return result
  }

  /// The rule without its end.
  var rule: RecurrenceRule {
    RecurrenceRule(
      frequency, interval: interval, weekdays: weekdays, monthDays: monthDays, months: months,
      clampsMonthDays: frequency == .monthly
        ? monthDays.contains { $0 > 28 } : months.contains(2) && monthDays.contains { $0 > 28 })
  }
}

/// The end of a repetition as it is written.
enum RepetitionEnd: Equatable {
  case count(Int)
  case duration(Int, RecurrenceRule.Frequency)
  case until(CalendarDate)
}

extension RepetitionEnd {
  /// Returns the end of a rule with a first day, or `nil` if it ends before that.
  func end(of match: RepetitionMatch, from first: CalendarDate) -> RecurrenceRule.End? {
    switch self {
    case .count(let count): return .count(count)
    case .until(let day): return day < first ? nil : .until(.date(day))
    case .duration(let number, let unit):
      if let count = Self.count(match, in: number, unit) { return .count(count) }
      let end: CalendarDate? =
        switch unit {
        case .daily: first.adding(days: number)
        case .weekly: first.adding(days: 7 * number)
        case .monthly: first.adding(months: number)
        case .yearly: first.adding(months: 12 * number)
        }
      return end?.adding(days: -1).map { .until(.date($0)) }
    }
  }

  /// Returns the number of occurrences in a number of units, if it is always the same.
  private static func count(_ match: RepetitionMatch, in number: Int, _ unit: RecurrenceRule.Frequency) -> Int? {
    let units = match.frequency == .daily && unit == .weekly ? 7 * number : number
    guard match.frequency == unit || units != number, units % match.interval == 0 else { return nil }
    let count = units / match.interval * max(1, match.weekdays.count, match.monthDays.count)
    return count <= RecurrenceRule.Limits.count ? count : nil
  }
}

extension QuickAddReading.Due {
  /// The day in local time, unless it is a time from now.
  var day: CalendarDate? {
    switch self {
    case .day(let day), .time(let day, _), .exact(let day, _, _): day
    case .fromNow: nil
    }
  }
}

extension RecurrenceRule {
  /// Returns the first day from another one on which the rule's days fall, or `nil` if none does in the next years.
  func firstDay(from start: CalendarDate) -> CalendarDate? {
    // February has a fifth such day once in 28 years, or in 40 around 2100.
    (0...366 * 40).lazy.compactMap { start.adding(days: $0) }.first(where: fits)
  }

  /// Whether a day is one of the rule's days.
  private func fits(_ day: CalendarDate) -> Bool {
    if !months.isEmpty, !months.contains(day.month) { return false }
    if !weekdays.isEmpty, !weekdays.contains(where: { fits($0, day) }) { return false }
    return monthDays.isEmpty || monthDays.contains { fits($0, day) }
  }

  private func fits(_ weekday: Weekday, _ day: CalendarDate) -> Bool {
    guard weekday.day == day.weekday else { return false }
    if weekday.ordinal > 0 { return (day.day - 1) / 7 + 1 == weekday.ordinal }
    return weekday.ordinal == 0 || (day.dayCountOfMonth - day.day) / 7 + 1 == -weekday.ordinal
  }

  private func fits(_ monthDay: Int, _ day: CalendarDate) -> Bool {
    let count = day.dayCountOfMonth
    return day.day == (monthDay < 0 ? count + 1 + monthDay : clampsMonthDays ? min(monthDay, count) : monthDay)
  }
}

extension CalendarDate {
  /// The number of days in its month.
  fileprivate var dayCountOfMonth: Int {
    (28...31).last { CalendarDate(year: year, month: month, day: $0) != nil } ?? 28
  }
}
