/// The full name of a method.
package struct MethodName: Hashable, Sendable {
  /// With its package: `todo.v1.ToDoService`.
  package let service: String
  package let method: String

  package init(service: String, method: String) {
    self.service = service
    self.method = method
  }
}

extension MethodName: CustomStringConvertible {
  package var description: String { "\(service)/\(method)" }
}
