/// A day of the proleptic Gregorian calendar, without a time and without a time zone.
///
/// Years run from 1 to 9999, as in `google.type.Date`; the partial dates of that type (no year, no month,
/// no day) are not accepted.
public struct CalendarDate: Hashable, Sendable {
  /// The year, in 1...9999.
  public let year: Int
  /// The month, in 1...12.
  public let month: Int
  /// The day of the month, starting at 1.
  public let day: Int

  /// Creates a date.
  ///
  /// - Returns: `nil` if the day does not exist, for example 30 February or a day of year 0.
  public init?(year: Int, month: Int, day: Int) {
    guard (1...9999).contains(year), (1...12).contains(month),
      (1...Self.dayCount(year: year, month: month)).contains(day)
    else { return nil }
    self.year = year
    self.month = month
    self.day = day
  }

  /// Creates the date that is `daysSinceEpoch` days after 1970-01-01.
  ///
  /// - Precondition: the date is in the years 1 to 9999, which are the days -719162...2932896.
  public init(daysSinceEpoch: Int) {
    precondition((-719_162...2_932_896).contains(daysSinceEpoch), "the date is outside the years 1 to 9999")
    // Howard Hinnant, "chrono-compatible low-level date algorithms": years start on 1 March, in eras of 400 years.
    let shifted = daysSinceEpoch + 719_468
    let era = shifted / 146_097
    let dayOfEra = shifted % 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
    month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  }

  /// The number of days since 1970-01-01; negative for earlier dates.
  public var daysSinceEpoch: Int {
    let shiftedYear = month <= 2 ? year - 1 : year
    let era = shiftedYear / 400
    let yearOfEra = shiftedYear % 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - 719_468
  }

  private static func dayCount(year: Int, month: Int) -> Int {
    switch month {
    case 2: (year % 4 == 0 && year % 100 != 0) || year % 400 == 0 ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }
}

extension CalendarDate: Comparable {
  /// Whether the first date is earlier.
  public static func < (left: CalendarDate, right: CalendarDate) -> Bool {
    (left.year, left.month, left.day) < (right.year, right.month, right.day)
  }
}

extension CalendarDate: LosslessStringConvertible {
  /// Parses a date in ISO 8601 format, such as `2026-05-01`.
  public init?(_ text: String) {
    var fields = TextFields(text)
    guard let year = fields.number(digits: 4), fields.skip("-"), let month = fields.number(digits: 2), fields.skip("-"),
      let day = fields.number(digits: 2), fields.isAtEnd
    else { return nil }
    self.init(year: year, month: month, day: day)
  }

  /// The date in ISO 8601 format, for example `2026-05-01`.
  public var description: String {
    "\(decimal(year, digits: 4))-\(decimal(month, digits: 2))-\(decimal(day, digits: 2))"
  }
}
