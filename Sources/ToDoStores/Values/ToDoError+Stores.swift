package import ToDoModel

extension ToDoError {
  /// The store was closed before the call.
  package static let storeClosed = ToDoError.storeUnavailable(detail: "the store is closed")
}
