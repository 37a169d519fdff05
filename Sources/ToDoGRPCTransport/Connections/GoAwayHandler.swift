#if GRPC
import NIOCore

/// Writes the GOAWAY frames of a graceful shutdown past NIO's HTTP/2 handler.
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

  func triggerUserOutboundEvent(context: ChannelHandlerContext, event: Any, promise: EventLoopPromise<Void>?) {
    guard let goAway = event as? GoAway else {
      return context.triggerUserOutboundEvent(event, promise: promise)
    }
    context.writeAndFlush(wrapOutboundOut(.byteBuffer(goAway.frame)), promise: promise)
  }
}
#endif
