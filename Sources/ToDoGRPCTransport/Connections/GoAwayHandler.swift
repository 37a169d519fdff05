#if GRPC
import NIOCore

/// Writes the GOAWAY frames of a graceful shutdown past NIO's HTTP/2 handler, and notices those that NIO sends after errors.
///
/// Once NIO has sent a GOAWAY itself, it refuses new streams, and answers their DATA with an error of the connection, which
/// ends the calls on it. But a client may open streams until it has read the frame. So NIO does not learn of the shutdown,
/// and `ConnectionHandler` decides which streams are served. It triggers `GoAway` as an outbound event.
final class GoAwayHandler: ChannelOutboundHandler {
  typealias OutboundIn = IOData
  typealias OutboundOut = IOData

  /// A GOAWAY frame with the code NO_ERROR.
  struct GoAway: Equatable {
    /// The ID of a stream that the server may have processed. Those after it were not.
    var lastStream: Int

    /// The maximum stream ID. It announces the shutdown, but the client's streams are still served.
    static let announcement = GoAway(lastStream: Int(Int32.max))

    /// The frame (RFC 9113, 6.8): a length of 8, the type, no flags, stream 0, the last stream, and the error code.
    var frame: ByteBuffer {
      var frame = ByteBuffer(bytes: [0, 0, 8, 7, 0, 0, 0, 0, 0])
      frame.writeInteger(UInt32(clamping: lastStream))
      frame.writeInteger(UInt32(0))
      return frame
    }
  }

  /// Whether NIO's handler has sent a GOAWAY, which it does before it fires an error of the connection.
  private(set) var hasSentError = false

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    if case .byteBuffer(let bytes) = unwrapOutboundIn(data) { check(bytes) }
    context.write(data, promise: promise)
  }

  /// Looks for a GOAWAY at the end. DATA could end in the same way; a later error of a stream would then end the connection.
  private func check(_ bytes: ByteBuffer) {
    let length = GoAway.announcement.frame.readableBytes
    let end = bytes.getSlice(at: bytes.writerIndex - length, length: Self.head.readableBytes)
    if end == Self.head { hasSentError = true }
  }

  /// The head of a GOAWAY frame without debugging data.
  private static let head = GoAway.announcement.frame.getSlice(at: 0, length: 9) ?? ByteBuffer()

  func triggerUserOutboundEvent(context: ChannelHandlerContext, event: Any, promise: EventLoopPromise<Void>?) {
    guard let goAway = event as? GoAway else {
      return context.triggerUserOutboundEvent(event, promise: promise)
    }
    context.writeAndFlush(wrapOutboundOut(.byteBuffer(goAway.frame)), promise: promise)
  }
}
#endif
