extension Reminder {
  /// Returns every violation of a rule by the reminder. Whether its time zone exists is not checked.
  ///
  /// - Parameters:
  ///   - due: the due date of the item.
  ///   - hasPlace: whether the item has a place.
  ///   - path: the field path, such as `item.reminders[0]`.
  func violations(due: DueDate?, hasPlace: Bool, at path: String) -> [FieldViolation] {
    var found: [FieldViolation] = []
    func check(_ time: Timestamp?, _ field: String) {
      guard let time, !Timestamp.supportedRange.contains(time) else { return }
      found.append(FieldViolation("\(path).\(field)", "must lie in the years 1 to 9999"))
    }
    func check(_ value: Int, in range: ClosedRange<Int>, _ field: String) {
      guard !range.contains(value) else { return }
      found.append(
        FieldViolation("\(path).\(field)", "is \(value); it must be \(range.lowerBound) to \(range.upperBound)"))
    }
    switch trigger {
    case .time(let time): check(time, "time")
    case .before(let seconds):
      check(seconds, in: 0...Reminder.Limits.seconds, "seconds_before")
      let isTimed = if case .time = due { true } else { false }
      if !isTimed { found.append(FieldViolation("\(path).seconds_before", "must not be set without a due time")) }
    case .day(let day):
      check(day.daysBefore, in: 0...Reminder.Limits.days, "day.days_before")
      check(day.minuteOfDay, in: 0...1439, "day.minute_of_day")
      if !ZoneName.isValid(day.timeZone) { found.append(FieldViolation("\(path).day.time_zone", ZoneName.violation)) }
      if due == nil { found.append(FieldViolation("\(path).day", "must not be set without a due date")) }
    case .arriving, .leaving:
      if !hasPlace { found.append(FieldViolation("\(path).place", "must not be set without a place")) }
    }
    check(acknowledged, "acknowledged_time")
    check(snoozedUntil, "snooze_time")
    return found
  }
}
