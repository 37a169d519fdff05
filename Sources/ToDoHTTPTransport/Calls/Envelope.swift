#if HTTP
import NIOCore
import ToDoRPC

/// A message's frame in a stream.
///
///     +-----------+------------+---------+
///     | flags (1) | length (4) | message |
///     +-----------+------------+---------+
///
/// Flag 1 marks a compressed message, which responses have only in gRPC-Web. Flag 2 marks the last one of a Connect response, which is JSON,
/// and flag 0x80 that of a gRPC-Web response, which consists of trailers. The length is in network byte order.
enum Envelope {
  static let prefixLength = 5
  static let compressedFlag: UInt8 = 1
  private static let endFlag: UInt8 = 2

  /// Returns the only message of a request, which is compressed only if the head permits that.
  ///
  /// - Throws: `RPCError`.
  static func onlyMessage(of body: ByteBuffer, _ head: CallHead) throws(RPCError) -> EncodedMessage {
    var body = body
    guard body.readableBytes > 0 else { throw .wrongRequestCount("a request is missing") }
    guard let flags = body.readInteger(as: UInt8.self), let length = body.readInteger(as: UInt32.self) else {
      throw .malformed("the message's prefix is incomplete")
    }
    guard flags == 0 || head.isCompressed && flags == compressedFlag else {
      throw RPCError(
        .internal, reason: "MALFORMED_REQUEST",
        "a message begins with \(flags), which is no flag that the call permits")
    }
    guard let message = body.readSlice(length: Int(length)) else { throw .malformed("the message is incomplete") }
    guard body.readableBytes == 0 else { throw .wrongRequestCount("the method takes one message") }
    return EncodedMessage(bytes: message, isCompressed: flags == compressedFlag)
  }

  /// Returns the last message of a response.
  ///
  /// - Parameters:
  ///   - error: the error of a failed call.
  ///   - trailers: the metadata that the method adds.
  static func end(_ error: RPCError?, _ trailers: Metadata = Metadata()) -> ByteBuffer {
    var message = ByteBuffer()
    message.writeString("{")
    if let error {
      message.writeString(#""error":"#)
      message.writeJSON(error)
    }
    if !trailers.pairs.isEmpty {
      message.writeString(error == nil ? #""metadata":"# : #","metadata":"#)
      message.writeJSON(trailers)
    }
    message.writeString("}")
    return frame(message, flags: endFlag)
  }

  /// Returns a message in its frame.
  static func frame(_ message: ByteBuffer, flags: UInt8 = 0) -> ByteBuffer {
    var frame = ByteBuffer()
    frame.reserveCapacity(prefixLength + message.readableBytes)
    frame.writeInteger(flags)
    frame.writeInteger(UInt32(message.readableBytes))
    frame.writeImmutableBuffer(message)
    return frame
  }
}
#endif
