import ToDoModel

/// A day of the year with a name.
enum Holiday: Equatable, Sendable {
  case fixed(month: Int, day: Int)
  /// A number of days after Easter Sunday.
  case easter(Int)
  /// A number of days after the fourth Thursday of November.
  case thanksgiving(Int)
  /// A Sunday of Advent; the fourth is the last one before Christmas.
  case advent(Int)

  /// Returns the holiday of a year.
  func date(in year: Int) -> CalendarDate? {
    switch self {
    case .fixed(let month, let day): CalendarDate(year: year, month: month, day: day)
    case .easter(let days): Self.easterSunday(year)?.adding(days: days)
    case .thanksgiving(let days): CalendarDate(4, weekday: 3, ofMonth: 11, year)?.adding(days: days)
    case .advent(let number):
      CalendarDate(year: year, month: 12, day: 24).flatMap { $0.adding(days: 7 * (number - 4) - ($0.weekday + 1) % 7) }
    }
  }

  /// Returns Easter Sunday of a year in the Gregorian calendar, by the algorithm of Meeus, Jones and Butcher.
  private static func easterSunday(_ year: Int) -> CalendarDate? {
    let (golden, century, rest) = (year % 19, year / 100, year % 100)
    let epact = (19 * golden + century - century / 4 - (century - (century + 8) / 25 + 1) / 3 + 15) % 30
    let weekday = (32 + 2 * (century % 4) + 2 * (rest / 4) - epact - rest % 4) % 7
    let correction = (golden + 11 * epact + 22 * weekday) / 451
    let days = epact + weekday - 7 * correction + 114
    return CalendarDate(year: year, month: days / 31, day: days % 31 + 1)
  }
}
