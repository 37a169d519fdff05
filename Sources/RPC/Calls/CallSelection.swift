/// The calls on a connection that a CancelCall cancels.
package struct CallSelection: Equatable, Sendable {
  /// The stream of a call.
  package var stream: StreamID?
  /// The full name of a method, `todo.v1.ToDoService/WatchItems`: all its calls are selected.
  package var method: String?

  package init(stream: StreamID? = nil, method: String? = nil) {
    self.stream = stream
    self.method = method
  }
}
