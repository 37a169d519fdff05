#if HTTP
import NIOCore
import NIOHPACK
import NIOHTTP1
import NIOHTTP2
import ToDoGRPCTransport
import ToDoRPC
import ToDoTransport

/// Serves one request on an HTTP/2 stream. A gRPC call goes to the gRPC port's handler.
final class HTTPStreamHandler: ChannelDuplexHandler, RemovableChannelHandler {
  typealias InboundIn = HTTP2Frame.FramePayload
  typealias InboundOut = HTTP2Frame.FramePayload
  typealias OutboundIn = Never
  typealias OutboundOut = HTTP2Frame.FramePayload

  private enum Phase {
    /// No headers have arrived.
    case waiting
    /// The request is being received or served.
    case exchange(any Exchange)
    /// The response was written, or the stream has ended.
    case ended
    /// Another handler serves the stream.
    case replaced
  }

  let state: ConnectionCalls
  private let router: HTTPRouter
  private let account: ConnectionAccount
  private var context: ChannelHandlerContext?
  private var phase = Phase.waiting

  // MARK: The request

  private(set) var requestNumber: UInt32 = 0
  private var request: HTTPRequest?
  /// The client that a proxy forwards the request for, also when the response was written.
  private var client: NetworkAddress?
  private var origin: String?
  private var hasInputEnded = false
  private var hasAcceptedBody = false
  private var receivedBytes = 0
  /// The bytes that have arrived before the exchange has asked for them.
  private var held: [ByteBuffer] = []
  private var readIsWaiting = false
  private var hasBegunResponse = false
  private var began = NIODeadline.now()
  private var timer: Scheduled<Void>?

  init(_ router: HTTPRouter, _ state: ConnectionCalls, _ account: ConnectionAccount) {
    self.router = router
    self.state = state
    self.account = account
  }

  // MARK: Channel events

  func handlerAdded(context: ChannelHandlerContext) { self.context = context }

  func handlerRemoved(context: ChannelHandlerContext) {
    abandon()
    self.context = nil
  }

  func channelInactive(context: ChannelHandlerContext) {
    abandon()
    context.fireChannelInactive()
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    abandon()
    context.close(promise: nil)
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .headers(let frame):
      if case .waiting = phase { return receive(frame, context) }
      // Trailers.
      if frame.endStream { endInput() }
    case .data(let frame):
      if case .byteBuffer(let bytes) = frame.data, bytes.readableBytes > 0 { receive(bytes) }
      if frame.endStream { endInput() }
    case .rstStream:
      state.recordCancel(by: client)
      abandon()
    default: break
    }
  }

  func read(context: ChannelHandlerContext) {
    if mayRead { context.read() } else { readIsWaiting = true }
  }

  func channelWritabilityChanged(context: ChannelHandlerContext) {
    if context.channel.isWritable, case .exchange(let exchange) = phase { exchange.resumeSending() }
    context.fireChannelWritabilityChanged()
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if event is ChannelShouldQuiesceEvent, case .exchange(let exchange) = phase { exchange.quiesce() }
    context.fireUserInboundEventTriggered(event)
  }

  // MARK: Requests

  private func receive(_ frame: HTTP2Frame.FramePayload.Headers, _ context: ChannelHandlerContext) {
    hasInputEnded = frame.endStream
    let id = try? context.channel.syncOptions?.getOption(HTTP2StreamChannelOptions.streamID)
    requestNumber = id.map { UInt32(Int($0)) } ?? 0
    do {
      let request = try HTTPRequest(frame.headers, hasBody: !frame.endStream)
      self.request = request
      origin = try router.origin(of: request, state, account)
      if request.isGRPC { return try replace(frame, context) }
      // In gRPC, values may have space around them.
      guard !frame.headers.haveSpaceAroundValues else { throw HTTPRejection.malformedHead }
      if request.method == "OPTIONS", origin != nil { return respond(.preflight) }
      let exchange = try router.exchange(for: request, on: self)
      phase = .exchange(exchange)
      exchange.begin()
      client = exchange.client
      if request.body == .none, case .exchange = phase { exchange.endInput() }
    } catch let rejection as HTTPRejection {
      reject(rejection)
    } catch {
      context.close(promise: nil)
    }
  }

  /// Gives the stream to a gRPC handler.
  private func replace(_ frame: HTTP2Frame.FramePayload.Headers, _ context: ChannelHandlerContext) throws {
    phase = .replaced
    let operations = context.pipeline.syncOperations
    try operations.addHandler(HTTP2Connection.callHandler(router.grpcServices, state), position: .after(self))
    context.fireChannelRead(wrapInboundOut(.headers(frame)))
    operations.removeHandler(self, promise: nil)
  }

  private func receive(_ bytes: ByteBuffer) {
    guard case .exchange(let exchange) = phase else { return }
    receivedBytes += bytes.readableBytes
    if hasAcceptedBody { return exchange.receive(bytes) }
    held.append(bytes)
    state.hold(bytes.readableBytes)
  }

  private func endInput() {
    hasInputEnded = true
    timer?.cancel()
    if hasAcceptedBody, case .exchange(let exchange) = phase { exchange.endInput() }
  }

  private var mayRead: Bool {
    switch phase {
    case .exchange: hasAcceptedBody
    case .waiting, .ended, .replaced: true
    }
  }

  private func resumeReading() {
    guard readIsWaiting, mayRead, let context else { return }
    readIsWaiting = false
    context.read()
  }

  // MARK: The end

  /// Ends the exchange, because no response can be delivered.
  private func abandon() {
    if case .exchange(let exchange) = phase { exchange.abandon() }
    if case .replaced = phase { return }
    end()
  }

  private func end() {
    phase = .ended
    timer?.cancel()
    releaseHeld()
  }

  private func releaseHeld() {
    state.hold(-held.reduce(0) { $0 + $1.readableBytes })
    held = []
  }
}

// MARK: - Responses

extension HTTPStreamHandler: ExchangeConnection {
  var isWritable: Bool { context?.channel.isWritable ?? false }
  var isShared: Bool { true }

  func acceptBody() {
    guard !hasAcceptedBody, case .exchange(let exchange) = phase else { return }
    hasAcceptedBody = true
    let waiting = held
    releaseHeld()
    for bytes in waiting { exchange.receive(bytes) }
    // The end of a request without a body follows when the exchange has begun.
    guard case .exchange = phase, request?.body != HTTPRequest.Body.none else { return }
    if hasInputEnded { return exchange.endInput() }
    startTimer()
    resumeReading()
  }

  func respond(_ response: HTTPResponse) {
    guard mayRespond, let context else { return }
    var headers = headers(of: response)
    let isEmpty = request?.method == "HEAD" || response.body.readableBytes == 0
    if response.hasLength { headers.add(name: "content-length", value: String(response.body.readableBytes)) }
    hasBegunResponse = true
    let sent = context.eventLoop.makePromise(of: Void.self)
    if isEmpty {
      context.writeAndFlush(wrapOutboundOut(.headers(.init(headers: headers, endStream: true))), promise: sent)
    } else {
      context.write(wrapOutboundOut(.headers(.init(headers: headers))), promise: nil)
      write(response.body, endStream: true, sent)
    }
    finish(sent)
  }

  func reject(_ rejection: HTTPRejection) { respond(HTTPResponse(rejection)) }

  func beginResponse(_ response: HTTPResponse) {
    guard mayRespond, let context else { return }
    hasBegunResponse = true
    context.writeAndFlush(wrapOutboundOut(.headers(.init(headers: headers(of: response)))), promise: nil)
  }

  func write(_ bytes: ByteBuffer) {
    guard let context else { return }
    write(bytes, endStream: false, context.eventLoop.makePromise(of: Void.self))
  }

  func endResponse() {
    guard let context else { return }
    let sent = context.eventLoop.makePromise(of: Void.self)
    write(ByteBuffer(), endStream: true, sent)
    finish(sent)
  }

  private func write(_ bytes: ByteBuffer, endStream: Bool, _ sent: EventLoopPromise<Void>) {
    guard let context else { return sent.fail(ChannelError.ioOnClosedChannel) }
    let count = bytes.readableBytes
    let client: NetworkAddress? = if case .exchange(let exchange) = phase { exchange.client } else { nil }
    state.beginSending(count, to: client)
    // Succeeds when the system has accepted the bytes. Fails if the stream or the connection ends first.
    sent.futureResult.assumeIsolated().whenComplete { [state] _ in state.endSending(count, to: client) }
    context.writeAndFlush(
      wrapOutboundOut(.data(.init(data: .byteBuffer(bytes), endStream: endStream))), promise: sent)
  }

  /// Ends the request whose response was written.
  private func finish(_ sent: EventLoopPromise<Void>) {
    let isComplete = hasInputEnded
    end()
    resumeReading()
    guard !isComplete else { return }
    // With this error code, the client need not send the rest of its request.
    sent.futureResult.assumeIsolated().whenSuccess {
      self.context?.writeAndFlush(self.wrapOutboundOut(.rstStream(.noError)), promise: nil)
    }
  }

  private var mayRespond: Bool {
    switch phase {
    case .waiting, .exchange: !hasBegunResponse
    case .ended, .replaced: false
    }
  }

  private func headers(of response: HTTPResponse) -> HPACKHeaders {
    var headers: HPACKHeaders = [":status": String(response.status)]
    headers.add(contentsOf: HPACKHeaders(httpHeaders: response.allHeaders(for: origin, date: router.date.text)))
    return headers
  }
}

// MARK: - Time

extension HTTPStreamHandler {
  /// Limits the time in which the body must arrive, as that of a frame over ttrpc.
  private func startTimer() {
    guard let context else { return }
    began = context.eventLoop.now
    schedule(began + TimeAmount(router.limits.frameTime), context)
  }

  private func schedule(_ time: NIODeadline, _ context: ChannelHandlerContext) {
    timer = context.eventLoop.assumeIsolated().scheduleTask(deadline: time) { self.timerFired(due: time) }
  }

  private func timerFired(due: NIODeadline) {
    guard !hasInputEnded, case .exchange(let exchange) = phase, let context else { return }
    let now = context.eventLoop.now
    // If the timer is late, this process was suspended. It has not yet read what the client sent in that time.
    if now - due > .seconds(1) { return schedule(now + .seconds(1), context) }
    let limits = router.limits
    let length = Int64(min(request?.body.length ?? receivedBytes, limits.maximumFrameLength))
    let end = began + TimeAmount(limits.frameTime) + .nanoseconds(length * 1_000_000_000 / Int64(limits.frameRate))
    guard end <= now else { return schedule(end, context) }
    exchange.abandon()
    reject(.requestTooSlow)
  }
}

extension HTTPRequest {
  /// Whether the request is a call of gRPC itself, and not of gRPC-Web.
  fileprivate var isGRPC: Bool {
    let types = headers["content-type"]
    return types.count == 1 && RequestHead.isGRPC(types[0])
  }
}
#endif
