#if GRPC
package import NIOCore
package import ToDoRPC

/// Divides the bytes of a call into messages.
///
///     +------------+----------------+---------+
///     | flag (1)   | length (4)     | message |
///     +------------+----------------+---------+
///
/// The flag is 0, as compression is not supported. The length is in network byte order.
package struct MessageDecoder {
  /// The maximum length of a message.
  package var limit: Int
  private var bytes = ByteBuffer()
  /// The length of the message that is arriving.
  package private(set) var pendingLength: Int?

  private static let prefixLength = 5

  /// Creates a decoder.
  package init(limit: Int) { self.limit = limit }

  /// The size of the buffer of an incomplete message, in bytes.
  package var bufferedBytes: Int { bytes.retainedBytes }

  /// Whether a part of a message has arrived.
  package var isInsideMessage: Bool { pendingLength != nil || bytes.readableBytes > 0 }

  /// Adds the bytes of a frame.
  package mutating func append(_ frame: ByteBuffer) {
    bytes.appendReceived(frame)
  }

  /// Returns the next message, or `nil` if more bytes are needed.
  ///
  /// - Throws: `RPCError` as soon as the prefix of a message is invalid.
  package mutating func next() throws(RPCError) -> ByteBuffer? {
    if pendingLength == nil { pendingLength = try readPrefix() }
    guard let length = pendingLength, let message = bytes.readSlice(length: length) else {
      bytes.releaseReadBytes()
      return nil
    }
    pendingLength = nil
    return message
  }

  private mutating func readPrefix() throws(RPCError) -> Int? {
    guard let flag = bytes.getInteger(at: bytes.readerIndex, as: UInt8.self) else { return nil }
    guard flag == 0 else { throw flag == 1 ? .compressedWithoutEncoding : .unknownMessageFlag(flag) }
    guard bytes.readableBytes >= Self.prefixLength else { return nil }
    let length = Int(bytes.getInteger(at: bytes.readerIndex + 1, as: UInt32.self) ?? 0)
    guard length <= limit else { throw .messageTooLarge(length, limit: limit) }
    bytes.moveReaderIndex(forwardBy: Self.prefixLength)
    return length
  }

  /// Discards everything.
  package mutating func reset() {
    bytes = ByteBuffer()
    pendingLength = nil
  }
}
#endif
