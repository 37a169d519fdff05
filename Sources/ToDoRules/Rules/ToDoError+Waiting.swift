package import ToDoModel

extension ToDoError {
  /// The owner has too many waiting reads or writes. A second suffices to serve most of a full queue.
  package static let tooManyWaiting = ToDoError.listBusy(retryAfter: .seconds(1))
}
