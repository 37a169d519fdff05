import ToDoRPC

/// A request that completed or failed.
struct CompletedRequest: Equatable {
  var operation: Operation
  var due: Nanoseconds
  var sent: Nanoseconds
  var ended: Nanoseconds
  /// `ok`, or the code of the error.
  var code: StatusCode = .ok
}
