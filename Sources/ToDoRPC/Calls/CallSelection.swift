/// The calls of a connection that a `CancelCall` request cancels.
package struct CallSelection: Equatable, Sendable {
  /// The stream of one call.
  package var stream: UInt32?
  /// The full name of a method, for example `todo.v1.ToDoService/WatchItems`, to select all its calls.
  package var method: String?

  /// Creates a selection.
  package init(stream: UInt32? = nil, method: String? = nil) {
    self.stream = stream
    self.method = method
  }
}
