package import ToDoModel
import ToDoQuickAdd

/// Parses the value of `--repeat`.
///
/// | form | meaning |
/// | --- | --- |
/// | `every tuesday 18:00`, `every 2 weeks on mon, thu`, `every first mon`, … | as in a sentence for `todo add` |
/// | `tuesdays`, `2 weeks`, `mon, thu` | the same without `every` |
/// | `3 days after done` | an interval that begins when the item was checked |
/// | `FREQ=WEEKLY;BYDAY=TU` | the text of a rule of RFC 5545, with or without `RRULE:` |
/// | `none` | no repetition |
package struct RepetitionParser {
  private let dates: DueDateParser
  private let reader: RepetitionReader

  /// Creates a parser.
  ///
  /// - Parameters:
  ///   - dates: the parser of due dates, with the current time and the user's time zone.
  ///   - locale: the user's locale, such as `de_DE`.
  package init(dates: DueDateParser, locale: String = "") {
    self.dates = dates
    reader = RepetitionReader(locale: locale)
  }

  /// The accepted values, for help and errors.
  package static let acceptedForms =
    "'every tuesday', 'every 2 weeks on mon, thu', 'every month on the 31st', '3 days after done', an RRULE, or none"

  /// Parses a repetition.
  ///
  /// - Returns: `nil` for `none`.
  /// - Throws: `InvalidText` if the text has none of the forms.
  package func parse(_ text: String) throws -> ParsedRepetition? {
    let key = text.lowercased().filter { !$0.isWhitespace }
    if key == "none" { return nil }
    if key.hasPrefix("freq=") || key.hasPrefix("rrule:") || key.contains(";freq=") { return try rule(text) }
    let quoted = "'\(text.escapingControls())'"
    switch reader.read(text, today: dates.today, now: dates.minute) {
    case .rule(let rule, let first):
      return ParsedRepetition(writtenRule: rule, due: dates.dueDate(first), isExplicit: false, in: dates.zone)
    case .ambiguous: throw Self.error("\(quoted) can mean more than one repetition, or more than one time")
    case .past: throw Self.error("\(quoted) begins or ends in the past")
    case .unrepeatable(let words, let reason):
      throw Self.error("'\(words.escapingControls())' \(reason.text)")
    case .unread(let words):
      let unread = words == text ? quoted : "'\(words.escapingControls())' in \(quoted)"
      throw Self.error("\(unread) is not a repetition; use \(Self.acceptedForms)")
    }
  }

  /// Parses the text of a rule, which begins on its first day from today on.
  private func rule(_ text: String) throws -> ParsedRepetition {
    let trimmed = text.filter { !$0.isWhitespace }
    let isPrefixed = trimmed.lowercased().hasPrefix("rrule:")
    let rule: RecurrenceRule
    do {
      rule = try RecurrenceRule(parsing: String(isPrefixed ? trimmed.dropFirst(6) : trimmed[...]))
    } catch {
      throw Self.error("'\(text.escapingControls())' \(error.reason)")
    }
    let first = dates.today.first(of: rule, in: dates.zone)
    if let end = rule.end, case .until(let last) = end, let first, last.date(in: dates.zone).map({ $0 < first }) == true
    {
      throw Self.error("'\(text.escapingControls())' ends before its first day, \(first)")
    }
    return ParsedRepetition(
      writtenRule: .calendar(rule), due: first.map(DueDate.date), isExplicit: true, in: dates.zone)
  }

  private static func error(_ description: String) -> InvalidText {
    InvalidText(reason: "USAGE", description: description)
  }
}

/// A repetition that a user typed.
package struct ParsedRepetition: Equatable {
  /// The rule of an item that is first due on `due`.
  package let rule: Repetition.Rule
  /// The first occurrence from now on, for an item without a due date; `nil` if there is none.
  package let due: DueDate?
  private let writtenRule: Repetition.Rule
  /// Whether the text is a rule, which is taken as it is.
  private let isExplicit: Bool

  init(writtenRule: Repetition.Rule, due: DueDate?, isExplicit: Bool, in zone: any TimeZoneRules) {
    (self.writtenRule, self.due, self.isExplicit) = (writtenRule, due, isExplicit)
    rule = Self.rule(writtenRule, isExplicit, from: due, in: zone)
  }

  /// Returns the rule of an item that is first due on another date. In words, `every month` from the 31st on is the last day of
  /// shorter months, and `every year` from 29 February on is 28 February.
  package func rule(from first: DueDate?, in zone: any TimeZoneRules) -> Repetition.Rule {
    first == nil ? rule : Self.rule(writtenRule, isExplicit, from: first, in: zone)
  }

  private static func rule(
    _ rule: Repetition.Rule, _ isExplicit: Bool, from first: DueDate?, in zone: any TimeZoneRules
  ) -> Repetition.Rule {
    guard !isExplicit, let day = first?.date(in: zone) else { return rule }
    return rule.keepingDay(of: day)
  }
}

extension Repetition {
  /// Returns the first of the rule's days on a due date's day or later, or `nil` if that is the day itself, or the rule names
  /// none.
  package func firstDay(after due: DueDate, in zone: any TimeZoneRules) -> CalendarDate? {
    guard case .calendar(let rule) = rule, let day = due.date(in: zone) else { return nil }
    let first = day.first(of: rule, in: zone)
    return first == day ? nil : first
  }
}

extension CalendarDate {
  /// Returns this day, or the first one after it, that is one of a rule's days. The interval counts from there.
  fileprivate func first(of rule: RecurrenceRule, in zone: any TimeZoneRules) -> CalendarDate? {
    let isOfItsStart = rule.weekdays.isEmpty && rule.monthDays.isEmpty
    if isOfItsStart, rule.months.isEmpty || rule.months.contains(month) { return self }
    // Its start counts as an occurrence.
    guard let start = isOfItsStart ? self : adding(days: -1) else { return nil }
    var days = rule
    (days.interval, days.end) = (1, nil)
    return Repetition(.calendar(days)).occurrences(after: .date(start), limit: 1, in: zone).first?.date(in: zone)
  }
}
