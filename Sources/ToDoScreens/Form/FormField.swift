import ToDoModel
import ToDoText

/// A field of the input form, in the order of the form.
package enum FormField: Int, CaseIterable, Sendable {
  case title, due, repetition, wait, remind, tags, priority, steps, place, address, note

  var label: String {
    switch self {
    case .title: "title"
    case .due: "due"
    case .repetition: "repeat"
    case .wait: "wait"
    case .remind: "remind"
    case .steps: "steps"
    case .tags: "tags"
    case .priority: "priority"
    case .place: "place"
    case .address: "address"
    case .note: "note"
    }
  }

  /// The maximum size of the text in bytes of UTF-8.
  var limit: Int {
    switch self {
    case .title: ItemContent.Limits.title
    case .due, .wait: Self.dueLimit
    case .repetition: RecurrenceRule.Limits.text
    case .remind: ItemContent.Limits.reminders * Self.reminderLimit
    case .steps: ItemContent.Limits.steps * (ItemContent.Limits.step + 5)
    case .tags: ItemContent.Limits.tags * (ItemContent.Limits.tag + 2)
    case .priority: Self.priorityLimit
    case .place: ItemContent.Limits.locationName
    case .address: ItemContent.Limits.locationAddress
    case .note: ItemContent.Limits.itemDescription
    }
  }

  var isMultiline: Bool { self == .note || self == .steps }

  /// Whether the field is the last of one line, in which Enter saves.
  var isLastLine: Bool { self == .address }

  /// The next field, or `nil` after the last.
  var next: FormField? { FormField(rawValue: rawValue + 1) }
  /// The field before this one, or `nil` before the first.
  var previous: FormField? { FormField(rawValue: rawValue - 1) }

  /// Longer than every form of a date.
  private static let dueLimit = 256
  /// Longer than every form of a reminder, with a comma after it.
  private static let reminderLimit = 64
  /// Longer than every form of a priority.
  private static let priorityLimit = 16
}

extension EditForm {
  /// The text of a field of the input form.
  subscript(text field: FormField) -> String {
    get { field.key.map { self[$0] } ?? note }
    set { if let key = field.key { self[key] = newValue } else { note = newValue } }
  }
}

extension FormField {
  /// The field of an `EditForm`, or `nil` for the note.
  fileprivate var key: EditForm.Field? {
    switch self {
    case .title: .title
    case .due: .due
    case .repetition: .repetition
    case .wait: .wait
    case .remind: .remind
    case .steps: .steps
    case .tags: .tags
    case .priority: .priority
    case .place: .place
    case .address: .address
    case .note: nil
    }
  }
}
