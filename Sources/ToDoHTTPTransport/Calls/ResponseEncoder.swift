#if HTTP
import NIOCore
import ToDoCompression
import ToDoProtobuf
import ToDoRPC

/// Encodes responses, on any thread.
struct ResponseEncoder: Sendable {
  let format: any MessageFormat
  let turns: ConversionTurns
  let address: NetworkAddress?
  /// The size above which a response is converted on another thread, when it is its turn.
  let longMessage: Int
  let limit: Int
  /// Whether large responses are compressed.
  let compresses: Bool

  /// Whether a response is long.
  func isLong(_ bytes: ByteBuffer) -> Bool {
    (format.isConversion || compresses) && bytes.readableBytes > longMessage
  }

  /// Returns a response in the call's format, after it has waited for its turn if it is long.
  ///
  /// - Throws: `RPCError`, `CancellationError`.
  func encode(_ message: consuming OutgoingMessage) async throws -> EncodedMessage {
    let bytes = try bytes(of: message, Arena())
    return isLong(bytes) ? try await turns.run(for: address) { try response(bytes) } : try response(bytes)
  }

  /// Returns a response in the wire format.
  func bytes(of message: consuming OutgoingMessage, _ arena: Arena) throws(RPCError) -> ByteBuffer {
    var bytes = ByteBuffer()
    message.write(to: &bytes, arena)
    arena.release()
    guard bytes.readableBytes <= limit else { throw .messageTooLarge(bytes.readableBytes, limit: limit) }
    return bytes
  }

  /// Converts a response from the wire format.
  func response(_ bytes: ByteBuffer) throws(RPCError) -> EncodedMessage {
    let body = try format.response(bytes)
    var compressed = ByteBuffer()
    guard compresses, body.readableBytes >= Gzip.minimumSize,
      (try? Gzip.compress(body, into: &compressed)) != nil, compressed.readableBytes < body.readableBytes
    else { return EncodedMessage(bytes: body, isCompressed: false) }
    return EncodedMessage(bytes: compressed, isCompressed: true)
  }
}
#endif
