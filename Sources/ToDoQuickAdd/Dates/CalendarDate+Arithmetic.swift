import ToDoModel

extension CalendarDate {
  /// The day of the week; 0 is Monday.
  var weekday: Int {
    // 1970-01-01 was a Thursday.
    let number = (daysSinceEpoch + 3) % 7
    return number < 0 ? number + 7 : number
  }

  func adding(days: Int) -> CalendarDate? {
    let (sum, overflow) = daysSinceEpoch.addingReportingOverflow(days)
    return overflow || !(-719_162...2_932_896).contains(sum) ? nil : CalendarDate(daysSinceEpoch: sum)
  }

  /// Returns the same day a number of months later, or the last day of that month if it is shorter.
  func adding(months: Int) -> CalendarDate? {
    guard (-120_000...120_000).contains(months) else { return nil }
    let month = year * 12 + self.month - 1 + months
    guard month >= 12 else { return nil }
    return (28...31).reversed().lazy.map { min($0, day) }
      .compactMap { CalendarDate(year: month / 12, month: month % 12 + 1, day: $0) }.first
  }

  /// The first to fifth such weekday of a month, or the last one for 0.
  init?(_ number: Int, weekday: Int, ofMonth month: Int, _ year: Int) {
    let days = (1...31).compactMap { CalendarDate(year: year, month: month, day: $0) }.filter { $0.weekday == weekday }
    guard let date = number == 0 ? days.last : days.dropFirst(number - 1).first else { return nil }
    self = date
  }
}

extension Span {
  /// The first day that is left in the span with `today`, or the next span's first day.
  func first(today: CalendarDate, isNext: Bool) -> CalendarDate? {
    switch self {
    case .week: return isNext ? today.adding(days: 7 - today.weekday) : today
    case .weekend:
      let saturday = today.weekday == 6 ? today : today.adding(days: 5 - today.weekday)
      return isNext ? today.adding(days: 12 - today.weekday) : saturday
    case .month: return isNext ? today.adding(days: 1 - today.day)?.adding(months: 1) : today
    case .year: return isNext ? CalendarDate(year: today.year + 1, month: 1, day: 1) : today
    }
  }

  /// The last day of the span that contains `today`.
  func last(today: CalendarDate) -> CalendarDate? {
    switch self {
    case .week, .weekend: today.adding(days: 6 - today.weekday)
    case .month: today.adding(days: 1 - today.day)?.adding(months: 1)?.adding(days: -1)
    case .year: CalendarDate(year: today.year, month: 12, day: 31)
    }
  }
}
