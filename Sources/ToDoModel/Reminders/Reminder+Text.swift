/// The form is a time in RFC 3339 format; an ISO 8601 duration before the due time, such as `PT1H30M`; days before the due day
/// with a time and a time zone, such as `P1D 18:00 Europe/Berlin`; `arriving` or `leaving`.
extension Reminder.Trigger: LosslessStringConvertible {
  /// The text of the trigger.
  public var description: String {
    switch self {
    case .time(let time): time.description
    case .before(let seconds): Self.duration(seconds)
    case .day(let day):
      "P\(day.daysBefore)D \(TimeOfDay(hour: 0, minute: day.minuteOfDay))"
        + (day.timeZone.isEmpty ? "" : " \(day.timeZone)")
    case .arriving: "arriving"
    case .leaving: "leaving"
    }
  }

  /// Parses a trigger in the form that `description` has.
  public init?(_ description: String) {
    let trigger: Self? =
      switch description {
      case "arriving": .arriving
      case "leaving": .leaving
      case let text where text.hasPrefix("P"): Self(relative: text)
      case let text: Timestamp(text).map(Self.time)
      }
    guard let trigger else { return nil }
    self = trigger
  }

  private init?(relative text: String) {
    let parts = text.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false).map(String.init)
    if parts.count == 1 {
      guard let seconds = Self.seconds(text), Self.duration(seconds) == text else { return nil }
      self = .before(seconds: seconds)
    } else {
      var time = TextFields(parts[1])
      guard parts[0].hasSuffix("D"), parts[0].utf8.count <= 8, let days = Int(parts[0].dropFirst().dropLast()),
        days >= 0,
        let hour = time.number(digits: 2), hour < 24, time.skip(":"), let minute = time.number(digits: 2), minute < 60,
        time.isAtEnd
      else { return nil }
      let zone = parts.count > 2 ? parts[2] : ""
      self = .day(Reminder.DayTrigger(daysBefore: days, minuteOfDay: hour * 60 + minute, timeZone: zone))
      guard self.description == text else { return nil }
    }
  }

  private static func duration(_ seconds: Int) -> String {
    let units = [(seconds / 86_400, "D"), (seconds / 3600 % 24, "H"), (seconds / 60 % 60, "M"), (seconds % 60, "S")]
    let parts = units.map { $0 == 0 ? "" : "\($0)\($1)" }
    let time = parts.dropFirst().joined()
    return "P" + parts[0] + (time.isEmpty ? (parts[0].isEmpty ? "T0S" : "") : "T" + time)
  }

  private static func seconds(_ duration: String) -> Int? {
    var (total, number, isTime) = (0, "", false)
    for character in duration.dropFirst() {
      if character == "T", !isTime, number.isEmpty {
        isTime = true
      } else if character.isASCII, character.isNumber, number.utf8.count < 9 {
        number.append(character)
      } else {
        let unit: Int? =
          switch (character, isTime) {
          case ("D", false): 86_400
          case ("H", true): 3600
          case ("M", true): 60
          case ("S", true): 1
          default: nil
          }
        guard let unit, let count = Int(number) else { return nil }
        total += count * unit
        number = ""
      }
    }
    return number.isEmpty ? total : nil
  }
}

extension Reminder {
  /// Returns the triggers and states of reminders, as in `PT1H; P1D 18:00 acknowledged 2026-05-01T18:00:00Z`. `nil` if there are
  /// none.
  static func summary(_ reminders: [Reminder]) -> String? {
    guard !reminders.isEmpty else { return nil }
    return reminders.map { reminder in
      let acknowledged = reminder.acknowledged.map { " acknowledged \($0)" } ?? ""
      return reminder.trigger.description + acknowledged + (reminder.snoozedUntil.map { " snoozed to \($0)" } ?? "")
    }.joined(separator: "; ")
  }
}

/// The keys are `trigger`, `acknowledgedTime` and `snoozeTime`.
extension Reminder: Codable {
  private enum CodingKeys: CodingKey {
    case trigger, acknowledgedTime, snoozeTime
  }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      try container.parse(Trigger.self, .trigger),
      acknowledged: try container.parseIfPresent(Timestamp.self, .acknowledgedTime),
      snoozedUntil: try container.parseIfPresent(Timestamp.self, .snoozeTime))
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(trigger.description, forKey: .trigger)
    try container.encode(acknowledged?.description, forKey: .acknowledgedTime)
    try container.encode(snoozedUntil?.description, forKey: .snoozeTime)
  }
}
