package import ToDoModel

extension Timestamp {
  /// Returns the date that begins at the instant, or else the instant itself.
  package func waitDate(in zone: any TimeZoneRules) -> DueDate {
    let local = zone.localTime(at: self)
    guard let date = local.date, local.time == TimeOfDay(hour: 0) else { return .time(self) }
    return .date(date)
  }

  /// Returns the time until which an item waits, such as `waits until Mon 4 May`.
  package func waitText(today: CalendarDate, in zone: any TimeZoneRules) -> String {
    "waits until \(waitDate(in: zone).shortText(today: today, in: zone))"
  }
}
