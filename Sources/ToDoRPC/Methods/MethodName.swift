/// The full name of a method.
package struct MethodName: Hashable, Sendable {
  /// The full name of the service, for example `todo.v1.ToDoService`.
  package let service: String
  /// The name of the method within its service.
  package let method: String

  /// Creates a name.
  package init(service: String, method: String) {
    self.service = service
    self.method = method
  }
}

extension MethodName: CustomStringConvertible {
  package var description: String { "\(service)/\(method)" }
}
