import ToDoModel

extension EditForm {
  /// A field with its own line. The raw value is the line's key, and the label in `todo ui`.
  package enum Field: String, CaseIterable, Sendable {
    case title, due
    case repetition = "repeat"
    case wait, remind, tags, priority, steps, place, address, coordinate

    /// Whether the text can have several lines, each of which is an element of a list.
    package var isList: Bool { self == .steps }
  }
}

/// A field's texts, in one row: the forms of `todo edit` and `todo ui`, an item's details, and JSON.
package struct FieldText: Sendable {
  /// The explanation above the line of the field in `todo edit`.
  var comment: String?
  /// The maximum size of the text in `todo ui`, in bytes of UTF-8; `nil` if its form does not have the field.
  package var limit: Int?
  /// Returns the text of content, which is empty if the field is not set.
  let text: @Sendable (ItemContent, any TimeZoneRules) -> String
  /// Sets the field in an edit to a text that the user has changed; `nil` if that depends on other fields.
  var edit: (@Sendable (_ text: String, DueDateParser, inout ItemEdit) throws -> Void)?
  /// Returns the lines in the details of an item; `nil` if `ItemDetails` prints the field elsewhere.
  var details: (@Sendable (ItemDetails) -> [ItemDetails.Field])?
  /// Returns the members in JSON; `nil` if JSON has the field elsewhere.
  var json: (@Sendable (ItemContent) -> [JSONValue.Member])?
}

// MARK: - Orders

extension FieldText {
  /// The fields in the order of an item's details.
  static let inDetails: [FieldText] = [due, repetition, wait, remind, priority, tags]
  /// The fields in the order of JSON, after the place. New ones are the last.
  static let inJSON: [FieldText] = [tags, priority, steps, wait, repetition, remind]
}

extension EditForm.Field {
  /// The row of the field.
  package var row: FieldText {
    switch self {
    case .title: .title
    case .due: .due
    case .repetition: .repetition
    case .wait: .wait
    case .remind: .remind
    case .tags: .tags
    case .priority: .priority
    case .steps: .steps
    case .place: .place
    case .address: .address
    case .coordinate: .coordinate
    }
  }
}

// MARK: - Rows

extension FieldText {
  fileprivate static let title = FieldText(
    limit: ItemContent.Limits.title, text: { content, _ in content.title }, edit: { $2.title = $0 })

  fileprivate static let due = FieldText(
    comment: "A date or time: 'tomorrow 17:00', fri, 'next week', 3d, 28 nov, 2026-05-01, ...", limit: dateLimit,
    text: { $0.due?.absoluteText(in: $1) ?? "" },
    edit: { text, parser, edit in edit.due = try FieldEdit(text) { try parser.parse($0) } },
    details: { details in
      let due = details.item.due.map { $0.absoluteText(in: details.zone) + (details.isOverdue ? " (overdue)" : "") }
      return [("due", due)]
    })

  fileprivate static let repetition = FieldText(
    comment: "How the item repeats: 'every tuesday', '2 weeks', '3 days after done', ...",
    limit: RecurrenceRule.Limits.text, text: { $0.repetition?.rule.words(in: $1) ?? "" },
    details: { [("repeats", $0.item.repetition?.text(in: $0.zone)), ("next", $0.nextDates)] },
    json: { [.init("repetition", $0.repetition.map(JSONValue.init) ?? .null)] })

  fileprivate static let wait = FieldText(
    comment: "The date or time until which lists hide the item.", limit: dateLimit,
    text: { $0.waitUntil?.waitDate(in: $1).absoluteText(in: $1) ?? "" },
    edit: { text, parser, edit in edit.waitUntil = try FieldEdit(text) { try parser.parseMoment($0) } },
    details: { details in
      let (item, zone) = (details.item, details.zone)
      let isOver = !item.isDone && !item.isWaiting(at: details.now)
      let wait = item.waitUntil.map { $0.waitDate(in: zone).absoluteText(in: zone) + (isOver ? " (over)" : "") }
      return [("waits until", wait)]
    },
    json: { [.init("waitTime", .optional($0.waitUntil?.description))] })

  fileprivate static let remind = FieldText(
    comment: "1h, 'day before 18:00', 'in 2h', arriving, ..., with commas between them.",
    limit: ItemContent.Limits.reminders * reminderLimit, text: { ReminderText.list($0.reminders, in: $1) },
    details: { details in
      let reminders = details.item.reminders.map {
        ReminderText.details(of: $0, today: details.today, in: details.zone)
      }
      return [("reminds", reminders.isEmpty ? nil : reminders.joined(separator: ", "))]
    },
    json: { [.init("reminders", .array($0.reminders.map(JSONValue.init)))] })

  fileprivate static let tags = FieldText(
    comment: "Words such as errands or work/urgent, with blanks between them.",
    limit: ItemContent.Limits.tags * (ItemContent.Limits.tag + 2),
    text: { content, _ in content.tags.joined(separator: " ") }, edit: { $2.tags = try TagText.parse($0) },
    details: { [("tags", $0.item.tags.isEmpty ? nil : TagText.text(of: $0.item.tags))] },
    json: { [.init("tags", .array($0.tags.map(JSONValue.string)))] })

  fileprivate static let priority = FieldText(
    comment: "low, medium or high.", limit: priorityLimit, text: { content, _ in content.priority?.rawValue ?? "" },
    edit: { text, _, edit in edit.priority = try priorityEdit(text) },
    details: { [("priority", $0.item.priority?.rawValue)] },
    json: { [.init("priority", .optional($0.priority?.rawValue))] })

  fileprivate static let steps = FieldText(
    comment: "A line for each step, such as '- [ ] Buy paint', or '- [x] Buy paint' if it is done.",
    limit: ItemContent.Limits.steps * (ItemContent.Limits.step + 5),
    text: { content, _ in StepText.text(of: content.steps) }, edit: { $2.steps = StepText.parse($0) },
    json: { content in
      let steps = content.steps.map {
        JSONValue.object([.init("text", .string($0.text)), .init("done", .bool($0.isDone))])
      }
      return [.init("steps", .array(steps))]
    })

  fileprivate static let place = FieldText(
    comment: "The name of the place.", limit: ItemContent.Limits.locationName,
    text: { content, _ in content.location?.name ?? "" })

  fileprivate static let address = FieldText(
    comment: "The postal address of the place. Its coordinate is looked up unless you set one.",
    limit: ItemContent.Limits.locationAddress, text: { content, _ in content.location?.address ?? "" })

  fileprivate static let coordinate = FieldText(
    comment: "The degrees north and east, such as 52.52,13.405.",
    text: { content, _ in content.location?.givenCoordinate?.text ?? "" })

  /// An empty text means the same as `none`.
  private static func priorityEdit(_ text: String) throws -> FieldEdit<Priority> {
    guard !text.isEmpty, let priority = try Priority.parse(text) else { return .clear }
    return .set(priority)
  }

  /// Longer than every form of a date.
  private static let dateLimit = 256
  /// Longer than every form of a reminder, with a comma after it.
  private static let reminderLimit = 64
  /// Longer than every form of a priority.
  private static let priorityLimit = 16
}

extension FieldEdit {
  /// Creates an edit that sets what a text means, or clears the field if the text is empty.
  init(_ text: String, _ parse: (String) throws -> Value) rethrows {
    self = text.isEmpty ? .clear : .set(try parse(text))
  }
}
