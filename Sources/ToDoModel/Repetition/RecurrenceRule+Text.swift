extension RecurrenceRule: LosslessStringConvertible {
  /// Parses the text form. Returns `nil` for a text that `init(parsing:)` refuses.
  public init?(_ text: String) {
    guard let rule = try? RecurrenceRule(parsing: text) else { return nil }
    self = rule
  }

  /// Parses the text form of RFC 5545 without "RRULE:", such as `FREQ=MONTHLY;BYDAY=-1FR`. The parts can have any order and
  /// case.
  ///
  /// - Throws: the first reason why the text is refused.
  public init(parsing text: String) throws(Violation) {
    guard text.utf8.count <= Limits.text else { throw Violation(tooLong: text.utf8.count) }
    guard !text.isEmpty else { throw Violation("must not be empty") }
    guard text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
      throw Violation("must contain only ASCII characters without spaces")
    }
    var parts = RuleParts()
    for field in text.uppercased().split(separator: ";", omittingEmptySubsequences: false) { try parts.add(field) }
    self = try parts.rule()
    if let violation { throw violation }
  }

  /// The canonical text form.
  public var description: String {
    var parts = ["FREQ=\(frequency.rawValue.uppercased())"]
    if interval != 1 { parts.append("INTERVAL=\(interval)") }
    if !months.isEmpty { parts.append("BYMONTH=\(Self.list(months))") }
    if !monthDays.isEmpty { parts.append("BYMONTHDAY=\(Self.list(monthDays))") }
    if !weekdays.isEmpty { parts.append("BYDAY=\(Self.list(weekdays))") }
    switch end {
    case nil: break
    case .count(let count): parts.append("COUNT=\(count)")
    case .until(.date(let date)): parts.append("UNTIL=\(date.digits)")
    case .until(.time(let time)): parts.append("UNTIL=\(time.digits)")
    }
    if weekStart != 0 { parts.append("WKST=\(Weekday(weekStart))") }
    if clampsMonthDays { parts = ["RSCALE=GREGORIAN"] + parts + ["SKIP=BACKWARD"] }
    return parts.joined(separator: ";")
  }

  private static func list(_ values: [some CustomStringConvertible]) -> String {
    values.map(\.description).joined(separator: ",")
  }
}

extension RecurrenceRule.Weekday: CustomStringConvertible {
  /// The text form in `BYDAY`, such as `MO` or `-1FR`.
  public var description: String {
    let name = Self.names.indices.contains(day) ? Self.names[day] : "?"
    return ordinal == 0 ? name : "\(ordinal)\(name)"
  }

  fileprivate static let names = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"]
}

/// The parts of a rule's text, by name.
private struct RuleParts {
  private enum Part: String, CaseIterable {
    case frequency = "FREQ"
    case interval = "INTERVAL"
    case months = "BYMONTH"
    case monthDays = "BYMONTHDAY"
    case weekdays = "BYDAY"
    case count = "COUNT"
    case until = "UNTIL"
    case weekStart = "WKST"
    case calendar = "RSCALE"
    case skip = "SKIP"
  }

  private var values: [Part: Substring] = [:]

  /// Adds a part such as `FREQ=DAILY`.
  mutating func add(_ field: Substring) throws(RecurrenceRule.Violation) {
    guard let equals = field.firstIndex(of: "="), equals > field.startIndex else {
      throw RecurrenceRule.Violation("has '\(field.prefix(32))' where a part such as FREQ=DAILY is expected")
    }
    let name = field[..<equals]
    guard let part = Part(rawValue: String(name)) else {
      let names = Part.allCases.map(\.rawValue).joined(separator: ", ")
      throw RecurrenceRule.Violation("has the part \(name.prefix(32)), which is not supported; the parts are \(names)")
    }
    guard values.updateValue(field[equals...].dropFirst(), forKey: part) == nil else {
      throw RecurrenceRule.Violation("has the part \(name) twice")
    }
  }

  /// Returns the rule, whose numbers are not validated.
  func rule() throws(RecurrenceRule.Violation) -> RecurrenceRule {
    guard let frequency = values[.frequency] else {
      throw RecurrenceRule.Violation("must have FREQ=DAILY, WEEKLY, MONTHLY or YEARLY")
    }
    guard let unit = RecurrenceRule.Frequency(rawValue: frequency.lowercased()) else {
      throw refusal(.frequency, "DAILY, WEEKLY, MONTHLY or YEARLY")
    }
    let rule = RecurrenceRule(
      unit, interval: try number(.interval) ?? 1,
      weekdays: try list(.weekdays, "days such as MO or -1FR", Self.weekday),
      monthDays: try list(.monthDays, "days of the month", Self.signedNumber),
      months: try list(.months, "numbers of months", Self.number), end: try end(), weekStart: try weekStart(),
      clampsMonthDays: try clampsMonthDays())
    return rule.canonical
  }

  private func refusal(_ part: Part, _ expected: String) -> RecurrenceRule.Violation {
    RecurrenceRule.Violation(part.rawValue, values[part] ?? "", mustBe: expected)
  }

  private func number(_ part: Part) throws(RecurrenceRule.Violation) -> Int? {
    guard let text = values[part] else { return nil }
    guard let number = Self.number(text) else { throw refusal(part, "a number") }
    return number
  }

  private func list<Element>(
    _ part: Part, _ expected: String, _ parse: (Substring) -> Element?
  ) throws(RecurrenceRule.Violation) -> [Element] {
    guard let text = values[part] else { return [] }
    let fields = text.split(separator: ",", omittingEmptySubsequences: false)
    let elements = fields.compactMap(parse)
    guard elements.count == fields.count else { throw refusal(part, expected) }
    return elements
  }

  private func end() throws(RecurrenceRule.Violation) -> RecurrenceRule.End? {
    if let text = values[.until] {
      guard values[.count] == nil else { throw RecurrenceRule.Violation("must not have both COUNT and UNTIL") }
      guard let until = Self.until(text) else {
        throw refusal(.until, "a date such as 20261231, or a time in UTC such as 20261231T225959Z")
      }
      return .until(until)
    }
    return try number(.count).map(RecurrenceRule.End.count)
  }

  private func weekStart() throws(RecurrenceRule.Violation) -> Int {
    guard let text = values[.weekStart] else { return 0 }
    guard let day = Self.weekday(text), day.ordinal == 0 else { throw refusal(.weekStart, "a day such as MO") }
    return day.day
  }

  private func clampsMonthDays() throws(RecurrenceRule.Violation) -> Bool {
    if let calendar = values[.calendar], calendar != "GREGORIAN" { throw refusal(.calendar, "GREGORIAN") }
    guard let skip = values[.skip] else { return false }
    guard values[.calendar] != nil else { throw RecurrenceRule.Violation("must have RSCALE=GREGORIAN with SKIP") }
    guard ["OMIT", "BACKWARD"].contains(skip) else { throw refusal(.skip, "OMIT or BACKWARD") }
    return skip == "BACKWARD"
  }

  // MARK: Values

  /// Returns a number of at most 6 digits.
  private static func number(_ text: Substring) -> Int? {
    text.utf8.count <= 6 && text.utf8.allSatisfy(isDigit) ? Int(text) : nil
  }

  private static func signedNumber(_ text: Substring) -> Int? {
    guard text.first == "-" || text.first == "+" else { return number(text) }
    return number(text.dropFirst()).map { text.first == "-" ? -$0 : $0 }
  }

  private static func weekday(_ text: Substring) -> RecurrenceRule.Weekday? {
    guard let day = RecurrenceRule.Weekday.names.firstIndex(of: String(text.suffix(2))) else { return nil }
    let digits = text.dropLast(2)
    guard !digits.isEmpty else { return RecurrenceRule.Weekday(day) }
    guard let ordinal = signedNumber(digits), ordinal != 0 else { return nil }
    return RecurrenceRule.Weekday(day, ordinal: ordinal)
  }

  private static func until(_ text: Substring) -> DueDate? {
    var fields = TextFields(String(text))
    guard let year = fields.number(digits: 4), let month = fields.number(digits: 2), let day = fields.number(digits: 2),
      let date = CalendarDate(year: year, month: month, day: day)
    else { return nil }
    if fields.isAtEnd { return .date(date) }
    guard fields.skip("T"), let hour = fields.number(digits: 2), hour < 24, let minute = fields.number(digits: 2),
      minute < 60, let second = fields.number(digits: 2), second < 60, fields.skip("Z"), fields.isAtEnd
    else { return nil }
    // In UTC, the time since the epoch is that of the local time.
    let local = LocalTime(date, TimeOfDay(hour: hour, minute: minute, second: second))
    return .time(Timestamp(microseconds: local.microseconds))
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
}

extension CalendarDate {
  /// The date as in `20261231`.
  fileprivate var digits: String { decimal(year, digits: 4) + decimal(month, digits: 2) + decimal(day, digits: 2) }
}

extension Timestamp {
  /// The time as in `20261231T225959Z`.
  fileprivate var digits: String {
    let local = LocalTime(microseconds: microseconds)
    let seconds = Int(local.time.microseconds / 1_000_000)
    let time = [seconds / 3600, seconds / 60 % 60, seconds % 60].map { decimal($0, digits: 2) }.joined()
    return "\(local.date?.digits ?? "")T\(time)Z"
  }
}
