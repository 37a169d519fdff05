package import ToDoModel

/// Parses the value of the filter `--due`.
///
/// | form | meaning |
/// | --- | --- |
/// | `none` | no due date |
/// | `overdue` | past due dates |
/// | `week` | today and the seven days after it |
/// | `today`, `28 nov` | the day |
/// | `weekend`, `next week`, `this month` | all days of the span |
/// | `before WHEN`, `after WHEN` | up to or from a day, a span or a time, which is not included |
/// | `mon..fri`, `28 nov..` | from one day to another, which are included |
package struct DueFilterParser {
  let dates: DueDateParser

  /// Creates a parser that parses dates with another one.
  package init(dates: DueDateParser) {
    self.dates = dates
  }

  /// The accepted values, for help and errors.
  package static let acceptedForms =
    "a day, weekend, week, 'next month', mon..fri, 'before <when>', 'after <when>', overdue or none"

  /// Parses a filter.
  ///
  /// - Throws: `InvalidText`, `DueDateError`.
  package func parse(_ text: String) throws -> DueFilter {
    let words = text.lowercased().split(whereSeparator: \.isWhitespace)
    switch words.first {
    case "none" where words.count == 1: return .unset
    case "overdue" where words.count == 1: return .within(DueRange(end: dates.now, endDate: dates.today))
    case "week" where words.count == 1: return try parse("today..+7d")
    case "before" where words.count == 1, "after" where words.count == 1:
      throw InvalidText(
        reason: "USAGE", description: "'--due \(words[0])' needs a date or time, as in '--due \"\(words[0]) fri\"'")
    default:
      guard let range = try dates.parseSpan(text) else {
        throw InvalidText(
          reason: "USAGE", description: "'\(text.escapingControls())' is a time, not a day; use \(Self.acceptedForms)")
      }
      return .within(range)
    }
  }
}
