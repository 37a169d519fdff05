import Logging
import NIOCore
import TTRPC

/// Speaks ttrpc on one connection that was opened: calls to frames, and frames back to the calls that wait for them.
///
/// Requests that are started in one turn of the event loop share a write. What decides is in `ClientStreams`; this
/// class only translates.
final class ClientConnectionHandler: ChannelDuplexHandler {
  typealias InboundIn = ByteBuffer
  typealias InboundOut = Never
  typealias OutboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  private let configuration: ClientConfiguration
  private let logger: Logger
  private let arena = Arena()
  private var decoder: FrameDecoder
  private var streams: ClientStreams
  private var calls: [StreamID: Call] = [:]
  private var received = ByteBuffer()
  private var output: ByteBuffer?
  private var context: ChannelHandlerContext?
  private var crowdedStreams: Set<StreamID> = []
  /// Who waits for room to send on a stream.
  private var senders: [(stream: StreamID, promise: EventLoopPromise<Void>)] = []
  private var isUsedUp = false
  private var readIsWaiting = false
  private var isProcessing = false
  private var flushIsScheduled = false

  private struct Call {
    let receiver: CallReceiver
    let deadline: Scheduled<Void>?
  }

  init(configuration: ClientConfiguration, logger: Logger) {
    self.configuration = configuration
    self.logger = logger
    decoder = FrameDecoder(maximumLength: configuration.maximumFrameLength)
    streams = ClientStreams(firstID: configuration.firstStreamID)
  }

  // MARK: Calls

  /// Opens a stream and sends its request, in one turn of the event loop.
  func start(_ request: RequestFrame, _ progress: CallProgressBox, _ receiver: CallReceiver) {
    if case .cancelled = progress.value { return receiver.end(CancellationError()) }
    guard let context, context.channel.isActive else {
      return receiver.end(RPCError.unavailable("the connection is closed", isUnsent: true))
    }
    guard streams.count < configuration.maximumCalls else {
      var error = RPCError(
        .resourceExhausted, reason: "TOO_MANY_CALLS", "the connection can take no more calls")
      error.isUnsent = true
      return receiver.end(error)
    }
    guard let id = streams.open(request.kind) else {
      isUsedUp = true
      receiver.end(RPCError.unavailable("the connection's stream numbers are used up", isUnsent: true))
      return closeIfUsedUp()
    }
    progress.value = .open(id)
    let deadline = request.timeout.map { timeout in
      context.eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(timeout)) {
        _ = self.forget(id, RPCError.deadlineExceeded)
      }
    }
    calls[id] = Call(receiver: receiver, deadline: deadline)
    write(request.frame(for: id))
  }

  /// The caller no longer waits.
  func cancel(_ progress: CallProgressBox) {
    guard case .open(let id) = progress.value else {
      progress.value = .cancelled
      return
    }
    abandon(id, CancellationError())
  }

  /// Ends a call that the server still works on, and tells it so.
  private func abandon(_ id: StreamID, _ error: any Error) {
    guard forget(id, error), let cancellation = configuration.cancellation else { return }
    guard let context, context.channel.isActive, let stream = streams.open(.unary) else { return }
    // Its answer says nothing: nobody waits for it.
    _ = streams.forget(stream)
    let message = cancellation.message(id)
    if let frame = try? RequestFrame(cancellation.method, message, kind: .unary, arena: arena) {
      write(frame.frame(for: stream))
    }
  }

  /// Sends one more message, or none, on a stream that its caller keeps open; the promise succeeds when the connection
  /// can take another.
  func send(_ message: OutgoingMessage?, isLast: Bool, _ progress: CallProgressBox, _ sent: EventLoopPromise<Void>) {
    guard case .open(let id) = progress.value, streams.send(on: id, isLast: isLast), let context else {
      return sent.fail(RPCError.cancelled)
    }
    let frame = dataFrame(message, isLast: isLast, on: id)
    let length = frame.readableBytes - FrameHeader.size
    guard length <= configuration.maximumFrameLength else {
      let error = RPCError.messageTooLarge(length, limit: configuration.maximumFrameLength)
      abandon(id, error)
      return sent.fail(error)
    }
    write(frame)
    if context.channel.isWritable && (output?.readableBytes ?? 0) < Self.largeOutput {
      sent.succeed()
    } else {
      senders.append((id, sent))
    }
  }

  /// How much may wait to be written before those that send on streams wait too.
  private static let largeOutput = 256 << 10

  private func dataFrame(_ message: OutgoingMessage?, isLast: Bool, on id: StreamID) -> ByteBuffer {
    var flags: FrameFlags = isLast ? .remoteClosed : []
    if message == nil { flags.insert(.noData) }
    var frame = ByteBuffer()
    frame.writeFrameHeader(FrameHeader(length: 0, streamID: id, type: .data, flags: flags))
    if let message {
      frame.writeMessage(message.build(arena))
      arena.release()
    }
    frame.setInteger(UInt32(frame.readableBytes - FrameHeader.size), at: 0)
    return frame
  }

  /// A stream's consumer has caught up.
  func resume(_ progress: CallProgressBox) {
    guard case .open(let id) = progress.value else { return }
    becomeUncrowded(id)
  }

  /// Reads on when this was the last stream whose consumer could not keep up. One that has ended holds up nobody: the
  /// server might wait for room, and would not read that its stream is cancelled.
  private func becomeUncrowded(_ id: StreamID) {
    guard crowdedStreams.remove(id) != nil, crowdedStreams.isEmpty, let context else { return }
    process(context)
    if readIsWaiting, crowdedStreams.isEmpty {
      readIsWaiting = false
      context.read()
    }
  }

  @discardableResult
  private func forget(_ id: StreamID, _ error: any Error) -> Bool {
    guard streams.forget(id) else { return false }
    end(id, error)
    return true
  }

  private func end(_ id: StreamID, _ error: (any Error)?) {
    becomeUncrowded(id)
    guard let call = calls.removeValue(forKey: id) else { return }
    call.deadline?.cancel()
    call.receiver.end(error)
    for sender in takeSenders(on: id) { sender.fail(error ?? RPCError.cancelled) }
    closeIfUsedUp()
  }

  private func takeSenders(on id: StreamID? = nil) -> [EventLoopPromise<Void>] {
    guard !senders.isEmpty else { return [] }
    let taken = senders.filter { id == nil || $0.stream == id }
    senders.removeAll { id == nil || $0.stream == id }
    return taken.map(\.promise)
  }

  /// A connection that has no more numbers ends with its last call.
  private func closeIfUsedUp() {
    if isUsedUp && calls.isEmpty { context?.close(promise: nil) }
  }

  // MARK: Channel events

  func handlerAdded(context: ChannelHandlerContext) { self.context = context }

  func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    var bytes = unwrapInboundIn(data)
    if received.readableBytes == 0 { received = bytes } else { received.writeBuffer(&bytes) }
    process(context)
  }

  func channelReadComplete(context: ChannelHandlerContext) {
    arena.release()
    context.fireChannelReadComplete()
  }

  func read(context: ChannelHandlerContext) {
    if crowdedStreams.isEmpty { context.read() } else { readIsWaiting = true }
  }

  func channelWritabilityChanged(context: ChannelHandlerContext) {
    if context.channel.isWritable { resumeSenders() }
    context.fireChannelWritabilityChanged()
  }

  func channelInactive(context: ChannelHandlerContext) {
    // What came before the end counts, whether its consumer is slow or not.
    process(context, isLast: true)
    for id in Array(calls.keys) {
      forget(id, RPCError.unavailable("the connection was closed before the answer came", isUnsent: false))
    }
    context.fireChannelInactive()
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    guard event is IdleStateHandler.IdleStateEvent else { return context.fireUserInboundEventTriggered(event) }
    logger.debug("connection closed: the server has been silent for too long")
    context.close(promise: nil)
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    logger.debug("connection failed", metadata: ["error": "\(error)"])
    context.close(promise: nil)
  }

  // MARK: Frames

  private func process(_ context: ChannelHandlerContext, isLast: Bool = false) {
    guard !isProcessing else { return }
    isProcessing = true
    defer { isProcessing = false }
    do {
      while isLast || crowdedStreams.isEmpty, let frame = try decoder.decode(buffer: &received) {
        switch frame {
        case .frame(let header, let data): try perform(streams.receive(header), data)
        case .oversized(let header): try performOversized(streams.receive(header), header)
        }
      }
    } catch {
      logger.debug("connection closed: the server does not speak ttrpc", metadata: ["error": "\(error)"])
      received = ByteBuffer()
      context.close(promise: nil)
    }
    if received.readableBytes == 0 { received = ByteBuffer() } else { received.discardReadBytes() }
  }

  private func perform(_ action: ClientStreams.Action, _ data: ByteBuffer) throws {
    switch action {
    case .finish(let id): finish(id, data)
    case .deliver(let id, let isLast): deliver(data, to: id, isLast: isLast)
    case .end(let id): end(id, nil)
    case .ignore: break
    case .close(let violation): throw violation
    }
  }

  /// A frame was too long to be kept: its call ends.
  private func performOversized(_ action: ClientStreams.Action, _ header: FrameHeader) throws {
    let error = RPCError.messageTooLarge(header.length, limit: configuration.maximumFrameLength)
    switch action {
    case .finish(let id), .end(let id), .deliver(let id, isLast: true): end(id, error)
    case .deliver(let id, isLast: false): abandon(id, error)
    case .ignore: break
    case .close(let violation): throw violation
    }
  }

  private func deliver(_ data: ByteBuffer, to id: StreamID, isLast: Bool) {
    do {
      try data.withUnsafeReadableBytes { bytes in
        arena.setLimit(forEncodedSize: bytes.count)
        try deliver(bytes, to: id)
      }
      if isLast { end(id, nil) }
    } catch {
      if isLast { end(id, error) } else { abandon(id, error) }
    }
    arena.reset()
  }

  private func deliver(_ message: UnsafeRawBufferPointer, to id: StreamID) throws {
    if try calls[id]?.receiver.message(message, arena) == .wait { crowdedStreams.insert(id) }
  }

  private func finish(_ id: StreamID, _ data: ByteBuffer) {
    let isStream = calls[id]?.receiver.isStream == true
    do {
      try data.withUnsafeReadableBytes { bytes in
        arena.setLimit(forEncodedSize: bytes.count)
        let response = try ResponseEnvelope(decoding: bytes, in: arena)
        if let error = try response.error(in: arena) { throw error }
        // A stream may end with a last message; a unary answer may be an empty one.
        if !isStream || !response.payload.isEmpty { try deliver(response.payload, to: id) }
      }
      end(id, nil)
    } catch let failure as DecodingFailure {
      end(id, RPCError.malformedResponse(failure))
    } catch {
      end(id, error)
    }
    arena.reset()
  }

  // MARK: Output

  private func write(_ frame: ByteBuffer) {
    if output == nil { output = frame } else { output?.writeImmutableBuffer(frame) }
    guard !flushIsScheduled, let context else { return }
    flushIsScheduled = true
    context.eventLoop.assumeIsolated().execute { self.flush() }
  }

  private func flush() {
    flushIsScheduled = false
    arena.release()
    guard let bytes = output, let context else { return }
    output = nil
    context.writeAndFlush(wrapOutboundOut(bytes), promise: nil)
    if context.channel.isWritable { resumeSenders() }
  }

  private func resumeSenders() {
    for sender in takeSenders() { sender.succeed() }
  }
}

extension RPCError {
  static func malformedResponse(_ failure: any Error) -> RPCError {
    RPCError(.internal, reason: "MALFORMED_RESPONSE", "the server's answer cannot be decoded: \(failure)")
  }
}
