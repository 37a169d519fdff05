/// The days on which a rule has occurrences: the start, and every later day that the rule describes. `COUNT` and `UNTIL` are
/// not considered.
///
/// The days of each month are a bit mask. A search passes months without a day of the interval, and ends after the time in which
/// the days repeat themselves.
struct RecurrenceDays: Sendable {
  private let frequency: RecurrenceRule.Frequency
  private let interval: Int
  private let start: CalendarDate
  /// The start, in days since 1970-01-01.
  let startDay: Int
  /// The first day of the week that contains the start.
  private let startWeek: Int
  /// The months that can have a day that the rule describes; bit 0 stands for January. None if no search can succeed.
  private let months: UInt16
  /// The days that match `BYDAY` and `BYMONTHDAY`, by `Month.shape`.
  private let masks: [UInt32]
  /// The days that match a `BYDAY` with ordinals in the year, by `Month.shapeInYear`. Empty for other rules.
  private let yearMasks: [UInt32]
  /// The time after which the days repeat themselves, in days: a multiple of 400 years.
  private let cycle: Int

  /// Creates the days of a valid rule.
  init(of rule: RecurrenceRule, from start: CalendarDate) {
    (frequency, interval, self.start) = (rule.frequency, max(rule.interval, 1), start)
    cycle = Self.cycle(of: rule.frequency, interval)
    startDay = start.daysSinceEpoch
    startWeek = startDay - (start.weekday - rule.weekStart + 7) % 7
    let isOnStart = rule.weekdays.isEmpty && rule.monthDays.isEmpty
    let implied = rule.frequency == .yearly && isOnStart ? [start.month] : Array(1...12)
    let countsInYear =
      rule.frequency == .yearly && rule.months.isEmpty && rule.weekdays.contains { $0.ordinal != 0 }
    let filter = DayFilter(rule, from: start)
    let masks = Month.shapes.map {
      filter.monthDays(length: $0.length) & (countsInYear ? .max : filter.weekdays(in: $0))
    }
    let yearMasks = countsInYear ? filter.weekdaysInYear() : []
    (self.masks, self.yearMasks) = (masks, yearMasks)
    months = (rule.months.isEmpty ? implied : rule.months).reduce(0) { months, month in
      // The calendar repeats itself after 400 years; these 40 have every kind of month.
      let hasDays = (2000..<2040).contains { year in
        let month = Month(number: year * 12 + month - 1)
        return masks[month.shape] & (yearMasks.isEmpty ? .max : yearMasks[month.shapeInYear]) != 0
      }
      return hasDays ? months | 1 << UInt16(month - 1) : months
    }
  }

  // MARK: Searching

  /// Returns the first day with an occurrence on or after a day, in days since 1970-01-01, or `nil` if there is none up to `last`.
  func first(onOrAfter day: Int, through last: Int = Month.lastDay) -> Int? {
    var examined = 0
    return first(onOrAfter: day, through: last, examined: &examined)
  }

  /// Returns the first day that is not before a day.
  ///
  /// - Parameter examined: the number of examined months is added to it.
  func first(onOrAfter day: Int, through last: Int = Month.lastDay, examined: inout Int) -> Int? {
    let day = max(day, startDay)
    // The start's month lacks its earlier days, so it is not repeated.
    let last = min(last, day + 31 + cycle)
    guard day <= last, let date = CalendarDate.epoch.adding(days: day) else { return nil }
    var month = Month(number: date.monthNumber)
    var candidates = days(of: month) & .max << UInt32(date.day - 1)
    while candidates == 0 {
      guard let next = period(after: month), next.firstDay <= last else { return nil }
      month = next
      candidates = days(of: month)
      examined += 1
    }
    let found = month.firstDay + candidates.trailingZeroBitCount
    return found <= last ? found : nil
  }

  /// Returns the number of the rule's days in a range of days since 1970-01-01.
  func count(in range: Range<Int>) -> Int {
    let first = max(range.lowerBound, startDay)
    guard first < range.upperBound, let date = CalendarDate.epoch.adding(days: first) else { return 0 }
    var (month, count) = (Month(number: date.monthNumber), 0)
    var candidates = days(of: month) & .max << UInt32(date.day - 1)
    while true {
      let rest = range.upperBound - month.firstDay
      if rest < month.length { candidates &= 1 << UInt32(rest) - 1 }
      count += candidates.nonzeroBitCount
      guard let next = period(after: month), next.firstDay < range.upperBound else { return count }
      month = next
      candidates = days(of: month)
    }
  }

  /// Returns a day by its number; the start is number 1. Returns `nil` if there are fewer days up to the year 9999.
  func day(number: Int) -> Int? {
    var (month, rest) = (Month(number: start.monthNumber), number)
    while true {
      var candidates = days(of: month)
      guard rest > candidates.nonzeroBitCount else {
        for _ in 1..<max(rest, 1) { candidates &= candidates - 1 }
        return month.firstDay + candidates.trailingZeroBitCount
      }
      rest -= candidates.nonzeroBitCount
      guard let next = period(after: month) else { return nil }
      month = next
    }
  }

  /// Returns the next month that can have days.
  private func period(after month: Month) -> Month? {
    guard months != 0 else { return nil }
    var number = month.number + 1
    switch frequency {
    case .monthly: number = month.number + interval - (month.number - start.monthNumber) % interval
    case .yearly:
      let rest = (number / 12 - start.year) % interval
      if rest > 0 { number = (number / 12 + interval - rest) * 12 }
    case .daily, .weekly:
      guard let next = monthOfInterval(from: month.firstDay + month.length) else { return nil }
      number = max(number, next)
    }
    // A skipped month of a monthly rule, or December of a yearly one, is examined, and has no days.
    while frequency != .monthly, months & 1 << UInt16(number % 12) == 0, frequency != .yearly || number % 12 < 11 {
      number += 1
    }
    return number <= Month.lastNumber ? Month(number: number) : nil
  }

  /// Returns the month in which a daily or weekly rule's interval first has a day, from a day on.
  private func monthOfInterval(from day: Int) -> Int? {
    let (origin, period, length) =
      frequency == .daily ? (startDay, interval, 1) : (startWeek, 7 * interval, 7)
    let elapsed = (day - origin) % period
    let next = elapsed < length ? day : day + period - elapsed
    return next <= Month.lastDay ? CalendarDate(daysSinceEpoch: next).monthNumber : nil
  }

  /// Returns the number of days after which a rule's days repeat themselves. The calendar does after 400 years: 4,800 months,
  /// and 20,871 weeks.
  private static func cycle(of frequency: RecurrenceRule.Frequency, _ interval: Int) -> Int {
    let units =
      switch frequency {
      case .daily: 146_097
      case .weekly: 20_871
      case .monthly: 4800
      case .yearly: 400
      }
    var (divisor, rest) = (interval, units % interval)
    while rest > 0 { (divisor, rest) = (rest, divisor % rest) }
    return interval / divisor * 146_097
  }

  // MARK: Days of a month

  /// Returns the days of a month. Bit 0 stands for the first.
  private func days(of month: Month) -> UInt32 {
    guard month.number != start.monthNumber else {
      // The start is an occurrence even if the rule does not describe it.
      let first = UInt32(1) << UInt32(start.day - 1)
      return describedDays(of: month) & ~(first - 1) | first
    }
    return month.number < start.monthNumber ? 0 : describedDays(of: month)
  }

  private func describedDays(of month: Month) -> UInt32 {
    guard months & 1 << UInt16(month.number % 12) != 0 else { return 0 }
    var days = masks[month.shape]
    if !yearMasks.isEmpty { days &= yearMasks[month.shapeInYear] }
    switch frequency {
    case .daily: return interval == 1 ? days : days & daysOfInterval(month)
    case .weekly: return interval == 1 ? days : days & weeksOfInterval(month)
    case .monthly: return (month.number - start.monthNumber) % interval == 0 ? days : 0
    case .yearly: return (month.number / 12 - start.year) % interval == 0 ? days : 0
    }
  }

  private func daysOfInterval(_ month: Month) -> UInt32 {
    let elapsed = (month.firstDay - startDay) % interval
    var (days, day) = (UInt32(0), elapsed > 0 ? interval - elapsed : -elapsed)
    while day < month.length {
      days |= 1 << UInt32(day)
      day += interval
    }
    return days
  }

  private func weeksOfInterval(_ month: Month) -> UInt32 {
    let period = 7 * interval
    let remainder = (month.firstDay - startWeek) % period
    let elapsed = remainder < 0 ? remainder + period : remainder
    var (days, day) = (elapsed < 7 ? UInt32(0x7F) >> UInt32(elapsed) : 0, period - elapsed)
    while day < month.length {
      days |= 0x7F << UInt32(day)
      day += period
    }
    return days
  }
}

/// A month.
private struct Month {
  /// The number of months since January of year 0.
  let number: Int
  /// The first day, in days since 1970-01-01.
  let firstDay: Int
  /// The number of days.
  let length: Int

  init(number: Int) {
    self.number = number
    // The years begin on 1 March, as in `CalendarDate`.
    let month = number % 12
    let year = month < 2 ? number / 12 - 1 : number / 12
    let dayOfYear = (153 * (month < 2 ? month + 10 : month - 2) + 2) / 5
    firstDay = year * 365 + year / 4 - year / 100 + year / 400 + dayOfYear - 719_468
    length = month == 1 ? (Self.isLeap(number / 12) ? 29 : 28) : 30 + (0b1010_1101_0101 >> month & 1)
  }

  static let lastNumber = 9999 * 12 + 11
  /// 9999-12-31.
  static let lastDay = 2_932_896

  /// The first day's weekday; 0 is Monday.
  var firstWeekday: Int { weekday(of: firstDay) }

  /// The number of the month's kind: months of one kind have the same length and begin on the same weekday.
  var shape: Int { firstWeekday * 4 + length - 28 }

  /// The number of the month's kind that distinguishes its place in the year, too.
  var shapeInYear: Int {
    let (isLeap, month) = (Self.isLeap(number / 12), number % 12)
    let dayOfYear = (367 * month + 5) / 12 - (month < 2 ? 0 : isLeap ? 1 : 2)
    return (weekday(of: firstDay - dayOfYear) * 2 + (isLeap ? 1 : 0)) * 12 + month
  }

  /// The kinds of months, by `shape`.
  static let shapes = (0..<28).map { (firstWeekday: $0 / 4, length: 28 + $0 % 4) }

  static func isLeap(_ year: Int) -> Bool { year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) }
}

/// The parts `BYDAY` and `BYMONTHDAY` of a rule, with the days that the start implies.
private struct DayFilter {
  private let rule: RecurrenceRule
  private let monthDays: [Int]
  /// Bit 0 stands for Monday. The days without ordinals.
  private let plainWeekdays: UInt32
  private let ordinals: [RecurrenceRule.Weekday]
  private let clamps: Bool

  init(_ rule: RecurrenceRule, from start: CalendarDate) {
    self.rule = rule
    let isByMonth = rule.frequency == .monthly || rule.frequency == .yearly
    monthDays = isByMonth && rule.monthDays.isEmpty && rule.weekdays.isEmpty ? [start.day] : rule.monthDays
    let isOnStart = rule.frequency == .weekly && rule.weekdays.isEmpty
    let weekdays = isOnStart ? [RecurrenceRule.Weekday(start.weekday)] : rule.weekdays
    plainWeekdays = weekdays.reduce(0) { $1.ordinal == 0 ? $0 | 1 << UInt32($1.day) : $0 }
    ordinals = weekdays.filter { $0.ordinal != 0 }
    clamps = rule.clampsMonthDays && isByMonth
  }

  private var hasWeekdays: Bool { plainWeekdays != 0 || !ordinals.isEmpty }

  /// Returns the days that match `BYMONTHDAY` in a month with this length.
  func monthDays(length: Int) -> UInt32 {
    guard !monthDays.isEmpty else { return 1 << UInt32(length) - 1 }
    return monthDays.reduce(0) { days, day in
      let index = day < 0 ? length + day : clamps ? min(day, length) - 1 : day - 1
      return (0..<length).contains(index) ? days | 1 << UInt32(index) : days
    }
  }

  /// Returns the days of a month that match `BYDAY`, with the ordinals in the month.
  func weekdays(in month: (firstWeekday: Int, length: Int)) -> UInt32 {
    guard hasWeekdays else { return .max }
    return ordinals.reduce(plainDays(in: month)) { days, weekday in
      let index = Self.index(of: weekday, firstWeekday: month.firstWeekday, length: month.length)
      return index.map { days | 1 << UInt32($0) } ?? days
    }
  }

  private func plainDays(in month: (firstWeekday: Int, length: Int)) -> UInt32 {
    let week = (plainWeekdays | plainWeekdays << 7) >> UInt32(month.firstWeekday) & 0x7F
    let days = UInt64(week) * 0x1020_4081
    return UInt32(truncatingIfNeeded: days & (1 << UInt64(month.length) - 1))
  }

  /// Returns the days that match `BYDAY`, with the ordinals in the year, by `Month.shapeInYear`.
  func weekdaysInYear() -> [UInt32] {
    (0..<14).flatMap { shape -> [UInt32] in
      let (first, isLeap) = (shape / 2, shape % 2 == 1)
      var starts = [0]
      for month in 0..<12 {
        starts.append(starts[month] + Month(number: (isLeap ? 2000 : 2001) * 12 + month).length)
      }
      var days = (0..<12).map { month in
        plainDays(in: (firstWeekday: (first + starts[month]) % 7, length: starts[month + 1] - starts[month]))
      }
      for weekday in ordinals {
        guard let index = Self.index(of: weekday, firstWeekday: first, length: starts[12]) else { continue }
        let month = starts.lastIndex { $0 <= index } ?? 0
        days[month] |= 1 << UInt32(index - starts[month])
      }
      return days
    }
  }

  /// Returns the index of a weekday with an ordinal in a period, or `nil` if there is none.
  private static func index(of weekday: RecurrenceRule.Weekday, firstWeekday: Int, length: Int) -> Int? {
    let first = (weekday.day - firstWeekday + 7) % 7
    let last = first + (length - 1 - first) / 7 * 7
    let index = weekday.ordinal > 0 ? first + 7 * (weekday.ordinal - 1) : last + 7 * (weekday.ordinal + 1)
    return (0..<length).contains(index) ? index : nil
  }
}

/// Returns the weekday of a day since 1970-01-01; 0 is Monday.
private func weekday(of day: Int) -> Int {
  // 719,163 days before the epoch, a Monday, are before 0001-01-01: the sum is not negative.
  (day + 719_162) % 7
}

extension CalendarDate {
  /// The number of months since January of year 0.
  fileprivate var monthNumber: Int { year * 12 + month - 1 }
}
