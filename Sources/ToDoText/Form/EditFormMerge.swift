/// The changes that a user made in the form of an item while the item changed elsewhere.
package struct EditFormMerge: Equatable, Sendable {
  /// A field that changed elsewhere.
  fileprivate struct Conflict: Equatable {
    let name: String
    /// The current text, which can have several lines.
    let text: String
  }

  /// The item's current form with the user's changes.
  private var form: EditForm
  private var conflicts: [Conflict] = []

  /// Merges two forms.
  ///
  /// - Parameters:
  ///   - edited: the form as the user changed it.
  ///   - original: the form before that.
  ///   - current: the form of the item as it is now.
  package init(of edited: EditForm, from original: EditForm, to current: EditForm) {
    form = current
    var concerned: Set<EditForm.Field> = []
    for field in EditForm.Field.allCases where edited[field] != original[field] {
      form[field] = edited[field]
      concerned.formUnion(field.related)
    }
    for field in EditForm.Field.allCases where concerned.contains(field) {
      let text = current[field]
      guard text != original[field], text != edited[field] else { continue }
      conflicts.append(Conflict(name: field.rawValue, text: text))
    }
    guard !edited.hasSameNote(as: original) else { return }
    form.note = edited.note
    guard !current.hasSameNote(as: original), !current.hasSameNote(as: edited) else { return }
    conflicts.append(Conflict(name: "note", text: current.note))
  }

  /// The names of the fields that changed elsewhere, and which the user changed too or on which the user's changes depend.
  package var conflictingFields: [String] { conflicts.map(\.name) }

  /// The form's text. Its comments show the current values of conflicting fields.
  package var text: String {
    guard !conflicts.isEmpty else { return form.text }
    return form.text(
      withComments: [
        "These values have changed elsewhere since you opened the form. Check the form against them. If it is right",
        "as it is, delete these lines, and save it.",
      ] + conflicts.flatMap(\.lines))
  }
}

extension EditFormMerge.Conflict {
  /// The name and the current text.
  fileprivate var lines: [String] {
    let lines = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map {
      String(decoding: $0, as: UTF8.self)
    }
    if lines.count > 1 { return ["\(name):"] + lines.map { "  \($0)" } }
    return ["\(name): \(text.isEmpty ? "(empty)" : text)"]
  }
}

extension EditForm.Field {
  /// The field, and the fields from which its text has a part of its meaning.
  fileprivate var related: Set<EditForm.Field> {
    switch self {
    case .repetition, .remind: [self, .due]
    case .place, .address, .coordinate: [.place, .address, .coordinate]
    default: [self]
    }
  }
}
