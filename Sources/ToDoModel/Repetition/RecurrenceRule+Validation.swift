extension RecurrenceRule {
  /// A reason why a rule or its text is refused.
  public struct Violation: Error, Hashable, Sendable {
    /// The reason, as a phrase that follows the field's name: "has INTERVAL=0; INTERVAL must be 1 to 999".
    public let reason: String

    init(_ reason: String) { self.reason = reason }

    init(_ part: String, _ value: some StringProtocol, mustBe expected: String) {
      reason = "has \(part)=\(value.prefix(32)); \(part) must be \(expected)"
    }

    init(tooLong count: Int) { reason = "is \(count) bytes long; at most \(Limits.text) are allowed" }
  }

  /// The first reason why the rule is refused, or `nil` if it is valid.
  package var violation: Violation? {
    guard weekdays.count <= Limits.weekdays, monthDays.count <= 62, months.count <= 12 else {
      return Violation("has too many days or months")
    }
    if let violation = numberViolation ?? weekdayViolation ?? endViolation { return violation }
    if frequency == .weekly, !monthDays.isEmpty { return Violation("must not have BYMONTHDAY with FREQ=WEEKLY") }
    if clampsMonthDays, frequency != .monthly, frequency != .yearly {
      return Violation("must have FREQ=MONTHLY or YEARLY with SKIP=BACKWARD")
    }
    let size = description.utf8.count
    return size > Limits.text ? Violation(tooLong: size) : nil
  }

  private var numberViolation: Violation? {
    func check(_ part: String, _ values: [Int], _ expected: String, _ isValid: (Int) -> Bool) -> Violation? {
      values.first { !isValid($0) }.map { Violation(part, "\($0)", mustBe: expected) }
    }
    return check("INTERVAL", [interval], "1 to \(Limits.interval)", (1...Limits.interval).contains)
      ?? check("BYMONTH", months, "1 to 12", (1...12).contains)
      ?? check("BYMONTHDAY", monthDays, "1 to 31, or -31 to -1") { $0 != 0 && (-31...31).contains($0) }
      ?? check("WKST", [weekStart], "a day of the week", (0...6).contains)
  }

  private var weekdayViolation: Violation? {
    let isYearly = frequency == .yearly && months.isEmpty
    let limit = isYearly ? 53 : 5
    for weekday in weekdays {
      guard (0...6).contains(weekday.day) else { return Violation("BYDAY", "\(weekday)", mustBe: "a day of the week") }
      guard weekday.ordinal != 0 else { continue }
      guard frequency == .monthly || frequency == .yearly else {
        return Violation("BYDAY", "\(weekday)", mustBe: "without numbers unless FREQ is MONTHLY or YEARLY")
      }
      guard (-limit...limit).contains(weekday.ordinal) else {
        let period = isYearly ? "a year" : "a month"
        return Violation("BYDAY", "\(weekday)", mustBe: "a day with a number of 1 to \(limit) in \(period)")
      }
    }
    return nil
  }

  private var endViolation: Violation? {
    switch end {
    case .count(let count) where !(1...Limits.count).contains(count):
      Violation("COUNT", "\(count)", mustBe: "1 to \(Limits.count)")
    case .until(.time(let time)) where !Timestamp.supportedRange.contains(time) || time.microseconds % 1_000_000 != 0:
      Violation("must have a whole second of the years 1 to 9999 as UNTIL")
    default: nil
    }
  }

  /// The rule with its lists in ascending order, and without repeated elements.
  package var canonical: RecurrenceRule {
    var rule = self
    if weekdays.count > 1 {
      rule.weekdays = Array(Set(weekdays)).sorted { ($0.day, $0.ordinal) < ($1.day, $1.ordinal) }
    }
    if monthDays.count > 1 { rule.monthDays = Set(monthDays).sorted() }
    if months.count > 1 { rule.months = Set(months).sorted() }
    return rule
  }
}
