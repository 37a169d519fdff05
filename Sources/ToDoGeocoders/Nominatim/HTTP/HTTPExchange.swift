#if Nominatim
import NIOCore
import NIOHTTP1
import ToDoRules

/// Sends one request on a connection, and completes a promise with its response.
///
/// At most `bodySize` bytes of a body are held. The bodies of responses with a status other than 200 are not.
final class HTTPExchange: ChannelInboundHandler {
  typealias InboundIn = HTTPClientResponsePart
  typealias OutboundOut = HTTPClientRequestPart

  private let request: HTTPRequestHead
  private let bodySize: Int
  private let promise: EventLoopPromise<HTTPResponse>
  private var response: HTTPResponse?

  init(_ request: HTTPRequestHead, bodySize: Int, _ promise: EventLoopPromise<HTTPResponse>) {
    self.request = request
    self.bodySize = bodySize
    self.promise = promise
  }

  func channelActive(context: ChannelHandlerContext) {
    context.write(wrapOutboundOut(.head(request)), promise: nil)
    context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
    context.fireChannelActive()
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head(let head):
      response = HTTPResponse(
        status: Int(head.status.code), location: head.headers.first(name: "Location"),
        retryAfter: head.headers.first(name: "Retry-After"))
    case .body(let bytes):
      guard response?.status == 200, let size = response?.body.count else { return }
      if size + bytes.readableBytes > bodySize { return promise.fail(GeocoderError.overlong) }
      self.response?.body += bytes.readableBytesView
    case .end: if let response { promise.succeed(response) }
    }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    promise.fail(error)
    context.close(promise: nil)
  }

  func channelInactive(context: ChannelHandlerContext) {
    // Has no effect after a complete response.
    promise.fail(GeocoderError.closedEarly)
    context.fireChannelInactive()
  }
}
#endif
