package import ToDoModel
import ToDoText

/// Central European time by the European Union's rule since 1996: summer time from the last Sunday of March to the last
/// Sunday of October, with changes at 01:00 UTC.
package struct CentralEuropeanZone: TimeZoneRules {
  package init() {}

  package func offset(at instant: Timestamp) -> ZoneOffset {
    let (day, rest) = instant.microseconds.flooredDivision(by: 86_400_000_000)
    guard let date = CalendarDate.epoch.adding(days: Int(day)) else { return ZoneOffset(seconds: 3600, name: "CET") }
    let isSummer =
      switch date.month {
      case 4...9: true
      case 3, 10: hasChanged(date, isAfterOne: rest >= 3_600_000_000) == (date.month == 3)
      default: false
      }
    return isSummer ? ZoneOffset(seconds: 7200, name: "CEST") : ZoneOffset(seconds: 3600, name: "CET")
  }

  /// Returns whether the clocks have changed in March or October, which both have 31 days.
  private func hasChanged(_ date: CalendarDate, isAfterOne: Bool) -> Bool {
    let lastOfMonth = CalendarDate(daysSinceEpoch: date.daysSinceEpoch + 31 - date.day)
    let lastSunday = 31 - (Weekday(of: lastOfMonth).rawValue + 1) % 7
    return date.day == lastSunday ? isAfterOne : date.day > lastSunday
  }
}

/// A zone with a fixed offset.
package struct FixedZone: TimeZoneRules {
  package var offset = ZoneOffset(seconds: 0, name: "UTC")

  package init(offset: ZoneOffset = ZoneOffset(seconds: 0, name: "UTC")) {
    self.offset = offset
  }

  package func offset(at instant: Timestamp) -> ZoneOffset { offset }
}
