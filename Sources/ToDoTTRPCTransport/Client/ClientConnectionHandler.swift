import Logging
import NIOCore
import ToDoProtobuf
import ToDoRPC
import ToDoTTRPC

/// Speaks ttrpc on one connection to a server: encodes requests as frames, and delivers received frames to their calls.
///
/// Requests that start in one turn of the event loop share a write. `ClientStreams` makes the decisions; this class only
/// translates.
final class ClientConnectionHandler: ChannelDuplexHandler {
  typealias InboundIn = ByteBuffer
  typealias InboundOut = Never
  typealias OutboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  private let configuration: ClientConfiguration
  private let logger: Logger
  private let arena = Arena()
  private var reader: FrameReader
  private var streams: ClientStreams
  private var calls: [StreamID: Call] = [:]
  /// The number of the frame that is arriving, and the time when it began.
  private var frameBegan: (number: Int, time: NIODeadline)?
  private var output: ByteBuffer?
  private var context: ChannelHandlerContext?
  private var backpressuredStreams: Set<StreamID> = []
  /// The senders that wait until they can send on a stream.
  private var senders: [(stream: StreamID, promise: EventLoopPromise<Void>)] = []
  private var hasExhaustedStreamIDs = false
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
    reader = FrameReader(maximumLength: configuration.maximumFrameLength)
    streams = ClientStreams(firstID: configuration.firstStreamID)
  }

  // MARK: Channel events

  func handlerAdded(context: ChannelHandlerContext) { self.context = context }

  func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    reader.append(unwrapInboundIn(data))
    process(context)
  }

  func channelReadComplete(context: ChannelHandlerContext) {
    arena.release()
    context.fireChannelReadComplete()
  }

  func read(context: ChannelHandlerContext) {
    if backpressuredStreams.isEmpty { context.read() } else { readIsWaiting = true }
  }

  func channelWritabilityChanged(context: ChannelHandlerContext) {
    if context.channel.isWritable { resumeSenders() }
    context.fireChannelWritabilityChanged()
  }

  func channelInactive(context: ChannelHandlerContext) {
    // Deliver the frames that arrived before the end, even to slow consumers.
    process(context, isLast: true)
    for id in Array(calls.keys) {
      forget(id, RPCError.unavailable("the connection was closed before the response arrived", isUnsent: false))
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
      while isLast || backpressuredStreams.isEmpty, let frame = try reader.next() {
        switch frame {
        case .frame(let header, let data): try perform(streams.receive(header), data)
        case .oversized(let header): try performOversized(streams.receive(header), header)
        }
      }
    } catch {
      logger.debug("connection closed: the server does not speak ttrpc", metadata: ["error": "\(error)"])
      reader.discard()
      context.close(promise: nil)
    }
    reader.compact()
    recordFrame(context)
  }

  private func recordFrame(_ context: ChannelHandlerContext) {
    // A frame that waits for a slow consumer is not late.
    guard reader.pendingLength != nil, backpressuredStreams.isEmpty else { return frameBegan = nil }
    if frameBegan?.number != reader.frameCount { frameBegan = (reader.frameCount, context.eventLoop.now) }
  }

  /// Whether the frame that is arriving has exceeded its time.
  private func isFrameOverdue(at time: NIODeadline) -> Bool {
    guard let began = frameBegan?.time else { return false }
    let seconds = (reader.pendingLength ?? 0) / configuration.frameRate
    return began + TimeAmount(configuration.frameTime + .seconds(seconds)) <= time
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

  /// Ends the call of a frame whose data exceeded the limit and was discarded.
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
    if try calls[id]?.receiver.message(message, arena) == .wait { backpressuredStreams.insert(id) }
  }

  private func finish(_ id: StreamID, _ data: ByteBuffer) {
    let isStream = calls[id]?.receiver.isStream == true
    do {
      try data.withUnsafeReadableBytes { bytes in
        arena.setLimit(forEncodedSize: bytes.count)
        let response = try ResponseEnvelope(decoding: bytes, in: arena)
        if let error = try response.error(in: arena) { throw error }
        // A stream may end with a last message. An empty unary response is a message too.
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

// MARK: - Calls

/// The calls of a connection, from their start to their end.
extension ClientConnectionHandler {
  /// Opens a stream and sends its request, in one turn of the event loop.
  func start(_ request: RequestFrame, _ progress: CallProgressBox, _ receiver: CallReceiver) {
    if case .canceled = progress.value { return receiver.end(CancellationError()) }
    guard let context, context.channel.isActive else {
      return receiver.end(RPCError.unavailable("the connection is closed", isUnsent: true))
    }
    guard streams.count < configuration.maximumCalls, !isWriteBufferFull(context) else {
      var error = RPCError(
        .resourceExhausted, reason: "TOO_MANY_CALLS", "the connection can take no more calls")
      error.isUnsent = true
      return receiver.end(error)
    }
    guard let id = streams.open(request.kind) else {
      hasExhaustedStreamIDs = true
      receiver.end(RPCError.unavailable("the connection has used all stream IDs", isUnsent: true))
      return closeIfStreamIDsExhausted()
    }
    progress.value = .open(id)
    let deadline = request.timeout.map { timeout in
      context.eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(timeout)) {
        self.expire(id)
      }
    }
    calls[id] = Call(receiver: receiver, deadline: deadline)
    write(request.frame(for: id))
  }

  /// Whether the number of unsent bytes exceeds the limit, because the server does not read.
  private func isWriteBufferFull(_ context: ChannelHandlerContext) -> Bool {
    // Querying the number costs too much for every call.
    guard !context.channel.isWritable else { return false }
    let unsent = (try? context.channel.syncOptions?.getOption(.bufferedWritableBytes)) ?? 0
    return unsent + (output?.readableBytes ?? 0) > configuration.maximumUnsentBytes
  }

  /// Ends a call whose deadline has passed. If a frame of the server has exceeded its time too, closes the connection, so
  /// that the next call uses another one.
  private func expire(_ id: StreamID) {
    forget(id, RPCError.deadlineExceeded)
    guard let context, isFrameOverdue(at: context.eventLoop.now) else { return }
    logger.debug("connection closed: the server has not ended a frame in time")
    context.close(promise: nil)
  }

  /// Cancels a call whose caller no longer waits.
  func cancel(_ progress: CallProgressBox) {
    guard case .open(let id) = progress.value else {
      progress.value = .canceled
      return
    }
    abandon(id, CancellationError())
  }

  /// Ends a call that is in flight in the server, and cancels it there.
  private func abandon(_ id: StreamID, _ error: any Error) {
    guard forget(id, error), let cancellation = configuration.cancellation else { return }
    guard let context, context.channel.isActive, !isWriteBufferFull(context), let stream = streams.open(.unary) else {
      return
    }
    // The response to the cancellation is not needed.
    _ = streams.forget(stream)
    let message = cancellation.message(id)
    if let frame = try? RequestFrame(cancellation.method, message, kind: .unary, arena: arena) {
      write(frame.frame(for: stream))
    }
  }

  /// Sends a further message on an open stream, or closes the client's side. The promise succeeds when the connection can
  /// take another message.
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

  /// The number of collected bytes at which senders on streams wait.
  private static let largeOutput = 256 << 10

  private func dataFrame(_ message: OutgoingMessage?, isLast: Bool, on id: StreamID) -> ByteBuffer {
    var flags: FrameFlags = isLast ? .remoteClosed : []
    if message == nil { flags.insert(.noData) }
    var frame = ByteBuffer()
    frame.writeFrameHeader(FrameHeader(length: 0, streamID: id, type: .data, flags: flags))
    if let message {
      message.write(to: &frame, arena)
      arena.release()
    }
    frame.setInteger(UInt32(frame.readableBytes - FrameHeader.size), at: 0)
    return frame
  }

  /// Resumes reading after the consumer of a stream has caught up.
  func resume(_ progress: CallProgressBox) {
    guard case .open(let id) = progress.value else { return }
    releaseBackpressure(on: id)
  }

  /// Resumes reading if this was the last stream with a slow consumer. A stream that has ended must not apply
  /// back-pressure: if the server waits to send, it does not read that its stream is canceled.
  private func releaseBackpressure(on id: StreamID) {
    guard backpressuredStreams.remove(id) != nil, backpressuredStreams.isEmpty, let context else { return }
    process(context)
    if readIsWaiting, backpressuredStreams.isEmpty {
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
    releaseBackpressure(on: id)
    guard let call = calls.removeValue(forKey: id) else { return }
    call.deadline?.cancel()
    call.receiver.end(error)
    for sender in takeSenders(on: id) { sender.fail(error ?? RPCError.cancelled) }
    closeIfStreamIDsExhausted()
  }

  private func takeSenders(on id: StreamID? = nil) -> [EventLoopPromise<Void>] {
    guard !senders.isEmpty else { return [] }
    let taken = senders.filter { id == nil || $0.stream == id }
    senders.removeAll { id == nil || $0.stream == id }
    return taken.map(\.promise)
  }

  /// Closes a connection without unused stream IDs when its last call has ended.
  private func closeIfStreamIDsExhausted() {
    if hasExhaustedStreamIDs && calls.isEmpty { context?.close(promise: nil) }
  }
}

/// The receiver of a call's messages. It belongs to the connection's event loop.
struct CallReceiver {
  enum Demand { case more, wait }

  let isStream: Bool
  /// Receives a message, whose bytes are valid only during the call. Returns whether the receiver can take another one
  /// immediately.
  let message: (UnsafeRawBufferPointer, Arena) throws -> Demand
  /// Called once, when the call has ended, with the error if it failed.
  let end: ((any Error)?) -> Void
}

/// The progress of a call, which makes it possible to cancel the call before it has a stream.
enum CallProgress {
  case waiting
  case canceled
  case open(StreamID)
}

typealias CallProgressBox = NIOLoopBoundBox<CallProgress>
