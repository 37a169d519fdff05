package import ToDoModel

extension DueDate {
  /// Returns this day with another due date's time of day, and that time; `nil` if this is a time, or the other is not.
  package func keepingTime(of other: DueDate?, in zone: any TimeZoneRules) -> (due: DueDate, time: TimeOfDay)? {
    guard case .date(let day) = self, case .time(let instant) = other else { return nil }
    let time = zone.localTime(at: instant).time
    let kept = zone.instant(at: LocalTime(day, time))
    return Timestamp.supportedRange.contains(kept) ? (.time(kept), time) : nil
  }
}
