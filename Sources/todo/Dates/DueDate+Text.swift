import ToDoModel

extension DueDate {
  /// Returns the unambiguous form, such as `Fri 2026-05-01` or `Fri 2026-05-01 17:00 CEST`.
  func absoluteText(in zone: any TimeZoneRules) -> String {
    switch self {
    case .date(let date):
      return "\(Weekday(of: date).shortName) \(date)"
    case .time(let instant):
      let local = zone.localTime(at: instant)
      guard let date = local.date else { return instant.description }
      return "\(Weekday(of: date).shortName) \(date) \(local.time) \(zone.offset(at: instant).name)"
    }
  }

  /// Returns the short form relative to today, such as `today 17:00`, `tomorrow`, `Fri 1 May`, or `2027-01-03` in another
  /// year.
  func shortText(today: CalendarDate, in zone: any TimeZoneRules) -> String {
    switch self {
    case .date(let date):
      return date.shortText(today: today)
    case .time(let instant):
      let local = zone.localTime(at: instant)
      return local.date.map { "\($0.shortText(today: today)) \(local.time)" } ?? instant.description
    }
  }
}

extension Timestamp {
  /// Returns the unambiguous form, such as `Fri 2026-05-01 17:00 CEST`.
  func absoluteText(in zone: any TimeZoneRules) -> String {
    DueDate.time(self).absoluteText(in: zone)
  }
}

extension CalendarDate {
  fileprivate func shortText(today: CalendarDate) -> String {
    switch daysSinceEpoch - today.daysSinceEpoch {
    case -1: "yesterday"
    case 0: "today"
    case 1: "tomorrow"
    default: year == today.year ? "\(Weekday(of: self).shortName) \(day) \(Self.months[month - 1])" : description
    }
  }

  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]
}
