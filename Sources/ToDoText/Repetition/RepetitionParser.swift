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
  /// The current time and the user's time zone.
  let dates: DueDateParser
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

  /// Parses a repetition.
  ///
  /// - Returns: `nil` for `none`.
  /// - Throws: `InvalidText` if the text has none of the forms.
  package func parse(_ text: String) throws -> ParsedRepetition? {
    throw InvalidText(reason: "USAGE", description: "'\(text.escapingControls())' is no repetition")
  }
}

/// A repetition that a user typed.
package struct ParsedRepetition: Equatable {
  /// The rule.
  package var rule: Repetition.Rule
  /// The first occurrence from now on, for an item without a due date; `nil` if the text is that of a rule of RFC 5545.
  package var due: DueDate?
}
