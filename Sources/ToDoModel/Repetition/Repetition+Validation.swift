extension Repetition {
  /// Returns every violation of a rule by the repetition. Whether the time zone exists is not checked.
  ///
  /// - Parameters:
  ///   - due: the due date of the item.
  ///   - path: the field path, such as `item.repetition`.
  func violations(due: DueDate?, at path: String) -> [FieldViolation] {
    var found: [FieldViolation] = []
    switch rule {
    case .calendar(let rule):
      if let violation = rule.violation { found.append(FieldViolation("\(path).recurrence_rule", violation.reason)) }
      if due == nil {
        found.append(FieldViolation(path, "must not be set without a due date, unless it is 'after_done'"))
      }
    case .afterDone(let interval):
      let limit = RecurrenceRule.Limits.interval
      guard !(1...limit).contains(interval.count) else { break }
      found.append(FieldViolation("\(path).after_done.count", "is \(interval.count); it must be 1 to \(limit)"))
    }
    if !ZoneName.isValid(timeZone) { found.append(FieldViolation("\(path).time_zone", ZoneName.violation)) }
    if case .time(let time) = start, !Timestamp.supportedRange.contains(time) {
      found.append(FieldViolation("\(path).start_time", "must lie in the years 1 to 9999"))
    }
    if case .time(let time) = occurrence, !Timestamp.supportedRange.contains(time) {
      found.append(FieldViolation("\(path).occurrence_time", "must lie in the years 1 to 9999"))
    }
    if missedCount < 0 { found.append(FieldViolation("\(path).missed_count", "must not be negative")) }
    return found
  }

  /// The repetition with its rule in canonical form, with a calendar rule's start, and with the date of an occurrence only
  /// if the item is due at another.
  ///
  /// - Parameter due: the due date of the item, which is the start unless another is set.
  package func canonical(due: DueDate?) -> Repetition {
    var repetition = self
    switch rule {
    case .calendar(let rule):
      repetition.rule = .calendar(rule.canonical)
      repetition.start = start ?? due
      if occurrence == due { repetition.occurrence = nil }
    case .afterDone: (repetition.start, repetition.occurrence) = (nil, nil)
    }
    return repetition
  }
}
