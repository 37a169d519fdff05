import ToDoModel
import ToDoText

/// A field of the input form: a field of `EditForm`, or the note after them.
package struct FormField: Hashable, CaseIterable, Sendable {
  /// The position in the form.
  let rawValue: Int

  private init(rawValue: Int) { self.rawValue = rawValue }

  private init(_ key: EditForm.Field) { rawValue = Self.keys.firstIndex(of: key) ?? Self.keys.count }

  package static let title = FormField(EditForm.Field.title)
  package static let due = FormField(EditForm.Field.due)
  package static let repetition = FormField(EditForm.Field.repetition)
  package static let wait = FormField(EditForm.Field.wait)
  package static let remind = FormField(EditForm.Field.remind)
  package static let tags = FormField(EditForm.Field.tags)
  package static let priority = FormField(EditForm.Field.priority)
  package static let steps = FormField(EditForm.Field.steps)
  package static let place = FormField(EditForm.Field.place)
  package static let address = FormField(EditForm.Field.address)
  package static let note = FormField(rawValue: keys.count)

  /// All fields, in the order of the form.
  package static let allCases = (0...keys.count).map(FormField.init(rawValue:))

  private static let keys = EditForm.Field.allCases.filter { $0.row.limit != nil }

  /// The field of an `EditForm`, or `nil` for the note.
  fileprivate var key: EditForm.Field? { rawValue < Self.keys.count ? Self.keys[rawValue] : nil }

  var label: String { key?.rawValue ?? "note" }

  /// The maximum size of the text, in bytes of UTF-8.
  var limit: Int { key?.row.limit ?? ItemContent.Limits.itemDescription }

  var isMultiline: Bool { key?.isList ?? true }

  /// Whether the field is the last of one line, in which Enter saves.
  var isLastLine: Bool { self == .address }

  /// The next field, or `nil` after the last.
  var next: FormField? { self == .note ? nil : FormField(rawValue: rawValue + 1) }
  /// The field before this one, or `nil` before the first.
  var previous: FormField? { rawValue == 0 ? nil : FormField(rawValue: rawValue - 1) }
}

extension EditForm {
  /// The text of a field in the input form.
  subscript(text field: FormField) -> String {
    get { field.key.map { self[$0] } ?? note }
    set { if let key = field.key { self[key] = newValue } else { note = newValue } }
  }
}
