/// The form is a duration of ISO 8601 with one unit: `P3D`, `P2W`, `P1M`, `P1Y`.
extension Repetition.Interval: LosslessStringConvertible {
  /// The duration, such as `P3D`.
  public var description: String { "P\(count)\(unit.designator)" }

  /// Parses an interval of at least one unit.
  public init?(_ description: String) {
    guard description.utf8.count <= 8, description.hasPrefix("P"), let last = description.last,
      let unit = RecurrenceRule.Frequency.allCases.first(where: { $0.designator == last }),
      let count = Int(description.dropFirst().dropLast()), count > 0, "P\(count)\(last)" == description
    else { return nil }
    self.init(count, unit)
  }
}

extension RecurrenceRule.Frequency {
  /// The letter of ISO 8601.
  fileprivate var designator: Character {
    switch self {
    case .daily: "D"
    case .weekly: "W"
    case .monthly: "M"
    case .yearly: "Y"
    }
  }
}

/// The form is a recurrence rule's or an interval's.
extension Repetition.Rule: LosslessStringConvertible {
  /// The rule's or the interval's text.
  public var description: String {
    switch self {
    case .calendar(let rule): rule.description
    case .afterDone(let interval): interval.description
    }
  }

  /// Parses a rule.
  public init?(_ description: String) {
    if let interval = Repetition.Interval(description) {
      self = .afterDone(interval)
    } else {
      guard let rule = RecurrenceRule(description) else { return nil }
      self = .calendar(rule)
    }
  }
}

extension Repetition {
  /// The size that a repetition has in addition to its rule and time zone, in bytes.
  package static let overhead = 19

  /// The size that the date of a moved occurrence has, in bytes.
  package static let occurrenceSize = 8

  /// The repetition's size: its rule and time zone in UTF-8, `overhead`, and `occurrenceSize` if an occurrence has moved.
  package var size: Int {
    Self.overhead + rule.description.utf8.count + timeZone.utf8.count + (occurrence == nil ? 0 : Self.occurrenceSize)
  }

  /// The rule and the time zone, as in `FREQ=DAILY Europe/Berlin`.
  package var summary: String { timeZone.isEmpty ? rule.description : "\(rule) \(timeZone)" }

  /// The rule, the time zone, the start and the missed count, as in `FREQ=DAILY Europe/Berlin from 2026-05-01, 2 missed`.
  var details: String {
    let start: String? =
      switch start {
      case .date(let date): date.description
      case .time(let time): time.description
      case nil: nil
      }
    return summary + (start.map { " from \($0)" } ?? "") + (missedCount > 0 ? ", \(missedCount) missed" : "")
  }
}
