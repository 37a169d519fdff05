/// The server's side of a stream, independent of the transport.
package struct OutgoingMessages: Sendable {
  /// Sends one message, and returns when the stream can take another. It consumes the message, because a stream whose
  /// peer does not read waits for minutes, and must not keep what was sent.
  package typealias Write = @Sendable (consuming OutgoingMessage) async throws -> Void

  private let write: Write

  /// Creates the server's side of a stream.
  package init(write: @escaping Write) {
    self.write = write
  }

  /// Sends one message, and returns when the connection can take another. A slow reader therefore slows down only its
  /// own stream.
  ///
  /// - Throws: `RPCError` if the stream has ended, `CancellationError` if its handler was cancelled.
  package func send(_ message: consuming OutgoingMessage) async throws {
    try Task.checkCancellation()
    try await write(consume message)
  }
}
