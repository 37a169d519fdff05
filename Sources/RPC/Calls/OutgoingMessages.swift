/// The server's side of a stream, independent of the transport.
package struct OutgoingMessages: Sendable {
  private let write: @Sendable (OutgoingMessage) async throws -> Void

  /// Creates the server's side of a stream.
  ///
  /// - Parameter write: sends one message, and returns when the stream can take another.
  package init(write: @escaping @Sendable (OutgoingMessage) async throws -> Void) {
    self.write = write
  }

  /// Sends one message, and returns when the connection can take another. A slow reader therefore slows down only its
  /// own stream.
  ///
  /// - Throws: `RPCError` if the stream has ended, `CancellationError` if its handler was cancelled.
  package func send(_ message: OutgoingMessage) async throws {
    try Task.checkCancellation()
    try await write(message)
  }
}
