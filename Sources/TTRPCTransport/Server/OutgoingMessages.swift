package import NIOCore
import TTRPC

/// The server's side of a stream.
package struct OutgoingMessages: Sendable {
  let stream: StreamID
  let connection: ServerConnection

  /// Sends one message; returns when the connection can take another, so a slow reader slows its own stream down.
  ///
  /// - Throws: `RPCError` when the stream has ended, `CancellationError` when its handler was cancelled.
  package func send(_ message: OutgoingMessage) async throws {
    try Task.checkCancellation()
    try await connection.send(on: stream) { (writer, arena) throws(RPCError) in
      try writer.writeData(message, on: stream, arena)
    }
  }

  /// Sends a message that was encoded before, maybe for several streams.
  ///
  /// - Throws: as `send`.
  package func send(encoded message: ByteBuffer) async throws {
    try Task.checkCancellation()
    try await connection.send(on: stream) { (writer, arena) throws(RPCError) in
      try writer.writeData(encoded: message, on: stream, arena)
    }
  }
}
