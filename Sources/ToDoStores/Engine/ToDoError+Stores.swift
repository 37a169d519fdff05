package import ToDoModel

extension ToDoError {
  /// The store was closed before the call.
  package static let storeClosed = ToDoError.storeUnavailable(detail: "the store is closed")

  /// Another version of this program has migrated the database since it was opened.
  package static let schemaChanged = ToDoError.storeUnavailable(
    detail: "another version of this program has migrated the database")

  /// Another store has been copied into the database since it was opened.
  package static let storeReplaced = ToDoError.storeUnavailable(
    detail: "another store has been copied into the database")
}
