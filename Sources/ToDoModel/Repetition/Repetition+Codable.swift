/// The keys are `rule` or `afterDone`, `timeZone`, `startTime` or `startDate`, `missedCount`, and `occurrenceTime` or
/// `occurrenceDate`.
extension Repetition: Codable {
  private enum CodingKeys: CodingKey {
    case rule, afterDone, timeZone, startTime, startDate, missedCount, occurrenceTime, occurrenceDate
  }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let rule = try container.parseIfPresent(RecurrenceRule.self, .rule).map(Rule.calendar)
    let afterDone = try container.parseIfPresent(Interval.self, .afterDone).map(Rule.afterDone)
    guard let only = rule ?? afterDone, rule == nil || afterDone == nil else {
      throw container.corruption(.rule, "or 'afterDone' must be set, not both")
    }
    self.init(
      only, timeZone: try container.decodeIfPresent(String.self, forKey: .timeZone) ?? "",
      start: try Self.due(in: container, .startTime, .startDate),
      missedCount: try container.decodeIfPresent(Int.self, forKey: .missedCount) ?? 0,
      occurrence: try Self.due(in: container, .occurrenceTime, .occurrenceDate))
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    let isAfterDone = if case .afterDone = rule { true } else { false }
    try container.encode(isAfterDone ? nil : rule.description, forKey: .rule)
    try container.encode(isAfterDone ? rule.description : nil, forKey: .afterDone)
    try container.encode(timeZone.isEmpty ? nil : timeZone, forKey: .timeZone)
    try Self.encode(start, to: &container, .startTime, .startDate)
    try container.encode(missedCount, forKey: .missedCount)
    try Self.encode(occurrence, to: &container, .occurrenceTime, .occurrenceDate)
  }

  private static func due(
    in container: KeyedDecodingContainer<CodingKeys>, _ timeKey: CodingKeys, _ dateKey: CodingKeys
  ) throws -> DueDate? {
    let time = try container.parseIfPresent(Timestamp.self, timeKey)
    let date = try container.parseIfPresent(CalendarDate.self, dateKey)
    guard time == nil || date == nil else {
      throw container.corruption(dateKey, "and '\(timeKey.stringValue)' exclude each other")
    }
    return time.map(DueDate.time) ?? date.map(DueDate.date)
  }

  private static func encode(
    _ due: DueDate?, to container: inout KeyedEncodingContainer<CodingKeys>, _ timeKey: CodingKeys,
    _ dateKey: CodingKeys
  ) throws {
    let time: Timestamp? = if case .time(let time) = due { time } else { nil }
    let date: CalendarDate? = if case .date(let date) = due { date } else { nil }
    try container.encode(time?.description, forKey: timeKey)
    try container.encode(date?.description, forKey: dateKey)
  }
}
