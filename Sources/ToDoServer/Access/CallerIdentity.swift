import ToDoModel
package import ToDoRPC

/// Identifies callers outside methods, such as when a page signs in.
package struct CallerIdentity: Sendable {
  private let access: any AccessControl

  /// Creates a value.
  package init(_ access: any AccessControl) { self.access = access }

  /// Returns the name of the user whose credentials a call presents; empty if the server needs none, and the call has none.
  ///
  /// - Throws: `RPCError` with the status `unauthenticated`, `resourceExhausted` or `unavailable`.
  package func user(of call: CallContext) async throws -> String {
    try await mappingErrors { try await access.grant(for: call).user }
  }
}
