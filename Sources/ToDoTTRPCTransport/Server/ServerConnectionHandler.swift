import Logging
import NIOCore
import ToDoProtobuf
import ToDoRPC
import ToDoTTRPC
import ToDoTransport

/// Serves ttrpc on one accepted connection. It translates between the events of the channel and the three parts of the
/// connection, which make the decisions:
///
///     bytes --> ServerInput --frame--> ServerCalls --response--> ServerOutput --> bytes
///                                        |     ^
///                                        tasks of calls
///
/// Responses that are ready at the end of a read share one write. Later responses of one turn of the event loop also
/// share a write. This file has the events. Extensions in other files have the writes and the timer.
final class ServerConnectionHandler: ChannelDuplexHandler {
  typealias InboundIn = ByteBuffer
  typealias InboundOut = Never
  typealias OutboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  let configuration: ServerLimits
  let logger: Logger
  let arena = Arena()
  // Run-time checks for overlapping accesses took 8% of a request, so the property that every request uses has none. This
  // is safe because one thread runs all of this code, and `input` calls nothing that could lead back to it.
  @exclusivity(unchecked) var input: ServerInput
  let calls: ServerCalls
  let output: ServerOutput
  var timeouts: ConnectionTimeouts
  var timer: (time: NIODeadline, task: Scheduled<Void>)?
  private var readSize = ReadSize.small
  private let account: ConnectionAccount
  private(set) var context: ChannelHandlerContext?

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
    case let event as CertificateEvent: calls.setPeer(event.peer)
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

  func resumeReading(_ context: ChannelHandlerContext) {
    guard context.channel.isActive, input.resume() else { return }
    process(context)
    input.pause()
    recordRead(context)
    flushSoon(context)
    if mayRead(context), input.meetDemand() { context.read() }
  }

  /// Records what was read, for the timeouts and the limits.
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
  func holdBytes() {
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

extension ServerLimits {
  /// Returns the maximum number of bytes of data in a client's frame.
  fileprivate func frameLength(isAuthenticated: Bool) -> Int {
    isAuthenticated ? maximumFrameLength : min(maximumFrameLengthBeforeAuthentication, maximumFrameLength)
  }
}
