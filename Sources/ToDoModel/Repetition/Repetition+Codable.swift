/// The keys are `rule` or `afterDone`, `timeZone`, `startTime` or `startDate`, and `missedCount`.
extension Repetition: Codable {
  private enum CodingKeys: CodingKey {
    case rule, afterDone, timeZone, startTime, startDate, missedCount
  }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let rule = try container.parseIfPresent(RecurrenceRule.self, .rule).map(Rule.calendar)
    let afterDone = try container.parseIfPresent(Interval.self, .afterDone).map(Rule.afterDone)
    guard let only = rule ?? afterDone, rule == nil || afterDone == nil else {
      throw container.corruption(.rule, "or 'afterDone' must be set, not both")
    }
    let time = try container.parseIfPresent(Timestamp.self, .startTime)
    let date = try container.parseIfPresent(CalendarDate.self, .startDate)
    guard time == nil || date == nil else {
      throw container.corruption(.startDate, "and 'startTime' exclude each other")
    }
    self.init(
      only, timeZone: try container.decodeIfPresent(String.self, forKey: .timeZone) ?? "",
      start: time.map(DueDate.time) ?? date.map(DueDate.date),
      missedCount: try container.decodeIfPresent(Int.self, forKey: .missedCount) ?? 0)
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    let isAfterDone = if case .afterDone = rule { true } else { false }
    try container.encode(isAfterDone ? nil : rule.description, forKey: .rule)
    try container.encode(isAfterDone ? rule.description : nil, forKey: .afterDone)
    try container.encode(timeZone.isEmpty ? nil : timeZone, forKey: .timeZone)
    let time: Timestamp? = if case .time(let time) = start { time } else { nil }
    let date: CalendarDate? = if case .date(let date) = start { date } else { nil }
    try container.encode(time?.description, forKey: .startTime)
    try container.encode(date?.description, forKey: .startDate)
    try container.encode(missedCount, forKey: .missedCount)
  }
}
