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
  private var streams = ClientStreams()
  private var calls: [StreamID: Call] = [:]
  private var received = ByteBuffer()
  private var output: ByteBuffer?
  private var context: ChannelHandlerContext?
  private var crowdedStreams: Set<StreamID> = []
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
  }

  // MARK: Calls

  /// Opens a stream and sends its request, in one turn of the event loop.
  func start(_ request: RequestFrame, _ progress: CallProgressBox, _ receiver: CallReceiver) {
    if case .cancelled = progress.value { return receiver.end(CancellationError()) }
    guard let context, context.channel.isActive else {
      return receiver.end(RPCError.unavailable("the connection is closed", isUnsent: true))
    }
    guard streams.count < configuration.maximumCalls, let id = streams.open(request.kind) else {
      var error = RPCError(
        .resourceExhausted, reason: "TOO_MANY_CALLS", "the connection can take no more calls")
      error.isUnsent = true
      return receiver.end(error)
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
    guard forget(id, CancellationError()), let cancellation = configuration.cancellation else { return }
    guard let context, context.channel.isActive, let stream = streams.open(.unary) else { return }
    // Its answer says nothing: nobody waits for it.
    _ = streams.forget(stream)
    let message = cancellation.message(id)
    if let frame = try? RequestFrame(cancellation.method, message, kind: .unary, arena: arena) {
      write(frame.frame(for: stream))
    }
  }

  /// Sends one more message, or none, on a stream that its caller keeps open.
  func send(_ message: OutgoingMessage?, isLast: Bool, _ progress: CallProgressBox) {
    guard case .open(let id) = progress.value, streams.send(on: id, isLast: isLast) else { return }
    var flags: FrameFlags = isLast ? .remoteClosed : []
    if message == nil { flags.insert(.noData) }
    var frame = ByteBuffer()
    frame.writeFrameHeader(FrameHeader(length: 0, streamID: id, type: .data, flags: flags))
    if let message {
      frame.writeMessage(message.build(arena))
      arena.release()
    }
    frame.setInteger(UInt32(frame.readableBytes - FrameHeader.size), at: 0)
    write(frame)
  }

  /// A stream's consumer has caught up.
  func resume(_ progress: CallProgressBox) {
    guard case .open(let id) = progress.value, crowdedStreams.remove(id) != nil, let context else { return }
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
    crowdedStreams.remove(id)
    guard let call = calls.removeValue(forKey: id) else { return }
    call.deadline?.cancel()
    call.receiver.end(error)
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

  func channelInactive(context: ChannelHandlerContext) {
    for id in Array(calls.keys) {
      forget(id, RPCError.unavailable("the connection was closed before the answer came", isUnsent: false))
    }
    context.fireChannelInactive()
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    logger.debug("connection failed", metadata: ["error": "\(error)"])
    context.close(promise: nil)
  }

  // MARK: Frames

  private func process(_ context: ChannelHandlerContext) {
    guard !isProcessing else { return }
    isProcessing = true
    defer { isProcessing = false }
    do {
      while crowdedStreams.isEmpty, let frame = try decoder.decode(buffer: &received) {
        switch frame {
        case .frame(let header, let data): try perform(streams.receive(header), data)
        case .oversized(let header):
          let limit = configuration.maximumFrameLength
          forget(header.streamID, RPCError.messageTooLarge(header.length, limit: limit))
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
    case .deliver(let id, let isLast):
      data.withUnsafeReadableBytes { bytes in
        arena.setLimit(forEncodedSize: bytes.count)
        deliver(bytes, to: id)
      }
      arena.reset()
      if isLast { end(id, nil) }
    case .end(let id): end(id, nil)
    case .ignore: break
    case .close(let violation): throw violation
    }
  }

  private func deliver(_ message: UnsafeRawBufferPointer, to id: StreamID) {
    guard let call = calls[id] else { return }
    do {
      if try call.receiver.message(message, arena) == .wait { crowdedStreams.insert(id) }
    } catch {
      _ = streams.forget(id)
      end(id, error)
    }
  }

  private func finish(_ id: StreamID, _ data: ByteBuffer) {
    let isStream = calls[id]?.receiver.isStream == true
    do {
      try data.withUnsafeReadableBytes { bytes in
        arena.setLimit(forEncodedSize: bytes.count)
        let response = try ResponseEnvelope(decoding: bytes, in: arena)
        if let error = try response.error(in: arena) { throw error }
        // A stream may end with a last message; a unary answer may be an empty one.
        if !isStream || !response.payload.isEmpty { deliver(response.payload, to: id) }
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
  }
}

extension RPCError {
  static func malformedResponse(_ failure: DecodingFailure) -> RPCError {
    RPCError(.internal, reason: "MALFORMED_RESPONSE", "the server's answer cannot be decoded: \(failure)")
  }
}
