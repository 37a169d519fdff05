import ToDoModel

/// A value of `--due` that `DueDateParser` cannot parse.
package struct DueDateError: Error, Equatable, CustomStringConvertible {
  /// The value.
  package let text: String
  /// Whether the text has the unit `m`, which could be minutes or months.
  var isAmbiguous = false
  /// The text without its spelling mistakes, if these are why it could not be parsed.
  var correction: String?

  package var description: String { isAmbiguous ? shortText : shortText + "\nRun 'todo add --help' to see all forms" }

  /// The error on one line.
  package var shortText: String {
    let quoted = "'\(text.escapingControls())'"
    if isAmbiguous { return "\(quoted) is ambiguous; write 'min' for minutes or 'mo' for months" }
    let remedy = correction.map { "did you mean '\($0.escapingControls())'?" } ?? "write one such as 'tomorrow 17:00'"
    return "\(quoted) is not a date or time; \(remedy)"
  }

  /// The accepted forms, one per line.
  package static let acceptedForms = """
      today, tomorrow, weekend      a day
      fri, friday                   the first Friday after today
      next mon, next week           the Monday of next week
      eow, eom, end of year         the last day of the week, month or year
      28 nov, nov 28, 28.11., 3rd   the next such day; 28/11 in the order of $LANG
      2027-11-28, 28 nov 2027       a date
      first mon of may              the next such day
      3d, +1w, in 3 months, +1y     a day after today
      +2h, 90min, in 2 hours        a time after now
      17:00, 5pm, noon, midnight    a time today, or tomorrow if it has passed
      tonight, fri morning          20:00 today; 9:00, 15:00 or 18:00 of a day
      tomorrow 17:00, mon 9         a day and a time, in either order
      2026-05-01T17:00+02:00        ISO 8601; local time unless it has Z or an offset
    """
}
