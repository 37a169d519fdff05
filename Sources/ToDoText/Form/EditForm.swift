package import ToDoModel

/// The form that `todo edit` opens in an editor: the fields of an item as texts.
///
/// A text is empty if the field is not set.
package struct EditForm: Equatable, Sendable {
  /// A field with a line of its own. The raw value is the key of the line.
  package enum Field: String, CaseIterable, Sendable {
    case title, due, place, address, coordinate
  }

  private var values: [Field: String] = [:]
  /// The text after the fields.
  package var note = ""

  /// Creates an empty form.
  package init() {}

  /// Creates the form of an item's content. A coordinate that a geocoder found is not part of the form.
  package init(_ content: ItemContent, in zone: any TimeZoneRules) {
    self[.title] = content.title
    self[.due] = content.due?.absoluteText(in: zone) ?? ""
    self[.place] = content.location?.name ?? ""
    self[.address] = content.location?.address ?? ""
    self[.coordinate] = content.location?.givenCoordinate?.text ?? ""
    note = content.itemDescription ?? ""
  }

  /// The text of a field.
  package subscript(field: Field) -> String {
    get { values[field] ?? "" }
    set { values[field] = newValue.isEmpty ? nil : newValue }
  }
}
