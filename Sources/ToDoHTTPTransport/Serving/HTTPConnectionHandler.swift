#if HTTP
import NIOCore
import NIOHTTP1
import ToDoRPC
import ToDoSupport
import ToDoTransport

/// Serves the requests of one connection, one after the other, behind its decoder.
final class HTTPConnectionHandler: ChannelInboundHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias OutboundOut = HTTPServerResponsePart

  fileprivate enum Phase {
    /// No byte of the next request has arrived.
    case waiting
    /// A part of a head has arrived.
    case head
    /// A request is being received or served.
    case exchange(any Exchange)
    /// The response was written, and is being sent.
    case responding
    /// The response was sent, and the rest of its request is discarded.
    case discarding
    /// The last response was sent. Bytes are discarded until the client closes the connection.
    case closing
    case closed
  }

  let state: ConnectionCalls
  let gate: RequestGate
  private let router: HTTPRouter
  private let account: ConnectionAccount
  private var context: ChannelHandlerContext?
  fileprivate var phase = Phase.waiting
  private var isShuttingDown = false

  // MARK: The current request

  private(set) var requestNumber: UInt32 = 0
  private var request: HTTPRequest?
  private var version = HTTPVersion.http1_1
  private var origin: String?
  private var hasInputEnded = true
  private var receivedBytes = 0
  private var hasAcceptedBody = false
  private var hasBegunResponse = false
  private var keepsAlive = false

  // MARK: Time

  private var opened = NIODeadline.now()
  private var hasReceived = false
  /// The time at which the current phase, or the body, began.
  private var began = NIODeadline.now()
  private var progress = WriteProgress()
  private var timer: (time: NIODeadline, task: Scheduled<Void>)?

  /// The maximum number of a body's remaining bytes that are read so that the connection can continue.
  private static let maximumDiscardedBytes = 64 << 10

  /// The time between a response and the next request that a client has sent without waiting for it.
  private static let pauseInPipeline = TimeAmount.milliseconds(20)

  init(_ router: HTTPRouter, _ state: ConnectionCalls, _ account: ConnectionAccount) {
    self.router = router
    self.state = state
    self.account = account
    gate = RequestGate(router.limits, account)
  }

  // MARK: Channel events

  func handlerAdded(context: ChannelHandlerContext) {
    self.context = context
    opened = context.eventLoop.now
    enter(.waiting)
  }

  func handlerRemoved(context: ChannelHandlerContext) {
    close()
    self.context = nil
  }

  func channelInactive(context: ChannelHandlerContext) {
    close()
    context.fireChannelInactive()
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head(let head): receive(head)
    case .body(let bytes):
      receivedBytes += bytes.readableBytes
      if case .exchange(let exchange) = phase { exchange.receive(bytes) }
    case .end:
      hasInputEnded = true
      if request?.body == .chunked { gate.expect(.nothing) }
      switch phase {
      case .exchange(let exchange): exchange.endInput()
      case .discarding: awaitRequest()
      default: break
      }
    }
  }

  func channelWritabilityChanged(context: ChannelHandlerContext) {
    if context.channel.isWritable, case .exchange(let exchange) = phase { exchange.resumeSending() }
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    switch event {
    case is RequestGate.HeadBegan: enter(.head)
    case let event as ProxiedConnectionEvent: state.setPeer(event.peer)
    case let event as CertificateEvent: state.setPeer(state.shared.peer.presenting(event))
    case is ChannelShouldQuiesceEvent: quiesce()
    default: context.fireUserInboundEventTriggered(event)
    }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    guard context.channel.isActive else { return }
    switch error {
    case let rejection as HTTPRejection: refuse(rejection)
    case HTTPParserError.headerOverflow: refuse(.headTooLarge)
    case is HTTPParserError: refuse(.malformedRequest)
    default: context.close(promise: nil)
    }
  }

  // MARK: Requests

  private func receive(_ head: HTTPRequestHead) {
    hasReceived = true
    requestNumber &+= 1
    (request, origin, version) = (nil, nil, head.version)
    (hasInputEnded, receivedBytes, hasAcceptedBody, hasBegunResponse) = (false, 0, false, false)
    do {
      let request = try HTTPRequest(head)
      self.request = request
      origin = try router.origin(of: request, state, account)
      if request.method == "OPTIONS", origin != nil { return respond(.preflight) }
      let exchange = try router.exchange(for: request, on: self)
      enter(.exchange(exchange))
      exchange.begin()
    } catch {
      reject(error)
    }
  }

  private func awaitRequest() {
    request = nil
    if isShuttingDown { return startClosing() }
    enter(.waiting)
    guard gate.hasWaitingBytes, let context else { return gate.expect(.head) }
    // Others have their turn first, because a single read can contain a dozen requests.
    context.eventLoop.assumeIsolated().scheduleTask(in: Self.pauseInPipeline) {
      if case .waiting = self.phase { self.gate.expect(.head) }
    }
  }

  /// Rejects bytes that are not a request, or the rest of one. Nothing after them can be read.
  private func refuse(_ rejection: HTTPRejection) {
    (request, hasInputEnded) = (nil, false)
    if case .exchange(let exchange) = phase { exchange.abandon() }
    gate.expect(.discard)
    switch phase {
    case .waiting, .head, .exchange: break
    case .responding, .discarding, .closing, .closed: return startClosing()
    }
    if hasBegunResponse { startClosing() } else { reject(rejection) }
  }

  // MARK: The end

  private func quiesce() {
    isShuttingDown = true
    switch phase {
    case .waiting, .discarding: startClosing()
    case .exchange(let exchange): exchange.quiesce()
    case .head, .responding, .closing, .closed: break
    }
  }

  private func startClosing() {
    guard let context else { return }
    switch phase {
    case .closing, .closed: return
    default: break
    }
    // A client that is still sending would lose the response if the connection were closed.
    let isComplete = hasInputEnded && !gate.hasWaitingBytes
    enter(.closing)
    if isComplete { return context.close(promise: nil) }
    gate.expect(.discard)
    // The client learns now that nothing follows.
    context.close(mode: .output, promise: nil)
  }

  private func close() {
    timer?.task.cancel()
    timer = nil
    if case .closed = phase { return }
    if case .exchange(let exchange) = phase { exchange.abandon() }
    phase = .closed
    state.close()
  }

  private func enter(_ phase: Phase) {
    if case .closed = self.phase { return }
    self.phase = phase
    began = context?.eventLoop.now ?? .now()
    if let deadline { scheduleTimer(by: deadline) }
  }
}

// MARK: - Responses

extension HTTPConnectionHandler: ExchangeConnection {
  var isShared: Bool { false }
  var isWritable: Bool { context?.channel.isWritable ?? false }

  func acceptBody() {
    guard let request, let context, !hasInputEnded, !hasAcceptedBody else { return }
    hasAcceptedBody = true
    if request.expectsContinue {
      context.writeAndFlush(wrapOutboundOut(.head(HTTPResponseHead(version: version, status: .continue))), promise: nil)
    }
    began = context.eventLoop.now
    switch request.body {
    case .none: break
    case .length(let count): gate.expect(.body(count))
    case .chunked: gate.expect(.chunks)
    }
    if let deadline { scheduleTimer(by: deadline) }
  }

  func respond(_ response: HTTPResponse) {
    guard mayRespond else { return }
    var headers = finalHeaders(response)
    if response.hasLength {
      headers.replaceOrAdd(name: "content-length", value: String(response.body.readableBytes))
    }
    writeHead(response.status, headers)
    if request?.method != "HEAD", response.body.readableBytes > 0 { write(response.body) }
    endResponse()
  }

  func reject(_ rejection: HTTPRejection) { respond(HTTPResponse(rejection)) }

  func beginResponse(_ response: HTTPResponse) {
    guard mayRespond else { return }
    writeHead(response.status, finalHeaders(response))
  }

  func write(_ bytes: ByteBuffer) {
    guard let context else { return }
    let count = bytes.readableBytes
    state.beginSending(count)
    progress.write(count)
    // Succeeds when the system has accepted the bytes. Fails if the connection ends first.
    let sent = context.eventLoop.makePromise(of: Void.self)
    sent.futureResult.assumeIsolated().whenComplete { [state] _ in state.endSending(count) }
    context.writeAndFlush(wrapOutboundOut(.body(.byteBuffer(bytes))), promise: sent)
    scheduleTimer(by: context.eventLoop.now + stallStep)
  }

  func endResponse() {
    guard let context else { return }
    enter(.responding)
    let sent = context.eventLoop.makePromise(of: Void.self)
    sent.futureResult.assumeIsolated().whenSuccess { self.responseSent() }
    context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: sent)
    scheduleTimer(by: context.eventLoop.now + stallStep)
  }

  private var mayRespond: Bool {
    switch phase {
    case .waiting, .head, .exchange: !hasBegunResponse
    case .responding, .discarding, .closing, .closed: false
    }
  }

  private func finalHeaders(_ response: HTTPResponse) -> HTTPHeaders {
    keepsAlive = mayKeepAlive
    var headers = response.allHeaders(for: origin, date: router.date.text)
    if !keepsAlive { headers.add(name: "connection", value: "close") }
    return headers
  }

  private func writeHead(_ status: Int, _ headers: HTTPHeaders) {
    guard let context else { return }
    hasBegunResponse = true
    let head = HTTPResponseHead(version: version, status: .init(statusCode: status), headers: headers)
    context.writeAndFlush(wrapOutboundOut(.head(head)), promise: nil)
  }

  /// Whether the connection can serve another request after this one.
  private var mayKeepAlive: Bool {
    guard let request, request.isKeepAlive, !isShuttingDown, !isLoginEnding else { return false }
    if hasInputEnded { return true }
    // A client that was not asked for its body may send it or not.
    guard let length = request.body.length, hasAcceptedBody || !request.expectsContinue else { return false }
    return length - receivedBytes <= Self.maximumDiscardedBytes
  }

  /// Whether the connection will soon be closed for lack of credentials. A client that is told so does not send its next request
  /// just then: a load balancer that checks the health, for which it needs none.
  private var isLoginEnding: Bool {
    guard account.requiresCredentials, !account.isAuthenticated, !account.isShared, let context else { return false }
    return context.eventLoop.now - opened >= TimeAmount(limits.loginTime / 2)
  }

  private func responseSent() {
    guard case .responding = phase else { return }
    if !keepsAlive { return startClosing() }
    if hasInputEnded { return awaitRequest() }
    enter(.discarding)
    if gate.isHolding, let length = request?.body.length { gate.expect(.body(length - receivedBytes)) }
  }
}

// MARK: - Time

extension HTTPConnectionHandler {
  private var limits: ServerLimits { router.limits }

  private var stallStep: TimeAmount { .nanoseconds(TimeAmount(limits.writeStallTime).nanoseconds / 4) }

  /// The time at which the current phase must have ended; `nil` if it may last.
  private var deadline: NIODeadline? {
    switch phase {
    case .waiting: began + TimeAmount(hasReceived ? limits.idleTime : limits.firstFrameTime)
    case .head: began + TimeAmount(limits.frameTime)
    case .exchange: hasInputEnded || !hasAcceptedBody || gate.isHolding ? nil : bodyDeadline
    case .discarding: bodyDeadline
    case .closing: began + TimeAmount(limits.closingTime)
    case .responding, .closed: nil
    }
  }

  private var bodyDeadline: NIODeadline {
    let length = Int64(min(request?.body.length ?? receivedBytes, limits.maximumFrameLength))
    return began + TimeAmount(limits.frameTime) + .nanoseconds(length * 1_000_000_000 / Int64(limits.frameRate))
  }

  private func scheduleTimer(by time: NIODeadline) {
    guard let context else { return }
    if case .closed = phase { return }
    if let timer, timer.time <= time { return }
    timer?.task.cancel()
    timer = (time, context.eventLoop.assumeIsolated().scheduleTask(deadline: time) { self.timerFired() })
  }

  private func timerFired() {
    guard let due = timer?.time, let context else { return }
    timer = nil
    let now = context.eventLoop.now
    // If the timer is late, this process was suspended. It has not yet read what the client sent in that time.
    if now - due > .seconds(1) { return scheduleTimer(by: now + .seconds(1)) }
    if let deadline, deadline <= now { return expire(context) }
    if let stalled = progress.stalledSince(now, unsent: unsentBytes(context)) {
      guard stalled + TimeAmount(limits.writeStallTime) > now else { return context.close(promise: nil) }
      scheduleTimer(by: now + stallStep)
    }
    if let deadline { scheduleTimer(by: deadline) }
  }

  private func expire(_ context: ChannelHandlerContext) {
    switch phase {
    case .head, .exchange: refuse(.requestTooSlow)
    case .waiting, .discarding, .closing, .responding, .closed: context.close(promise: nil)
    }
  }

  private func unsentBytes(_ context: ChannelHandlerContext) -> Int {
    (try? context.channel.syncOptions?.getOption(.bufferedWritableBytes)) ?? 0
  }
}
#endif
