import ToDoModel

/// A field that a change set, as a line of the history: `due  tomorrow 18:00 → Fri 27 Nov`.
struct FieldChangeLine {
  /// The field's name.
  let label: String
  private let from, to: String

  init(_ change: FieldChange, today: CalendarDate, zone: any TimeZoneRules) {
    label = change.field.row.label
    from = change.from?.text(of: change.field, today: today, in: zone) ?? Self.none
    to = change.to?.text(of: change.field, today: today, in: zone) ?? Self.none
  }

  /// Returns the line. If it does not fit, the longer value is truncated first.
  func text(labelWidth: Int, width: Int) -> String {
    let head = "  \(label.padded(toWidth: labelWidth))  "
    let room = max(2, width - head.displayWidth - Self.arrow.displayWidth)
    let (fromWidth, toWidth) = (from.displayWidth, to.displayWidth)
    let fromRoom = max(room / 2, room - toWidth)
    let toRoom = max(room - room / 2, room - fromWidth)
    let line = head + from.truncated(toWidth: fromRoom) + Self.arrow + to.truncated(toWidth: toRoom)
    return line.truncated(toWidth: width)
  }

  private static let arrow = " → "
  private static let none = "none"
}

extension FieldChange.Value {
  fileprivate func text(of field: FieldChange.Field, today: CalendarDate, in zone: any TimeZoneRules) -> String {
    switch self {
    case .text(let text) where field == .itemDescription:
      "'\(String(text.map { $0.isNewline ? " " : $0 }).escapingControls())'"
    // A long text is an excerpt, in which the first and the last tag may be cut.
    case .text(let text) where field == .tags:
      Tag.split(text).map { $0.hasPrefix("…") || $0.hasSuffix("…") ? $0.escapingControls() : TagText.text(of: [$0]) }
        .joined(separator: " ")
    case .text(let text) where field == .reminders:
      ReminderText.summary(text, today: today, in: zone).escapingControls()
    case .text(let text): text.escapingControls()
    case .due(let due): due.shortText(today: today, in: zone)
    case .coordinate(let coordinate): coordinate.text
    case .done(let isDone): isDone ? "yes" : "no"
    }
  }
}
