import Logging
import NIOCore
import TTRPC

/// Speaks ttrpc on one accepted connection: bytes to frames to `ServerStreams` to methods, and answers back to bytes.
///
/// All requests of one read are answered with one write where their answers are ready; an answer that comes later
/// shares a write with those that come in the same turn of the event loop. What decides is in `ServerStreams`; this
/// class only translates.
final class ServerConnectionHandler: ChannelDuplexHandler {
  typealias InboundIn = ByteBuffer
  typealias InboundOut = Never
  typealias OutboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  private let methods: MethodTable
  private let configuration: ServerConfiguration
  private let logger: Logger
  private var connection: CallConnection
  private let arena = Arena()

  private var decoder: FrameDecoder
  private var streams: ServerStreams
  private var calls: [StreamID: Call] = [:]
  private var received = ByteBuffer()
  private var output: FrameWriter
  private var context: ChannelHandlerContext?
  /// Streams whose handlers have more unread messages than they should.
  private var crowdedStreams: Set<StreamID> = []
  private var readIsWaiting = false
  private var isProcessing = false
  private var isClosing = false
  private var flushIsScheduled = false

  /// What is kept of a call that was not answered at once.
  private struct Call {
    var task: Task<Void, Never>
    var input: IncomingMessages.Producer.Source?
    var deadline: Scheduled<Void>?
    let endsWithDrain: Bool
  }

  init(methods: MethodTable, peer: Peer, configuration: ServerConfiguration, logger: Logger) {
    connection = CallConnection(peer: peer)
    self.methods = methods
    self.configuration = configuration
    self.logger = logger
    decoder = FrameDecoder(maximumLength: configuration.maximumFrameLength)
    streams = ServerStreams(limit: configuration.maximumStreams)
    output = FrameWriter(maximumLength: configuration.maximumFrameLength)
  }

  // MARK: Channel events

  func handlerAdded(context: ChannelHandlerContext) { self.context = context }

  func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    var bytes = unwrapInboundIn(data)
    if received.readableBytes == 0 { received = bytes } else { received.writeBuffer(&bytes) }
    isProcessing = true
    process(context)
  }

  func channelReadComplete(context: ChannelHandlerContext) {
    isProcessing = false
    flush(context)
    context.fireChannelReadComplete()
  }

  func read(context: ChannelHandlerContext) {
    if mayRead(context) { context.read() } else { readIsWaiting = true }
  }

  func channelWritabilityChanged(context: ChannelHandlerContext) {
    if context.channel.isWritable { output.resumeWaiters() }
    resumeReading(context)
    context.fireChannelWritabilityChanged()
  }

  func channelInactive(context: ChannelHandlerContext) {
    isClosing = true
    endCalls()
    output.failWaiters(with: CancellationError())
    arena.release()
    context.fireChannelInactive()
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    switch event {
    case is DrainEvent:
      streams.drain()
      for (id, call) in calls where call.endsWithDrain { abandon(id, .shuttingDown) }
      closeIfDrained(context)
    case let event as CertificateEvent: connection = CallConnection(peer: event.peer)
    default: context.fireUserInboundEventTriggered(event)
    }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    logger.debug("connection failed", metadata: ["error": "\(error)"])
    context.close(promise: nil)
  }

  // MARK: Frames

  /// Whether there is room for more requests and for their answers.
  private func mayRead(_ context: ChannelHandlerContext) -> Bool {
    !isClosing && !streams.isFull && crowdedStreams.isEmpty && context.channel.isWritable
  }

  private func process(_ context: ChannelHandlerContext) {
    do {
      while mayRead(context), let frame = try decoder.decode(buffer: &received) {
        switch frame {
        case .frame(let header, let data): perform(streams.receive(header), data, context)
        case .oversized(let header):
          let limit = configuration.maximumFrameLength
          perform(streams.receiveOversized(header, limit: limit), ByteBuffer(), context)
        }
        if output.isLarge { flush(context) }
      }
    } catch {
      logger.debug("connection closed: the peer does not speak ttrpc")
      close(context)
    }
    if received.readableBytes == 0 { received = ByteBuffer() } else { received.discardReadBytes() }
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
    case .close(let violation):
      logger.debug("connection closed", metadata: ["violation": "\(violation)"])
      close(context)
    }
  }

  private func deliver(_ message: ByteBuffer, to id: StreamID, isLast: Bool) {
    guard let input = calls[id]?.input else { return }
    if case .stopProducing = input.yield(message) { crowdedStreams.insert(id) }
    if isLast { input.finish() }
  }

  // MARK: Calls

  private func start(_ id: StreamID, _ input: ServerStreams.Input, _ data: ByteBuffer, _ context: ChannelHandlerContext)
  {
    do {
      try data.withUnsafeReadableBytes { bytes in
        arena.setLimit(forEncodedSize: bytes.count)
        let request: RequestEnvelope
        do throws(DecodingFailure) {
          request = try RequestEnvelope(decoding: bytes, in: arena)
        } catch {
          throw RPCError(error, of: "the request's envelope")
        }
        try start(id, input, request, context)
      }
    } catch {
      finish(id, CallOutcome(error, logger))
    }
    arena.reset()
  }

  private func start(
    _ id: StreamID, _ input: ServerStreams.Input, _ request: RequestEnvelope, _ context: ChannelHandlerContext
  ) throws {
    guard let method = methods.method(service: request.service, method: request.method) else {
      throw RPCError.unimplemented(service: request.service.excerpt, method: request.method.excerpt)
    }
    if let refusal = streams.refusal(isAnsweredWhileDraining: method.isAnsweredWhileDraining) { throw refusal }
    let timeout = request.timeout
    if let timeout, timeout < .zero { throw RPCError.deadlineExceeded }
    let call = CallContext(metadata: try request.metadata(), connection: self.connection)
    let connection = ServerConnection(self, on: context.eventLoop, logger)
    switch method.body {
    case .unary(let body):
      guard input != .open else { throw RPCError.invalidStream("\(method.name) takes one message") }
      let work = try body(request.payload, arena)
      run(id, method, timeout: timeout, input: nil, context) {
        do { connection.finish(id, .answered(try await work(call))) } catch {
          connection.fail(id, error)
        }
      }
    case .streaming(let body):
      guard input != .unary else { throw RPCError.invalidStream("\(method.name) answers with a stream") }
      let work = try body(request.payload, arena)
      let (messages, source) = IncomingMessages.make { connection.perform { $0.resumeInput(of: id) } }
      if input == .closed { source.finish() }
      let outgoing = OutgoingMessages(stream: id, connection: connection)
      run(id, method, timeout: timeout, input: source, context) {
        do {
          try await work(call, messages, outgoing)
          connection.finish(id, .streamed)
        } catch { connection.fail(id, error) }
      }
    case .cancellation(let body):
      let (cancelled, answer) = try body(request.payload, arena)
      abandon(cancelled, .cancelled)
      finish(id, .answered(answer))
    }
  }

  /// Runs a call's work on this thread until it first has to wait: an answer that is ready costs no hop.
  ///
  /// The task is not a child of another: its parent is the connection, which cancels it when the peer is gone.
  private func run(
    _ id: StreamID, _ method: ServerMethod, timeout: Duration?, input: IncomingMessages.Producer.Source?,
    _ context: ChannelHandlerContext, _ work: @escaping @Sendable () async -> Void
  ) {
    let task = Task.immediate { await work() }
    guard streams.canSend(on: id) else { return }
    var call = Call(task: task, input: input, endsWithDrain: method.endsWithDrain)
    if let timeout {
      call.deadline = context.eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(timeout)) {
        self.abandon(id, .deadlineExceeded)
      }
    }
    calls[id] = call
  }

  /// Answers a call before its handler has finished, and cancels the handler.
  private func abandon(_ id: StreamID, _ error: RPCError) {
    guard streams.abandon(id) else { return }
    output.writeResponse(.failed(error), on: id, arena)
    cancel(id)
    flushSoon()
  }

  /// Nobody hears an answer any more.
  private func endCalls() {
    for id in Array(streams.ids) {
      _ = streams.abandon(id)
      cancel(id)
    }
    calls = [:]
  }

  private func cancel(_ id: StreamID) {
    guard let call = calls[id] else { return }
    call.deadline?.cancel()
    call.input?.finish(CancellationError())
    call.task.cancel()
    // What the handler has not read or sent is of no consequence any more.
    output.failWaiters(with: CancellationError(), on: id)
    if crowdedStreams.remove(id) != nil, let context { resumeReading(context) }
  }

  /// A call's handler has finished.
  func finish(_ id: StreamID, _ outcome: CallOutcome) {
    calls.removeValue(forKey: id)?.deadline?.cancel()
    crowdedStreams.remove(id)
    if streams.finish(id) {
      output.writeResponse(outcome, on: id, arena)
      flushSoon()
    }
    guard let context, !isProcessing else { return }
    resumeReading(context)
    closeIfDrained(context)
  }

  typealias WriteMessage = @Sendable (inout FrameWriter, Arena) throws(RPCError) -> Void

  /// Sends one message of a stream; the promise succeeds when the connection can take another.
  func send(on id: StreamID, _ sent: EventLoopPromise<Void>, _ write: WriteMessage) {
    guard let context, context.channel.isActive else { return sent.fail(CancellationError()) }
    guard streams.canSend(on: id) else { return sent.fail(RPCError.cancelled) }
    do { try write(&output, arena) } catch { return sent.fail(error) }
    flushSoon()
    if context.channel.isWritable && !output.isLarge { sent.succeed() } else { output.wait(sent, on: id) }
  }

  private func resumeInput(of id: StreamID) {
    guard crowdedStreams.remove(id) != nil, let context else { return }
    resumeReading(context)
  }

  // MARK: Flow

  private func resumeReading(_ context: ChannelHandlerContext) {
    guard !isProcessing, context.channel.isActive else { return }
    isProcessing = true
    process(context)
    isProcessing = false
    flushSoon()
    guard readIsWaiting, mayRead(context) else { return }
    readIsWaiting = false
    context.read()
  }

  private func flushSoon() {
    guard !isProcessing, !flushIsScheduled, let context, output.needsFlush else { return }
    flushIsScheduled = true
    context.eventLoop.assumeIsolated().execute {
      self.flushIsScheduled = false
      self.flush(context)
    }
  }

  private func flush(_ context: ChannelHandlerContext) {
    arena.release()
    guard let bytes = output.takeBytes() else { return }
    context.writeAndFlush(wrapOutboundOut(bytes), promise: nil)
    if context.channel.isWritable { output.resumeWaiters() }
  }

  private func closeIfDrained(_ context: ChannelHandlerContext) {
    if streams.isDrained { close(context) }
  }

  /// Cancels what still runs, sends what is answered, and closes the connection once the peer has it.
  private func close(_ context: ChannelHandlerContext) {
    guard !isClosing else { return }
    isClosing = true
    endCalls()
    let sent = context.eventLoop.makePromise(of: Void.self)
    context.writeAndFlush(wrapOutboundOut(output.takeBytes() ?? ByteBuffer()), promise: sent)
    let channel = context.channel
    // A peer that does not read is not waited for.
    let limit = context.eventLoop.scheduleTask(in: Self.closingTime) { channel.close(promise: nil) }
    sent.futureResult.whenComplete { _ in
      limit.cancel()
      channel.close(promise: nil)
    }
  }

  /// How long a peer has to read the last answers.
  private static let closingTime = TimeAmount.seconds(10)
}

/// Tells a connection to take no more requests and to close when those in flight are answered.
struct DrainEvent: Sendable {}

extension UnsafeRawBufferPointer {
  /// The beginning of a peer's text, fit for a message.
  fileprivate var excerpt: String { String(decoding: prefix(100), as: UTF8.self) }
}
