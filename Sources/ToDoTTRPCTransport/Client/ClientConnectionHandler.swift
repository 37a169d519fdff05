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

  let configuration: ClientConfiguration
  let logger: Logger
  let arena = Arena()
  var reader: FrameReader
  var streams: ClientStreams
  var calls: [StreamID: Call] = [:]
  /// The number of the frame that is arriving, and the time when it began.
  var frameBegan: (number: Int, time: NIODeadline)?
  var output: ByteBuffer?
  var context: ChannelHandlerContext?
  var backpressuredStreams: Set<StreamID> = []
  /// The senders that wait until they can send on a stream.
  var senders: [(stream: StreamID, promise: EventLoopPromise<Void>)] = []
  var hasExhaustedStreamIDs = false
  var readIsWaiting = false
  var isProcessing = false
  var flushIsScheduled = false

  struct Call {
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

  func process(_ context: ChannelHandlerContext, isLast: Bool = false) {
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
  func isFrameOverdue(at time: NIODeadline) -> Bool {
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

  func write(_ frame: ByteBuffer) {
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
