import ToDoModel

/// What the user has typed into a form that is not saved yet.
struct FormDraft: Equatable, Sendable {
  /// The item that the form edits, or `nil` if it adds one.
  var item: ItemID?
  /// The revision of the item that the user began to edit, or `nil` if it is unknown.
  var revision: Revision?
  /// The texts of the fields. A coordinate is not among the fields of the form.
  var form: EditForm
}
