/// A date and a time of day without a time zone.
package struct LocalTime: Hashable, Sendable {
  /// The time since 1970-01-01 00:00 local time.
  package let microseconds: Int64

  /// Creates a local time.
  package init(microseconds: Int64) {
    self.microseconds = microseconds
  }

  /// Creates a local time from a date and a time of day.
  package init(_ date: CalendarDate, _ time: TimeOfDay) {
    microseconds = Int64(date.daysSinceEpoch) * 86_400_000_000 + time.microseconds
  }

  /// The date, or `nil` outside the years 1 to 9999.
  package var date: CalendarDate? {
    CalendarDate.epoch.adding(days: Int(microseconds.flooredDivision(by: 86_400_000_000).quotient))
  }

  /// The time of day.
  package var time: TimeOfDay {
    TimeOfDay(microseconds: microseconds.flooredDivision(by: 86_400_000_000).remainder)
  }
}

/// A time of day, from 00:00 to 24:00, the end of the day.
package struct TimeOfDay: Hashable, Sendable {
  /// The time since 00:00, at most 86,400,000,000.
  package let microseconds: Int64

  /// Creates a time of day.
  package init(microseconds: Int64) {
    self.microseconds = microseconds
  }

  /// Creates a time of day from its fields.
  package init(hour: Int, minute: Int = 0, second: Int = 0, microsecond: Int = 0) {
    microseconds = Int64((hour * 60 + minute) * 60 + second) * 1_000_000 + Int64(microsecond)
  }
}

extension TimeOfDay: CustomStringConvertible {
  /// The time as in `17:00`, or `17:00:30` if the seconds are not 0.
  package var description: String {
    let seconds = Int(microseconds / 1_000_000)
    let fields = [seconds / 3600, seconds / 60 % 60] + (seconds % 60 == 0 ? [] : [seconds % 60])
    return fields.map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
  }
}

extension CalendarDate {
  /// 1970-01-01.
  package static let epoch = CalendarDate(daysSinceEpoch: 0)
}
