package import ToDoModel

extension DueDate {
  /// Returns the due date a number of days later, with the same local time, or `nil` outside the years 1 to 9999.
  package func adding(days: Int, in zone: any TimeZoneRules) -> DueDate? {
    switch self {
    case .date(let date): return date.adding(days: days).map(DueDate.date)
    case .time(let instant):
      let local = zone.localTime(at: instant)
      return local.date?.adding(days: days).map { .time(zone.instant(at: LocalTime($0, local.time))) }
    }
  }
}
