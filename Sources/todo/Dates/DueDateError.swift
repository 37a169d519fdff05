/// A value of `--due` that `DueDateParser` cannot parse.
struct DueDateError: Error, Equatable, CustomStringConvertible {
  let text: String

  var description: String {
    """
    '\(text.escapingControls())' is not a date or time; use one of these forms:
    \(Self.acceptedForms)
    """
  }

  /// The accepted forms, one per line.
  static let acceptedForms = """
      today, tomorrow, yesterday    a day
      fri, friday                   the first Friday after today
      next mon                      the Monday of next week
      2026-05-01                    a date
      +3d, +1w, in 3 days           days or weeks from today
      +2h, +30m, in 2 hours         hours or minutes from now
      17:00, 5pm, noon, midnight    a time today, or tomorrow if it has passed
      tomorrow 17:00, fri at 5pm    a day and a time
      2026-05-01T17:00+02:00        ISO 8601; local time unless it has Z or an offset
    """
}
