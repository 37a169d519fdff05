extension CalendarDate {
  /// The day of the week; 0 is Monday.
  package var weekday: Int {
    // 1970-01-01 was a Thursday.
    let number = (daysSinceEpoch + 3) % 7
    return number < 0 ? number + 7 : number
  }

  /// Returns the date a number of days later, or `nil` outside the years 1 to 9999.
  package func adding(days: Int) -> CalendarDate? {
    let (sum, overflow) = daysSinceEpoch.addingReportingOverflow(days)
    return overflow || !(-719_162...2_932_896).contains(sum) ? nil : CalendarDate(daysSinceEpoch: sum)
  }

  /// Returns the same day a number of months later, or the last day of that month if it is shorter.
  package func adding(months: Int) -> CalendarDate? {
    guard (-120_000...120_000).contains(months) else { return nil }
    let month = year * 12 + self.month - 1 + months
    guard month >= 12 else { return nil }
    return (28...31).reversed().lazy.map { min($0, day) }
      .compactMap { CalendarDate(year: month / 12, month: month % 12 + 1, day: $0) }.first
  }

  /// The first to fifth such weekday of a month, or the last one for 0.
  package init?(_ number: Int, weekday: Int, ofMonth month: Int, _ year: Int) {
    let days = (1...31).compactMap { CalendarDate(year: year, month: month, day: $0) }.filter { $0.weekday == weekday }
    guard let date = number == 0 ? days.last : days.dropFirst(number - 1).first else { return nil }
    self = date
  }
}
