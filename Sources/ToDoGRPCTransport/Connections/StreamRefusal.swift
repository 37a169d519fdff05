#if GRPC
import NIOCore
import NIOHTTP2

/// Refuses one HTTP/2 stream, whatever arrives on it.
///
/// REFUSED_STREAM says that nothing was done, so libraries repeat the call (RFC 9113, 8.7).
final class StreamRefusal: ChannelInboundHandler {
  typealias InboundIn = HTTP2Frame.FramePayload
  typealias OutboundOut = HTTP2Frame.FramePayload

  func channelActive(context: ChannelHandlerContext) {
    context.writeAndFlush(wrapOutboundOut(.rstStream(.refusedStream)), promise: nil)
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {}

  // HTTP/2 has reset the stream.
  func errorCaught(context: ChannelHandlerContext, error: any Error) {}
}

/// Counts the refused streams of a connection in each second.
struct RefusalRate {
  /// The maximum number of refused streams in one second.
  static let limit = 1000

  private var begin = NIODeadline.uptimeNanoseconds(0)
  private var count = 0

  /// Counts a refused stream, and returns whether there were too many.
  mutating func exceedsLimit(afterOneAt now: NIODeadline) -> Bool {
    if now - begin >= .seconds(1) { (begin, count) = (now, 0) }
    count += 1
    return count > Self.limit
  }
}
#endif
