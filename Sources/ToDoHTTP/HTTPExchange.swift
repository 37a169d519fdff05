#if Nominatim
import NIOCore
import NIOHTTP1

/// Sends one request on a connection, and completes a promise with its response.
///
/// At most `bodySize` bytes of a body are held. A body is not awaited if the status is not 200, or the request itself has one.
final class HTTPExchange: ChannelInboundHandler {
  typealias InboundIn = HTTPClientResponsePart
  typealias OutboundOut = HTTPClientRequestPart

  private let request: HTTPRequestHead
  private let body: [UInt8]?
  private let bodySize: Int
  private let promise: EventLoopPromise<HTTPClientResponse>
  private var response: HTTPClientResponse?

  init(_ request: HTTPRequestHead, body: [UInt8]?, bodySize: Int, _ promise: EventLoopPromise<HTTPClientResponse>) {
    self.request = request
    self.body = body
    self.bodySize = bodySize
    self.promise = promise
  }

  func channelActive(context: ChannelHandlerContext) {
    context.write(wrapOutboundOut(.head(request)), promise: nil)
    if let body { context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(bytes: body)))), promise: nil) }
    context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
    context.fireChannelActive()
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head(let head):
      let response = HTTPClientResponse(
        status: Int(head.status.code), location: head.headers.first(name: "Location"),
        retryAfter: head.headers.first(name: "Retry-After"))
      self.response = response
      if response.status != 200 || body != nil { promise.succeed(response) }
    case .body(let bytes):
      guard let size = response?.body.count else { return }
      if size + bytes.readableBytes > bodySize { return promise.fail(HTTPError.overlong) }
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
    promise.fail(HTTPError.closedEarly)
    context.fireChannelInactive()
  }
}

/// Fails a request whose response has too many bytes, with all that precedes and surrounds its body.
///
/// The decoder after it limits headers, but neither the reason phrase, nor chunk extensions, nor interim responses.
final class ResponseSizeLimit: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  typealias InboundOut = ByteBuffer

  private var remaining: Int
  private let promise: EventLoopPromise<HTTPClientResponse>

  init(_ size: Int, _ promise: EventLoopPromise<HTTPClientResponse>) {
    remaining = size
    self.promise = promise
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    remaining -= unwrapInboundIn(data).readableBytes
    guard remaining >= 0 else { return promise.fail(HTTPError.overlong) }
    context.fireChannelRead(data)
  }
}
#endif
