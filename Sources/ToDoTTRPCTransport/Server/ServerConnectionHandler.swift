import Logging
import NIOCore
import ToDoProtobuf
import ToDoRPC
import ToDoTTRPC
import ToDoTransport

/// Serves ttrpc on one accepted connection. It translates between the channel's events and the three parts of the
/// connection, which make the decisions:
///
///     bytes --> ServerInput --frame--> ServerCalls --response--> ServerOutput --> bytes
///                                        |     ^
///                                        tasks of calls
///
/// Responses that are ready at the end of a read share one write. Later responses in one event-loop turn also
/// share a write.
final class ServerConnectionHandler: ChannelDuplexHandler {
  typealias InboundIn = ByteBuffer
  typealias InboundOut = Never
  typealias OutboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  private let configuration: ServerLimits
  private let logger: Logger
  private let arena = Arena()
  // Run-time checks for overlapping accesses took 8% of a request, so the property that every request uses has none. This
  // is safe because one thread runs all of this code, and `input` calls nothing that could lead back to it.
  @exclusivity(unchecked) private var input: ServerInput
  private let calls: ServerCalls
  private let output: ServerOutput
  private var timeouts: ConnectionTimeouts
  private var timer: (time: NIODeadline, task: Scheduled<Void>)?
  private var readSize = ReadSize.small
  private let account: ConnectionAccount
  private var context: ChannelHandlerContext?

  init(
    methods: MethodTable, peer: Peer, configuration: ServerLimits, account: ConnectionAccount, logger: Logger
  ) {
    self.account = account
    self.configuration = configuration
    self.logger = logger
    input = ServerInput(maximumLength: configuration.frameLength(isAuthenticated: !account.requiresCredentials))
    output = ServerOutput(configuration, account: account, arena: arena)
    calls = ServerCalls(
      methods: methods, peer: peer, configuration: configuration, account: account, arena: arena, output: output)
    timeouts = ConnectionTimeouts(opened: .now(), configuration)
  }

  // MARK: Channel events

  func handlerAdded(context: ChannelHandlerContext) {
    self.context = context
    calls.attach(to: ServerConnection(self, on: context.eventLoop))
    startTimer(context)
  }

  func handlerRemoved(context: ChannelHandlerContext) {
    stopTimer()
    self.context = nil
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    input.receive(unwrapInboundIn(data))
    process(context)
  }

  func channelReadComplete(context: ChannelHandlerContext) {
    input.pause()
    recordRead(context)
    flush(context)
    context.fireChannelReadComplete()
  }

  func read(context: ChannelHandlerContext) {
    if mayRead(context) { context.read() } else { input.deferDemand() }
  }

  func channelWritabilityChanged(context: ChannelHandlerContext) {
    measureOutput(context)
    if context.channel.isWritable { output.resumeSenders() }
    resumeReading(context)
    context.fireChannelWritabilityChanged()
  }

  func channelInactive(context: ChannelHandlerContext) {
    end()
    arena.release()
    stopTimer()
    context.fireChannelInactive()
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    switch event {
    case is ChannelShouldQuiesceEvent:
      calls.drain()
      flushSoon(context)
      closeIfDrained(context)
    case let event as ProxiedConnectionEvent: calls.setPeer(event.peer)
    case let event as CertificateEvent: calls.setPeer(calls.peer.presenting(event))
    case let event as EvictionEvent: abort(context, because: .evicted(event.reason))
    case is CredentialsRequiredEvent: setFrameLength(isAuthenticated: account.isAuthenticated)
    default: context.fireUserInboundEventTriggered(event)
    }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    logger.debug("connection failed", metadata: ["error": "\(error)"])
    context.close(promise: nil)
  }

  // MARK: Frames

  /// Whether the limits permit more requests and their responses.
  private func mayRead(_ context: ChannelHandlerContext) -> Bool {
    !input.isEnded && calls.hasRoom && context.channel.isWritable
  }

  private func process(_ context: ChannelHandlerContext) {
    do {
      while mayRead(context), let frame = try input.next() {
        try calls.receive(frame, limit: input.maximumLength)
        if output.isLarge { flush(context) }
        if calls.hasReachedStrikeLimit { close(context, because: .tooManyViolations) }
      }
    } catch let violation as ProtocolViolation {
      close(context, because: .violation(violation))
    } catch {
      close(context, because: .notTTRPC)
    }
    input.compact()
  }

  private func resumeReading(_ context: ChannelHandlerContext) {
    guard context.channel.isActive, input.resume() else { return }
    process(context)
    input.pause()
    recordRead(context)
    flushSoon(context)
    if mayRead(context), input.meetDemand() { context.read() }
  }

  /// Records the bytes that were read, for the timeouts and the limits.
  private func recordRead(_ context: ChannelHandlerContext) {
    recordRead(frames: input.frameCount, pending: mayRead(context) ? input.pendingLength : nil, context)
    setReadSize(context)
    holdBytes()
    if let deadline = calls.takeNewDeadline() { scheduleTimer(by: deadline, context) }
  }

  private func setReadSize(_ context: ChannelHandlerContext) {
    let size = ReadSize(pending: input.pendingLength)
    guard size != readSize else { return }
    readSize = size
    try? context.channel.syncOptions?.setOption(.recvAllocator, value: size.allocator)
  }

  /// Charges the bytes that the input and the calls hold.
  private func holdBytes() {
    output.hold(received: input.bufferedBytes, queued: calls.queuedBytes, requests: calls.requestBytes)
  }

  /// Sets the maximum length of frames. When a call has authenticated, they may have the full length.
  private func setFrameLength(isAuthenticated: Bool) {
    input.maximumLength = configuration.frameLength(isAuthenticated: isAuthenticated)
  }
}

// MARK: - Events of calls

extension ServerConnectionHandler: CallEventReceiver {
  func finish(_ id: StreamID, _ outcome: CallOutcome) {
    calls.finish(id, outcome)
    guard let context, !input.isProcessing else { return }
    flushSoon(context)
    if calls.hasReachedStrikeLimit { close(context, because: .tooManyViolations) }
    resumeReading(context)
    closeIfDrained(context)
  }

  func send(_ message: OutgoingMessage, on id: StreamID, _ sent: EventLoopPromise<Void>) {
    guard let context, context.channel.isActive else { return sent.fail(CancellationError()) }
    calls.send(message, on: id, sent, isWritable: context.channel.isWritable)
    flushSoon(context)
  }

  func resumeInput(of id: StreamID) {
    if calls.releaseBackpressure(on: id) { resumeReading() }
  }

  func resumeReading() {
    if let context { resumeReading(context) }
  }

  /// Handles an event of the connection's credentials.
  ///
  /// Invalid credentials are strikes even after valid ones, unlike over gRPC: no proxy merges ttrpc connections, so all calls
  /// of one belong to one client.
  func receive(_ event: CallConnection.Event) {
    switch event {
    case .authenticated: setFrameLength(isAuthenticated: true)
    case .rejected: calls.strike()
    case .keep(let authorization): calls.setDefaultAuthorization(authorization)
    case .check(let error):
      calls.end(error)
      if let context { flushSoon(context) }
    }
  }
}

// MARK: - Output

/// The writes of a connection, and its closing.
extension ServerConnectionHandler {
  // MARK: Writing

  /// Writes the frames that were collected outside a read: at the end of this event-loop turn, or immediately if
  /// they are large.
  private func flushSoon(_ context: ChannelHandlerContext) {
    guard !input.isProcessing else { return }
    switch output.flushDue() {
    case .none: break
    case .now:
      recordWrite(context)
      flush(context)
    case .later:
      context.eventLoop.assumeIsolated().execute {
        self.output.startFlush()
        self.recordWrite(context)
        self.flush(context)
      }
    }
  }

  private func flush(_ context: ChannelHandlerContext) {
    arena.release()
    guard let bytes = output.takeFrames() else { return }
    write(bytes, nil, context)
    if context.channel.isWritable { output.resumeSenders() }
  }

  private func write(_ bytes: ByteBuffer, _ promise: EventLoopPromise<Void>?, _ context: ChannelHandlerContext) {
    context.writeAndFlush(wrapOutboundOut(bytes), promise: promise)
    guard !input.isEnded else { return }
    // If the write has filled the channel, the channel has already measured the output.
    if output.isMeasurementDue { measureOutput(context) }
    if output.isOverLimit { abort(context, because: .outputFull) }
  }

  private func measureOutput(_ context: ChannelHandlerContext) {
    let unsent = try? context.channel.syncOptions?.getOption(.bufferedWritableBytes)
    output.measure(unsent: unsent ?? 0)
  }

  // MARK: Closing

  private func closeIfDrained(_ context: ChannelHandlerContext) {
    if calls.isDrained { close(context, because: .shuttingDown) }
  }

  /// Cancels the calls in flight, sends the pending responses, and closes the connection when they are sent.
  private func close(_ context: ChannelHandlerContext, because reason: CloseReason) {
    guard !input.isEnded else { return }
    logger.debug("connection closed", metadata: ["reason": "\(reason)"])
    input.end()
    calls.end()
    let sent = context.eventLoop.makePromise(of: Void.self)
    write(output.close() ?? ByteBuffer(), sent, context)
    // If the peer does not read, the connection is closed anyway when the timer fires.
    stopTimer()
    scheduleTimer(by: context.eventLoop.now + TimeAmount(configuration.closingTime), context)
    let channel = context.channel
    sent.futureResult.whenComplete { _ in channel.close(promise: nil) }
  }

  /// Closes the connection immediately. Pending responses are lost.
  private func abort(_ context: ChannelHandlerContext, because reason: CloseReason) {
    logger.debug("connection aborted", metadata: ["reason": "\(reason)"])
    end()
    context.close(promise: nil)
  }

  /// Ends the three parts of a connection on which nothing more is received or sent.
  private func end() {
    input.end()
    calls.end()
    _ = output.close()
    output.endMetering()
  }
}

// MARK: - Time

/// The connection's only timer. It fires when a timeout or a deadline may have expired, which is rare. Scheduling it
/// costs nothing unless it must fire earlier than it already would.
extension ServerConnectionHandler {
  private func startTimer(_ context: ChannelHandlerContext) {
    let now = context.eventLoop.now
    timeouts = ConnectionTimeouts(opened: now, configuration)
    scheduleTimer(by: timeouts.nextCheck(after: now), context)
  }

  private func stopTimer() {
    timer?.task.cancel()
    timer = nil
  }

  /// Makes the timer fire at or before a time.
  private func scheduleTimer(by time: NIODeadline, _ context: ChannelHandlerContext) {
    if let timer, timer.time <= time { return }
    timer?.task.cancel()
    let task = context.eventLoop.assumeIsolated().scheduleTask(deadline: time) { self.timerFired() }
    timer = (time, task)
  }

  private func timerFired() {
    guard let due = timer?.time, let context else { return }
    timer = nil
    // A peer whose connection is being closed has had its time to read.
    if input.isEnded { return context.close(promise: nil) }
    let now = context.eventLoop.now
    let deadline = calls.expire(at: now)
    flushSoon(context)
    switch checkTimeouts(at: now, due: due, context) {
    case .timedOut(let timeout): abort(context, because: .timedOut(timeout))
    case .checkAgain(let time): scheduleTimer(by: min(deadline ?? time, time), context)
    }
  }

  private func checkTimeouts(
    at now: NIODeadline, due: NIODeadline, _ context: ChannelHandlerContext
  ) -> ConnectionTimeouts.CheckResult {
    measureOutput(context)
    calls.countQueuedBytes()
    holdBytes()
    return timeouts.check(at: now, due: due, isBusy: calls.isBusy, written: output.written, unsent: output.unsent)
  }

  /// Records the bytes read since the last call, for the timeouts.
  private func recordRead(frames: Int, pending: Int?, _ context: ChannelHandlerContext) {
    let now = context.eventLoop.now
    timeouts.receive(at: now, frames: frames, pending: pending)
    recordActivity(at: now, context)
  }

  /// Records that bytes are written, for the timeouts.
  private func recordWrite(_ context: ChannelHandlerContext) {
    let now = context.eventLoop.now
    timeouts.write(at: now)
    recordActivity(at: now, context)
  }

  private func recordActivity(at time: NIODeadline, _ context: ChannelHandlerContext) {
    guard !input.isEnded else { return }
    scheduleTimer(by: timeouts.nextCheck(after: time), context)
  }
}

extension ServerLimits {
  /// Returns the maximum data size in a client's frame, in bytes.
  fileprivate func frameLength(isAuthenticated: Bool) -> Int {
    isAuthenticated ? maximumFrameLength : min(maximumFrameLengthBeforeAuthentication, maximumFrameLength)
  }
}

/// The reason why a server closes a connection, for its log.
enum CloseReason: Equatable, Sendable {
  /// The bytes are not ttrpc.
  case notTTRPC
  /// A frame left the state of the connection undefined.
  case violation(ProtocolViolation)
  /// The peer has reached the limit of strikes.
  case tooManyViolations
  /// The server is shutting down, and no call is in flight.
  case shuttingDown
  /// The peer does not read, and too many bytes are unsent.
  case outputFull
  /// A timeout has expired.
  case timedOut(ConnectionTimeouts.Timeout)
  /// The server needs the connection's resources.
  case evicted(EvictionEvent.Reason)
}

extension CloseReason: CustomStringConvertible {
  var description: String {
    switch self {
    case .notTTRPC: "the peer does not speak ttrpc"
    case .violation(let violation): "\(violation)"
    case .tooManyViolations: "too many violations of the protocol"
    case .shuttingDown: "the server is shutting down"
    case .outputFull: "the peer does not read its responses"
    case .timedOut(let timeout): "too long: \(timeout)"
    case .evicted(let reason): reason.rawValue
    }
  }
}
