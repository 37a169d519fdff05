import ToDoModel

/// What the user has typed into a form that is not saved yet.
struct FormDraft: Equatable, Sendable {
  /// The item that the form edits, or `nil` if it adds one.
  var item: ItemID?
  /// The revision of the item that the user began to edit, or `nil` if it is unknown.
  var revision: Revision?
  /// The texts of the fields. A coordinate is not among the fields of the form.
  var form: EditForm
  /// The place that the user has chosen for the address, or `nil` to leave it to the service.
  var place: ChosenPlace?
  /// Whether the title is the line of a new item, which has no other fields.
  var isLine = false
}

/// A place that the user has chosen among the candidates for an address.
struct ChosenPlace: Equatable, Sendable {
  var coordinate: Coordinate
  /// The candidate's geocoder and precision, or `nil` if they are unknown.
  var provenance: Location.Provenance?
  /// The name of the candidate, in one line.
  var name: String
}
