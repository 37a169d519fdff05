package import ToDoModel
package import ToDoText

/// The texts that the user has typed into a form, before it is saved.
package struct FormDraft: Equatable, Sendable {
  /// The item that the form edits, or `nil` if it adds one.
  package var item: ItemID?
  /// The revision of the item that the user began to edit, or `nil` if it is unknown.
  package var revision: Revision?
  /// The texts of the fields. A coordinate is not among the form's fields.
  package var form: EditForm
  /// The place that the user has chosen for the address, or `nil` to leave it to the service.
  package var place: ChosenPlace?
  /// Whether the title is the line of a new item, which has no other fields.
  package var isLine = false
  /// The list in which the draft was begun; `nil` for the default one.
  package var list: DraftList?

  /// Creates a draft.
  package init(
    item: ItemID? = nil, revision: Revision? = nil, form: EditForm, place: ChosenPlace? = nil, isLine: Bool = false,
    list: DraftList? = nil
  ) {
    (self.item, self.revision, self.form, self.place, self.isLine) = (item, revision, form, place, isLine)
    self.list = list
  }
}

/// A list, other than the default one, in which a draft was begun.
package struct DraftList: Equatable, Sendable {
  /// The ID.
  package var id: ListID
  /// The name at that time.
  package var name: String

  /// Creates a value.
  package init(id: ListID, name: String) {
    (self.id, self.name) = (id, name)
  }
}

/// A place that the user has chosen among the candidates for an address.
package struct ChosenPlace: Equatable, Sendable {
  /// The candidate's coordinate.
  package var coordinate: Coordinate
  /// The candidate's geocoder and precision, or `nil` if they are unknown.
  package var provenance: Location.Provenance?
  /// The name of the candidate, in one line.
  package var name: String

  /// Creates a chosen place.
  package init(coordinate: Coordinate, provenance: Location.Provenance? = nil, name: String) {
    (self.coordinate, self.provenance, self.name) = (coordinate, provenance, name)
  }
}
