/// The server's side of a stream, whatever wire it is on.
package struct OutgoingMessages: Sendable {
  private let write: @Sendable (OutgoingMessage) async throws -> Void

  /// - Parameter write: sends one message; returns when there is room for another.
  package init(write: @escaping @Sendable (OutgoingMessage) async throws -> Void) {
    self.write = write
  }

  /// Sends one message; returns when the connection can take another, so a slow reader slows its own stream down.
  ///
  /// - Throws: `RPCError` when the stream has ended, `CancellationError` when its handler was cancelled.
  package func send(_ message: OutgoingMessage) async throws {
    try Task.checkCancellation()
    try await write(message)
  }
}
