package import NIOCore
import TTRPC

/// The server's side of a stream, whatever wire it is on.
package struct OutgoingMessages: Sendable {
  /// A message of a stream.
  package enum Element: Sendable {
    case message(OutgoingMessage)
    /// A message that was encoded before, maybe for several streams.
    case encoded(ByteBuffer)
  }

  private let write: @Sendable (Element) async throws -> Void

  /// - Parameter write: sends one message; returns when there is room for another.
  package init(write: @escaping @Sendable (Element) async throws -> Void) {
    self.write = write
  }

  /// Sends one message; returns when the connection can take another, so a slow reader slows its own stream down.
  ///
  /// - Throws: `RPCError` when the stream has ended, `CancellationError` when its handler was cancelled.
  package func send(_ message: OutgoingMessage) async throws {
    try Task.checkCancellation()
    try await write(.message(message))
  }

  /// Sends a message that was encoded before, maybe for several streams.
  ///
  /// - Throws: as `send`.
  package func send(encoded message: ByteBuffer) async throws {
    try Task.checkCancellation()
    try await write(.encoded(message))
  }
}

extension OutgoingMessages {
  /// The server's side of a stream of ttrpc.
  init(stream: StreamID, connection: ServerConnection) {
    self.init { element in
      try await connection.send(on: stream) { (writer, arena) throws(RPCError) in
        switch element {
        case .message(let message): try writer.writeData(message, on: stream, arena)
        case .encoded(let bytes): try writer.writeData(encoded: bytes, on: stream, arena)
        }
      }
    }
  }
}
