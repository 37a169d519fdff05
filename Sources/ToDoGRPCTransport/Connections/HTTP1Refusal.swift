#if GRPC
import NIOCore
import ToDoRPC
import ToDoTransport

/// Answers an HTTP/1.1 request, which the port does not serve, and closes the connection.
final class HTTP1Refusal: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  private static let text = "this port serves gRPC, which needs HTTP/2\n"
  private static let response = ByteBuffer(
    string: "HTTP/1.1 505 HTTP Version Not Supported\r\ncontent-type: text/plain; charset=utf-8\r\n"
      + "content-length: \(text.utf8.count)\r\nconnection: close\r\n\r\n\(text)")

  /// The maximum length of a request line that is waited for.
  private static let maximumLine = 4096

  private let closingTime: TimeAmount
  private var received = ByteBuffer()
  private var isAnswered = false
  private var timer: Scheduled<Void>?

  init(_ limits: ServerLimits) { closingTime = TimeAmount(limits.closingTime) }

  func handlerAdded(context: ChannelHandlerContext) {
    let channel = context.channel
    timer = context.eventLoop.scheduleTask(in: closingTime) { channel.close(promise: nil) }
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard !isAnswered else { return }
    received.writeImmutableBuffer(unwrapInboundIn(data))
    let line = received.readableBytesView.prefix { $0 != UInt8(ascii: "\n") }
    let isComplete = line.count < received.readableBytes
    guard isComplete || line.count > Self.maximumLine else { return }
    isAnswered = true
    received = ByteBuffer()
    // Anything else, such as a TLS handshake, is not answered.
    guard isComplete, String(decoding: line, as: UTF8.self).contains(" HTTP/1.") else {
      return context.close(promise: nil)
    }
    context.writeAndFlush(wrapOutboundOut(Self.response), promise: nil)
    // A client that is still sending would lose the response if the connection were closed.
    context.close(mode: .output, promise: nil)
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if event is ChannelShouldQuiesceEvent { context.close(promise: nil) }
    context.fireUserInboundEventTriggered(event)
  }

  func channelInactive(context: ChannelHandlerContext) {
    timer?.cancel()
    context.fireChannelInactive()
  }
}
#endif
