#if GRPC
import Logging
import NIOCore
import NIOHTTP2
import NIOTLS
import ToDoRPC
import ToDoTransport

/// Manages one connection behind its HTTP/2 handler: its timeouts, its pings, and its graceful shutdown.
///
/// The graceful shutdown follows HTTP/2: GOAWAY with the maximum stream ID, and a ping. Streams are served until the
/// client acknowledges the ping, because it may not have read GOAWAY when it opened them. Then the last of them is sent
/// in another GOAWAY, later ones are refused, and the connection is closed when the last stream has ended.
final class ConnectionHandler: ChannelInboundHandler {
  typealias InboundIn = HTTP2Frame
  typealias OutboundOut = HTTP2Frame

  private enum Phase: Equatable {
    case open
    /// The shutdown and a ping were sent, and new streams are still served.
    case draining
    /// The client has acknowledged the ping, and new streams are refused.
    case drained
    case closing
    case closed
  }

  let state: ConnectionCalls
  private let goAway: GoAwayHandler
  private let limits: ServerLimits
  private let maximumStreams: Int
  private let requiresALPN: Bool
  private var context: ChannelHandlerContext?
  private var phase = Phase.open
  private var openStreams = 0
  private var refusals = RefusalRate()
  private var lastStream = HTTP2StreamID.rootStream

  // MARK: Time

  private var hasReceived = false
  private var opened = NIODeadline.now()
  private var lastRead = NIODeadline.now()
  /// The time since which no stream is open.
  private var idleSince = NIODeadline.now()
  /// The time of an unanswered ping to an inactive client.
  private var pinged: NIODeadline?
  /// The time at which the connection is closed if it drains without a stream, or if bytes are still unsent.
  private var closingEnd = NIODeadline.distantFuture
  private var timer: (time: NIODeadline, task: Scheduled<Void>)?

  /// The maximum time in which a client must acknowledge a ping.
  private static let pingTimeout = TimeAmount.seconds(20)
  private static let keepalivePing = HTTP2PingData(withInteger: 1)
  private static let drainPing = HTTP2PingData(withInteger: 2)

  /// - Parameter maximumStreams: the number of streams that may be open.
  init(
    _ state: ConnectionCalls, _ goAway: GoAwayHandler, _ limits: ServerLimits, maximumStreams: Int, requiresALPN: Bool
  ) {
    self.state = state
    self.goAway = goAway
    self.limits = limits
    self.maximumStreams = maximumStreams
    self.requiresALPN = requiresALPN
  }

  // MARK: Streams

  /// Counts a stream until it is closed.
  ///
  /// - Returns: whether the connection serves it. The caller refuses other streams.
  func streamOpened(_ id: HTTP2StreamID?) -> Bool {
    openStreams += 1
    let isServed = openStreams <= maximumStreams && (phase == .open || phase == .draining)
    // The client may repeat calls on the streams after the last one, and a refused stream is not processed.
    if isServed, let id { lastStream = max(lastStream, id) }
    guard !isServed, let context else { return isServed }
    if refusals.exceedsLimit(afterOneAt: context.eventLoop.now) { closeForFlood(context) }
    return false
  }

  func streamClosed() {
    openStreams -= 1
    guard openStreams == 0, let context else { return }
    idleSince = context.eventLoop.now
    scheduleTimer(by: idleSince + TimeAmount(limits.idleTime), context)
    switch phase {
    case .draining: closeWithinClosingTime(context)
    case .drained: close(context)
    case .open, .closing, .closed: break
    }
  }

  // MARK: Channel events

  func handlerAdded(context: ChannelHandlerContext) {
    self.context = context
    (opened, lastRead, idleSince) = (context.eventLoop.now, context.eventLoop.now, context.eventLoop.now)
    let first = min(limits.firstFrameTime, limits.writeStallTime, limits.idleTime)
    scheduleTimer(by: opened + TimeAmount(first), context)
  }

  func handlerRemoved(context: ChannelHandlerContext) {
    timer?.task.cancel()
    self.context = nil
  }

  func channelInactive(context: ChannelHandlerContext) {
    timer?.task.cancel()
    timer = nil
    phase = .closed
    state.close()
    context.fireChannelInactive()
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    // The first frame of a client is SETTINGS.
    hasReceived = true
    guard case .ping(Self.drainPing, ack: true) = unwrapInboundIn(data).payload, phase == .draining else { return }
    phase = .drained
    // A connection without streams sends it when it closes.
    if openStreams == 0 { close(context) } else { send(GoAwayHandler.GoAway(lastStream: Int(lastStream)), context) }
  }

  func channelReadComplete(context: ChannelHandlerContext) {
    lastRead = context.eventLoop.now
    pinged = nil
    context.fireChannelReadComplete()
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    switch event {
    case let event as ProxiedConnectionEvent: state.setPeer(event.peer)
    case let event as CertificateEvent: state.setPeer(state.shared.peer.presenting(event))
    case is ChannelShouldQuiesceEvent: drain(context)
    case is EvictionEvent: announceEnd(context)
    case TLSUserEvent.handshakeCompleted(let name) where name == nil && requiresALPN: context.close(promise: nil)
    default: context.fireUserInboundEventTriggered(event)
    }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    switch error {
    // HTTP/2 has reset the stream. It fires the errors of streams and those of the connection as the same types.
    case is any NIOHTTP2Error where !goAway.hasSentError: break
    // Closes in the next turn of the event loop, when the streams have received the frames of this read. If the
    // connection closes earlier, the HTTP/2 handler retains the streams.
    default: context.eventLoop.assumeIsolated().execute { context.close(promise: nil) }
    }
  }

  // MARK: The end

  private func drain(_ context: ChannelHandlerContext) {
    guard phase == .open else { return }
    phase = .draining
    send(.announcement, context)
    write(.ping(Self.drainPing, ack: false), context)
    context.flush()
    if openStreams == 0 { closeWithinClosingTime(context) }
  }

  private func closeWithinClosingTime(_ context: ChannelHandlerContext) {
    closingEnd = context.eventLoop.now + TimeAmount(limits.closingTime)
    scheduleTimer(by: closingEnd, context)
  }

  /// Closes the connection when all written bytes have been sent.
  private func close(_ context: ChannelHandlerContext) {
    guard phase != .closing, phase != .closed else { return }
    phase = .closing
    let channel = context.channel
    // In the next turn of the event loop, because the last frame of the last stream is still being written.
    context.eventLoop.assumeIsolated().execute { [lastStream] in
      let sent = channel.eventLoop.makePromise(of: Void.self)
      sent.futureResult.whenComplete { _ in channel.close(promise: nil) }
      guard let context = self.context else { return sent.succeed() }
      self.send(GoAwayHandler.GoAway(lastStream: Int(lastStream)), context, promise: sent)
    }
    closeWithinClosingTime(context)
  }

  /// Closes the connection of a client that opens streams faster than it can learn that they are refused.
  private func closeForFlood(_ context: ChannelHandlerContext) {
    guard phase != .closing, phase != .closed else { return }
    phase = .closing
    // In the next turn of the event loop, as for errors.
    context.eventLoop.assumeIsolated().execute { [lastStream] in
      guard let context = self.context else { return }
      self.write(.goAway(lastStreamID: lastStream, errorCode: .enhanceYourCalm, opaqueData: nil), context)
      context.flush()
      context.close(promise: nil)
    }
  }

  /// Tells the client which of its streams may be repeated, before the connection is closed.
  private func announceEnd(_ context: ChannelHandlerContext) {
    guard phase != .closing, phase != .closed else { return }
    phase = .closing
    send(GoAwayHandler.GoAway(lastStream: Int(lastStream)), context)
  }

  private func send(
    _ goAway: GoAwayHandler.GoAway, _ context: ChannelHandlerContext, promise: EventLoopPromise<Void>? = nil
  ) {
    context.triggerUserOutboundEvent(goAway, promise: promise)
  }

  private func write(_ payload: HTTP2Frame.FramePayload, _ context: ChannelHandlerContext) {
    context.write(wrapOutboundOut(HTTP2Frame(streamID: .rootStream, payload: payload)), promise: nil)
  }
}

// MARK: - Time

extension ConnectionHandler {
  private func scheduleTimer(by time: NIODeadline, _ context: ChannelHandlerContext) {
    // A timer would retain the handler of a closed connection.
    guard phase != .closed else { return }
    if let timer, timer.time <= time { return }
    timer?.task.cancel()
    let task = context.eventLoop.assumeIsolated().scheduleTask(deadline: time) { self.timerFired() }
    timer = (time, task)
  }

  private func timerFired() {
    timer = nil
    guard let context else { return }
    let now = context.eventLoop.now
    switch phase {
    case .draining where openStreams == 0 && closingEnd <= now, .closing where closingEnd <= now, .closed:
      return context.close(promise: nil)
    case .closing: return scheduleTimer(by: closingEnd, context)
    case .open, .draining, .drained: break
    }
    let firstFrame = opened + TimeAmount(limits.firstFrameTime)
    if !hasReceived, firstFrame <= now { return context.close(promise: nil) }
    let idle = idleSince + TimeAmount(limits.idleTime)
    if openStreams == 0, idle <= now { drain(context) }
    guard let next = keepAlive(at: now, context) else { return context.close(promise: nil) }
    let times = [
      next, hasReceived ? nil : firstFrame, openStreams == 0 && idle > now ? idle : nil,
      phase == .draining && openStreams == 0 ? closingEnd : nil,
    ]
    scheduleTimer(by: times.compactMap(\.self).min() ?? next, context)
  }

  /// Pings an inactive client.
  ///
  /// - Returns: the time of the next check; `nil` if the client has not acknowledged a ping in time.
  private func keepAlive(at now: NIODeadline, _ context: ChannelHandlerContext) -> NIODeadline? {
    if let pinged {
      let end = pinged + Self.pingTimeout
      return end <= now ? nil : end
    }
    let due = lastRead + TimeAmount(limits.writeStallTime)
    guard due <= now else { return due }
    pinged = now
    write(.ping(Self.keepalivePing, ack: false), context)
    context.flush()
    return now + Self.pingTimeout
  }
}
#endif
