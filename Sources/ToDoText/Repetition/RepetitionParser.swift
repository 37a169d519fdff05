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
    case .rule(let rule, let first): return ParsedRepetition(rule: rule, due: dates.dueDate(first))
    case .ambiguous: throw Self.error("\(quoted) can mean more than one repetition, or more than one time")
    case .past: throw Self.error("\(quoted) begins or ends in the past")
    case .unrepeatable(let words, let reason):
      throw Self.error("'\(words.escapingControls())' \(reason.text)")
    case .unread(let words):
      let unread = words == text ? quoted : "'\(words.escapingControls())' in \(quoted)"
      throw Self.error("\(unread) is not a repetition; use \(Self.acceptedForms)")
    }
  }

  /// Parses the text of a rule.
  private func rule(_ text: String) throws -> ParsedRepetition {
    let trimmed = text.filter { !$0.isWhitespace }
    let isPrefixed = trimmed.lowercased().hasPrefix("rrule:")
    do {
      let rule = try RecurrenceRule(parsing: String(isPrefixed ? trimmed.dropFirst(6) : trimmed[...]))
      return ParsedRepetition(rule: .calendar(rule))
    } catch {
      throw Self.error("'\(text.escapingControls())' \(error.reason)")
    }
  }

  private static func error(_ description: String) -> InvalidText {
    InvalidText(reason: "USAGE", description: description)
  }
}

/// A repetition that a user typed.
package struct ParsedRepetition: Equatable {
  /// The rule.
  package var rule: Repetition.Rule
  /// The first occurrence from now on, for an item without a due date; `nil` if the text is that of a rule of RFC 5545.
  package var due: DueDate?
}
