import Logging
import NIOCore
import Protobuf
import RPC
import TTRPC
import Transport

/// Serves ttrpc on one accepted connection: decodes bytes into frames, passes the frames through `ServerStreams` to the
/// methods, and encodes the responses.
///
/// Responses that are ready at the end of a read share one write. Later responses of one turn of the event loop also
/// share a write. `ServerStreams` and `ConnectionTimeouts` make the decisions; this class only translates. This file
/// has the frames. Extensions in other files have the calls, the output and the timer.
///
/// Run-time checks for overlapping accesses took 8% of a request, so the properties that every request uses have none.
/// This is safe because one thread runs all of this code, and no property is passed on while it is being changed.
final class ServerConnectionHandler: ChannelDuplexHandler {
  typealias InboundIn = ByteBuffer
  typealias InboundOut = Never
  typealias OutboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  let methods: MethodTable
  let configuration: ServerLimits
  let logger: Logger
  let arena = Arena()
  private(set) var context: ChannelHandlerContext?
  private var executor: EventLoopExecutor?

  // MARK: Input

  @exclusivity(unchecked) private var reader: FrameReader
  @exclusivity(unchecked) var streams: ServerStreams
  var readIsWaiting = false
  @exclusivity(unchecked) var isProcessing = false
  @exclusivity(unchecked) var isClosing = false

  // MARK: Calls

  @exclusivity(unchecked) var calls: [StreamID: Call] = [:]
  var streamingCallCount = 0
  /// The streams whose handlers have too many unread messages.
  var backpressuredStreams: Set<StreamID> = []
  @exclusivity(unchecked) private(set) var connection: CallConnection
  private let account: ConnectionAccount
  /// The credentials of calls that present none.
  @exclusivity(unchecked) private(set) var authorization: String?
  /// The bytes of the unary requests whose calls are in flight.
  @exclusivity(unchecked) var requestBytes = 0

  // MARK: Output

  @exclusivity(unchecked) var output: FrameWriter
  var meter: BufferMeter
  @exclusivity(unchecked) var flushIsScheduled = false

  // MARK: Time

  var timeouts: ConnectionTimeouts
  var timer: (time: NIODeadline, task: Scheduled<Void>)?

  init(
    methods: MethodTable, peer: Peer, configuration: ServerLimits, account: ConnectionAccount, logger: Logger
  ) {
    connection = CallConnection(peer: peer)
    self.account = account
    self.methods = methods
    self.configuration = configuration
    self.logger = logger
    reader = FrameReader(maximumLength: configuration.frameLength(isAuthenticated: !account.requiresCredentials))
    streams = ServerStreams(limit: configuration.maximumStreams, strikeLimit: configuration.maximumStrikes)
    output = FrameWriter(maximumLength: configuration.maximumResponseLength)
    meter = BufferMeter(account)
    timeouts = ConnectionTimeouts(opened: .now(), configuration)
  }

  // MARK: Channel events

  func handlerAdded(context: ChannelHandlerContext) {
    self.context = context
    setPeer(connection.peer, context)
    startTimer(context)
  }

  /// Returns the executor of the tasks of unary calls, which is created for the first of them.
  func executor(_ context: ChannelHandlerContext) -> EventLoopExecutor {
    if let executor { return executor }
    let executor = EventLoopExecutor(context.eventLoop)
    self.executor = executor
    return executor
  }

  func handlerRemoved(context: ChannelHandlerContext) {
    stopTimer()
    self.context = nil
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    reader.append(unwrapInboundIn(data))
    isProcessing = true
    process(context)
  }

  func channelReadComplete(context: ChannelHandlerContext) {
    isProcessing = false
    recordRead(context)
    flush(context)
    context.fireChannelReadComplete()
  }

  func read(context: ChannelHandlerContext) {
    if mayRead(context) { context.read() } else { readIsWaiting = true }
  }

  func channelWritabilityChanged(context: ChannelHandlerContext) {
    measureOutput(context)
    if context.channel.isWritable { output.resumeWaiters() }
    resumeReading(context)
    context.fireChannelWritabilityChanged()
  }

  func channelInactive(context: ChannelHandlerContext) {
    isClosing = true
    endCalls()
    output.failWaiters(with: CancellationError())
    arena.release()
    reader.discard()
    meter.end()
    stopTimer()
    // The old value may refer to this handler.
    connection = CallConnection(peer: connection.peer)
    context.fireChannelInactive()
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    switch event {
    case is ChannelShouldQuiesceEvent:
      streams.drain()
      for (id, call) in calls where call.endsOnShutdown { abandon(id, .shuttingDown) }
      closeIfDrained(context)
    case let event as CertificateEvent: setPeer(event.peer, context)
    case let event as EvictionEvent:
      abort(context, because: .evicted(event.reason))
      reader.discard()
    case is CredentialsRequiredEvent:
      reader.maximumLength = configuration.frameLength(isAuthenticated: account.isAuthenticated)
    default: context.fireUserInboundEventTriggered(event)
    }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    logger.debug("connection failed", metadata: ["error": "\(error)"])
    context.close(promise: nil)
  }

  // MARK: Frames

  func process(_ context: ChannelHandlerContext) {
    do {
      while mayRead(context), let frame = try reader.next() {
        switch frame {
        case .frame(let header, let data): perform(streams.receive(header), data, context)
        case .oversized(let header):
          perform(streams.receiveOversized(header, limit: reader.maximumLength), ByteBuffer(), context)
        }
        if output.isLarge { flush(context) }
        if streams.hasReachedStrikeLimit { close(context, because: .tooManyViolations) }
      }
    } catch {
      close(context, because: .notTTRPC)
    }
    if isClosing { reader.discard() } else { reader.compact() }
  }

  private func perform(_ action: ServerStreams.Action, _ data: ByteBuffer, _ context: ChannelHandlerContext) {
    switch action {
    case .start(let id, let input): start(id, input, data, context)
    case .deliver(let id, let isLast): deliver(data, to: id, isLast: isLast)
    case .endInput(let id): calls[id]?.input?.finish()
    case .reject(let id, let error):
      cancel(id)
      output.writeResponse(.failed(error), on: id, arena)
    case .ignore: break
    case .close(let violation): close(context, because: .violation(violation))
    }
  }

  private func deliver(_ message: ByteBuffer, to id: StreamID, isLast: Bool) {
    guard let input = calls[id]?.input else { return }
    // Copied, so that a small message does not retain the large buffer that it arrived in.
    if !input.yield(ByteBuffer(bytes: message.readableBytesView)) { backpressuredStreams.insert(id) }
    meter.hold(unreadBytes)
    if isLast { input.finish() }
  }

  /// Records the frames that have arrived and the one that is incomplete, for the timeouts.
  func recordRead(_ context: ChannelHandlerContext) {
    recordRead(frames: reader.frameCount, pending: mayRead(context) ? reader.pendingLength : nil, context)
    meter.keep(reader.bufferedBytes)
  }

  /// Sets the peer that calls see. When a call has authenticated, frames may have the full length.
  private func setPeer(_ peer: Peer, _ context: ChannelHandlerContext) {
    let connection = ServerConnection(self, on: context.eventLoop)
    self.connection = CallConnection(peer: peer, account: account) { event in
      connection.perform { handler in
        switch event {
        case .authenticated: handler.reader.maximumLength = handler.configuration.frameLength(isAuthenticated: true)
        case .rejected: handler.streams.strike()
        case .keep(let authorization): handler.authorization = authorization
        }
      }
    }
  }
}

extension ServerLimits {
  /// Returns the maximum number of bytes of data in a client's frame.
  fileprivate func frameLength(isAuthenticated: Bool) -> Int {
    isAuthenticated ? maximumFrameLength : min(maximumFrameLengthBeforeAuthentication, maximumFrameLength)
  }
}
