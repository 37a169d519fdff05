#if GRPC
package import NIOCore
import ToDoCompression
package import ToDoRPC

/// Divides the bytes of a call into messages.
///
///     +------------+----------------+---------+
///     | flag (1)   | length (4)     | message |
///     +------------+----------------+---------+
///
/// The flag is 1 if the message is compressed, and else 0. The length is in network byte order.
package struct MessageDecoder {
  /// The maximum length of a message. A compressed one has at most `MessageEncoding.maximumRequest` when it is decompressed.
  package var limit: Int
  /// The encoding of messages that have the flag.
  package var encoding = MessageEncoding.identity
  private var bytes = ByteBuffer()
  /// The length of the message that is arriving.
  package private(set) var pendingLength: Int?
  /// Whether the message that is arriving is compressed.
  private var isPendingCompressed = false

  private static let prefixLength = 5

  /// Creates a decoder.
  package init(limit: Int) { self.limit = limit }

  /// The size of the incomplete message's buffer, in bytes.
  package var bufferedBytes: Int { bytes.retainedBytes }

  /// Whether a part of a message has arrived.
  package var isInsideMessage: Bool { pendingLength != nil || bytes.readableBytes > 0 }

  /// Adds the bytes of a frame.
  package mutating func append(_ frame: ByteBuffer) {
    bytes.appendReceived(frame)
  }

  /// Returns the next message, or `nil` if more bytes are needed.
  ///
  /// - Throws: `RPCError` as soon as the prefix of a message is invalid, or if a compressed message is.
  package mutating func next() throws(RPCError) -> ByteBuffer? {
    if pendingLength == nil { pendingLength = try readPrefix() }
    guard let length = pendingLength, let message = bytes.readSlice(length: length) else {
      bytes.releaseReadBytes()
      return nil
    }
    pendingLength = nil
    return isPendingCompressed ? try decompressed(message) : message
  }

  private func decompressed(_ message: ByteBuffer) throws(RPCError) -> ByteBuffer {
    var content = ByteBuffer()
    let limit = min(limit, MessageEncoding.maximumRequest)
    do throws(GzipError) {
      try Gzip.decompress(message, into: &content, maximumSize: limit)
    } catch { throw RPCError(error, limit: limit) }
    return content
  }

  private mutating func readPrefix() throws(RPCError) -> Int? {
    guard let flag = bytes.getInteger(at: bytes.readerIndex, as: UInt8.self) else { return nil }
    guard flag <= 1 else { throw .unknownMessageFlag(flag) }
    guard flag == 0 || encoding == .gzip else { throw .compressedWithoutEncoding }
    guard bytes.readableBytes >= Self.prefixLength else { return nil }
    let length = Int(bytes.getInteger(at: bytes.readerIndex + 1, as: UInt32.self) ?? 0)
    guard length <= limit else { throw .messageTooLarge(length, limit: limit) }
    bytes.moveReaderIndex(forwardBy: Self.prefixLength)
    isPendingCompressed = flag == 1
    return length
  }

  /// Discards everything.
  package mutating func reset() {
    bytes = ByteBuffer()
    pendingLength = nil
  }
}

/// The encoding of a call's compressed messages.
package enum MessageEncoding: String, Sendable {
  case identity
  case gzip

  /// The maximum size of a decompressed request. Decompression runs on the event loop: a hundred bytes that become megabytes would
  /// delay the other connections.
  package static let maximumRequest = 16 << 10
  /// The maximum size of a response that is compressed. Larger ones, of which a list has few at a time, are sent as they are.
  package static let maximumResponse = 128 << 10

  /// The encodings that the server accepts, as the header `grpc-accept-encoding` lists them.
  static let accepted = "identity,gzip"
}

extension RPCError {
  /// A compressed message cannot be decompressed.
  fileprivate init(_ error: GzipError, limit: Int) {
    switch error {
    case .tooLarge:
      self = RPCError(
        .resourceExhausted, reason: "MESSAGE_TOO_LARGE",
        "the message is longer than \(limit) bytes when decompressed", metadata: ["max_bytes": String(limit)])
    case .malformed, .truncated:
      self = RPCError(.internal, reason: "MALFORMED_REQUEST", "a compressed message is not valid gzip")
    case .noMemory: self = RPCError(.resourceExhausted, reason: "MESSAGE_TOO_LARGE", "the system has no memory")
    }
  }
}
#endif
