// The fields of an item. A field is added with a case, a row, and a feature if earlier servers don't know it. Messages, rows of
// stores, content and edits name their fields themselves: see "A field of an item" in Sources/README.md.

extension FieldChange {
  /// The fields that a change can set, in the order in which a change lists them.
  @nonexhaustive
  public enum Field: String, CaseIterable, Sendable {
    /// The title.
    case title
    /// The note.
    case itemDescription = "description"
    /// The due date.
    case due
    /// The place's name.
    case placeName = "location.name"
    /// The place's address.
    case address = "location.address"
    /// The place's coordinate.
    case coordinate = "location.coordinate"
    /// The tags, as one text with spaces between them.
    case tags
    /// The priority, as a text.
    case priority
    /// The steps, as a text such as `3/7: [x] Pack`: the number of done ones, and the steps that differ.
    case steps
    /// The time until which the item waits.
    case waitUntil = "wait_time"
    /// The repetition, as a text such as `FREQ=DAILY Europe/Berlin` or `P3D`. If only the start or the missed count changed,
    /// they follow: `FREQ=DAILY Europe/Berlin from 2026-05-01, 2 missed`.
    case repetition
    /// The reminders with their states, as a text such as `PT1H; P1D 18:00 Europe/Berlin acknowledged 2026-05-01T16:00:00Z`.
    case reminders
    /// Whether the item is done.
    case done
  }
}

extension FieldChange.Field {
  /// The row of the field.
  package var row: ItemField {
    switch self {
    case .title: .title
    case .itemDescription: .itemDescription
    case .due: .due
    case .placeName: .placeName
    case .address: .address
    case .coordinate: .coordinate
    case .tags: .tags
    case .priority: .priority
    case .steps: .steps
    case .waitUntil: .waitUntil
    case .repetition: .repetition
    case .reminders: .reminders
    case .done: .done
    }
  }
}

// MARK: - Rows

extension ItemField {
  fileprivate static let title = ItemField(
    name: .title, label: "title", option: "title", key: "title", kind: .text,
    states: { .texts($0.title, $1.title) }, editing: .whole(\.title, \.title))

  fileprivate static let itemDescription = ItemField(
    name: .itemDescription, label: "note", option: "--note", key: "note", kind: .text,
    states: { .texts($0.itemDescription, $1.itemDescription) },
    editing: .optional(\.itemDescription, \.itemDescription), coding: .value(\.itemDescription))

  fileprivate static let due = ItemField(
    name: .due, label: "due", kind: .due,
    states: { .values($0.due.map(FieldChange.Value.due), $1.due.map(FieldChange.Value.due)) },
    editing: .optional(\.due, \.due))

  fileprivate static let placeName = ItemField(
    name: .placeName, label: "place", kind: .text, states: { .texts($0.location?.name, $1.location?.name) })

  fileprivate static let address = ItemField(
    name: .address, label: "address", kind: .text, states: { .texts($0.location?.address, $1.location?.address) })

  fileprivate static let coordinate = ItemField(
    name: .coordinate, label: "coordinate", kind: .coordinate,
    states: { former, item in
      .values(
        former.location?.coordinate.map(FieldChange.Value.coordinate),
        item.location?.coordinate.map(FieldChange.Value.coordinate))
    })

  fileprivate static let tags = ItemField(
    name: .tags, label: "tags", option: "--tag", key: "tags", kind: .text,
    states: { .texts(Tag.joined($0.tags), Tag.joined($1.tags)) },
    editing: .whole(\.tags, \.tags), coding: .list(\.tags),
    violations: { $0.tagViolations(at: $1) }, feature: .marks)

  fileprivate static let priority = ItemField(
    name: .priority, label: "priority", option: "--priority", key: "priority", kind: .text,
    states: { .texts($0.priority?.rawValue, $1.priority?.rawValue) },
    editing: .optional(\.priority, \.priority), coding: .value(\.priority), feature: .marks)

  fileprivate static let steps = ItemField(
    name: .steps, label: "steps", option: "--step", key: "steps", kind: .text,
    states: { .texts(of: Step.differences(from: $0.steps, to: $1.steps)) },
    editing: .whole(\.steps, \.steps), coding: .list(\.steps),
    violations: { $0.stepViolations(at: $1) }, feature: .steps)

  fileprivate static let waitUntil = ItemField(
    name: .waitUntil, label: "wait", option: "--wait", key: "waitTime", kind: .time,
    states: { .values($0.waitUntil.map { .due(.time($0)) }, $1.waitUntil.map { .due(.time($0)) }) },
    editing: .optional(\.waitUntil, \.waitUntil), coding: .description(\.waitUntil),
    violations: { $0.waitViolations(at: $1) }, feature: .waiting)

  fileprivate static let repetition = ItemField(
    name: .repetition, label: "repeat", option: "--repeat", key: "repetition", kind: .text,
    states: { .texts(of: Repetition.differences(from: $0.repetition, to: $1.repetition)) },
    editing: .optional(\.repetition, \.repetition), coding: .value(\.repetition),
    violations: { $0.repetition?.violations(due: $0.due, at: "\($1).repetition") ?? [] }, feature: .repetition)

  fileprivate static let reminders = ItemField(
    name: .reminders, label: "remind", option: "--remind", key: "reminders", kind: .text,
    states: { .texts(of: Reminder.differences(from: $0.reminders, to: $1.reminders)) },
    editing: .whole(\.reminders, \.reminders), coding: .list(\.reminders),
    violations: { $0.reminderViolations(at: $1) }, feature: .reminders)

  fileprivate static let done = ItemField(
    name: .done, label: "done", kind: .flag, states: { .values(.done($0.isDone), .done($1.isDone)) })
}

// MARK: - Features that earlier servers lack

extension ItemFeatures {
  /// Tags and priorities.
  package static let marks = ItemFeatures(rawValue: 1)
  /// Steps.
  package static let steps = ItemFeatures(rawValue: 2)
  /// Waiting.
  package static let waiting = ItemFeatures(rawValue: 4)
  /// Repetition.
  package static let repetition = ItemFeatures(rawValue: 8)
  /// Reminders.
  package static let reminders = ItemFeatures(rawValue: 512)

  /// The features that are fields.
  package static let ofFields = [
    Detail(.marks, .tagItems, reason: "TAGS_NOT_SUPPORTED", "tags and priorities"),
    Detail(.steps, .stepItems, reason: "STEPS_NOT_SUPPORTED", "steps"),
    Detail(.waiting, .waitItems, reason: "WAITING_NOT_SUPPORTED", "waiting"),
    Detail(.repetition, .repeatItems, reason: "REPETITION_NOT_SUPPORTED", "repetition"),
    Detail(.reminders, .remindItems, reason: "REMINDERS_NOT_SUPPORTED", "reminders"),
  ]
}

extension ServiceInfo.Capability {
  /// The service keeps the tags and priorities of items, and filters items by these.
  public static let tagItems = ServiceInfo.Capability("tag_items")
  /// The service keeps the steps of items.
  public static let stepItems = ServiceInfo.Capability("step_items")
  /// The service keeps the times until which items wait, and filters items by these.
  public static let waitItems = ServiceInfo.Capability("wait_items")
  /// The service keeps the repetitions of items, and moves items on when they are checked.
  public static let repeatItems = ServiceInfo.Capability("repeat_items")
  /// The service keeps the reminders of items.
  public static let remindItems = ServiceInfo.Capability("remind_items")
}

// MARK: - Parts of rows

extension Repetition {
  /// Returns the texts of two repetitions: with their starts and missed counts only if nothing else differs.
  fileprivate static func differences(from: Repetition?, to: Repetition?) -> (from: String?, to: String?) {
    guard let from, let to, from.summary == to.summary else { return (from?.summary, to?.summary) }
    return (from.details, to.details)
  }
}

extension Reminder {
  /// Returns the texts of two reminder lists, or none if the lists are equal.
  fileprivate static func differences(from: [Reminder], to: [Reminder]) -> (from: String?, to: String?) {
    from == to ? (nil, nil) : (summary(from), summary(to))
  }
}

extension ItemContent {
  fileprivate func waitViolations(at path: String) -> [FieldViolation] {
    guard let waitUntil, !Timestamp.supportedRange.contains(waitUntil) else { return [] }
    return [FieldViolation("\(path).wait_time", "must lie in the years 1 to 9999")]
  }
}
