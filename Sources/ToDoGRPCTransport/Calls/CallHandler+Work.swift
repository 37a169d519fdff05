#if GRPC
import NIOCore
import NIOHPACK
import NIOHTTP2
import ToDoProtobuf
import ToDoRPC
import ToDoSupport

extension CallHandler {
  /// The outcome of a call.
  enum Outcome: Sendable {
    case answered(OutgoingMessage)
    case streamed
    case failed(RPCError)
    case rejected(RequestRejection)
  }

  // MARK: Work

  /// Decodes the request and starts the method's work.
  func start(_ call: Call, _ request: ByteBuffer, _ context: ChannelHandlerContext) {
    state = .working(call, nil)
    requestBytes = call.method.isStreaming ? 0 : request.readableBytes
    measure()
    guard connection.runningCalls < services.limits.maximumStreams else { return rejectStream(context) }
    let arena = connection.arena
    do {
      try request.withUnsafeReadableBytes { bytes in
        arena.setLimit(forEncodedSize: bytes.count)
        arena.setLimit(ofElements: call.method.maximumElements)
        try start(call, bytes, context)
      }
    } catch {
      end(.failed(RPCError(mapping: error)))
    }
    arena.release()
  }

  private func start(_ call: Call, _ bytes: UnsafeRawBufferPointer, _ context: ChannelHandlerContext) throws {
    let handle = CallHandle(self, context.eventLoop)
    switch call.method.body {
    case .unary(let body):
      switch try body(bytes, connection.arena, call.context) {
      case .ready(let response): end(.answered(response))
      case .pending(let work): run(call, handle) { .answered(try await work()) }
      }
    case .streaming(let body):
      let limit = services.limits.maximumStreamingCalls
      guard connection.streamingCalls < limit else { throw RPCError.tooManyStreams(limit: limit) }
      let work = try body(bytes, connection.arena)
      let (messages, source) = IncomingMessages.make { handle.perform { $0.resumeReading() } }
      if call.method.takesManyMessages, !hasInputEnded { state = .working(call, source) } else { source.finish() }
      let outgoing = OutgoingMessages { (message: consuming OutgoingMessage) in
        try await handle.send(consume message)
      }
      run(call, handle) {
        try await work(call.context, messages, outgoing)
        return .streamed
      }
    case .cancellation: break
    }
  }

  private func run(_ call: Call, _ handle: CallHandle, _ work: @escaping @Sendable () async throws -> Outcome) {
    let (connection, isStreaming) = (handle.connection, call.method.isStreaming)
    self.connection.beginCall(isStreaming: isStreaming)
    if !isStreaming { self.connection.insert(self) }
    let task = call.method.start(on: self.connection.executor) {
      let outcome: Outcome
      do { outcome = try await work() } catch { outcome = .failed(RPCError(mapping: error)) }
      handle.perform { $0.end(outcome) }
      connection.perform { $0.endCall(isStreaming: isStreaming) }
    }
    // The first message may have found the connection closed.
    if case .working = state { self.task = task } else { task.cancel() }
  }

  /// Rejects the stream as unprocessed, so that the client can retry the call safely. Cancelled calls count until their
  /// work has stopped.
  private func rejectStream(_ context: ChannelHandlerContext) {
    abandon()
    context.writeAndFlush(wrapOutboundOut(.rstStream(.refusedStream)), promise: nil)
  }

  // MARK: Responses

  /// Sends one message of a stream. The promise succeeds when the stream can take another one.
  func send(_ message: OutgoingMessage, _ sent: EventLoopPromise<Void>) {
    guard case .working = state, let context else { return sent.fail(RPCError.cancelled) }
    do { try write(message, context) } catch { return sent.fail(error) }
    context.flush()
    if context.channel.isWritable { sent.succeed() } else { waiters.append(sent) }
  }

  /// Ends the call: sends the rest of the response, and the status. Has no effect if the call has ended.
  func end(_ outcome: Outcome) {
    if case .ended = state { return }
    stop()
    guard let context else { return }
    var trailers = HPACKHeaders.success
    switch outcome {
    case .answered(let message):
      do { try write(message, context) } catch { trailers = failure(error) }
    case .streamed: writeHeadersIfNeeded(context)
    case .failed(let error): trailers = failure(error)
    case .rejected(.status(let error)): trailers = failure(error)
    case .rejected(.http(let status)): trailers = .http(status)
    }
    let sent = context.eventLoop.makePromise(of: Void.self)
    context.writeAndFlush(wrapOutboundOut(.headers(.init(headers: trailers, endStream: true))), promise: sent)
    guard !hasInputEnded else { return }
    // With this error code, the caller need not send the rest of its request.
    sent.futureResult.assumeIsolated().whenSuccess {
      self.context?.writeAndFlush(self.wrapOutboundOut(.rstStream(.noError)), promise: nil)
    }
  }

  private func failure(_ error: RPCError) -> HPACKHeaders {
    hasSentHeaders ? .failure(error) : .onlyFailure(error)
  }

  private func write(_ message: OutgoingMessage, _ context: ChannelHandlerContext) throws(RPCError) {
    var bytes = context.channel.allocator.buffer(capacity: 256)
    bytes.writeInteger(UInt8(0))
    bytes.writeInteger(UInt32(0))
    let start = bytes.writerIndex
    message.write(to: &bytes, connection.arena)
    connection.arena.release()
    let (length, limit) = (bytes.writerIndex - start, services.limits.maximumResponseLength)
    guard length <= limit else { throw .messageTooLarge(length, limit: limit) }
    bytes.setInteger(UInt32(length), at: start - 4)
    writeHeadersIfNeeded(context)
    let count = bytes.readableBytes
    connection.beginSending(count)
    // Succeeds when the system has accepted the message. Fails if the stream or the connection ends first.
    let sent = context.eventLoop.makePromise(of: Void.self)
    sent.futureResult.assumeIsolated().whenComplete { [connection] _ in connection.endSending(count) }
    context.write(wrapOutboundOut(.data(.init(data: .byteBuffer(bytes)))), promise: sent)
  }

  private func writeHeadersIfNeeded(_ context: ChannelHandlerContext) {
    guard !hasSentHeaders else { return }
    hasSentHeaders = true
    context.write(wrapOutboundOut(.headers(.init(headers: .response))), promise: nil)
  }

  func resumeWaiters() {
    let resumed = waiters
    waiters = []
    for waiter in resumed { waiter.succeed() }
  }

  // MARK: The end

  /// Cancels the work of a stream that has been reset or closed, because no response can be delivered.
  func abandon() {
    if case .ended = state { return }
    stop()
  }

  /// Discards the request and cancels the work.
  private func stop() {
    if case .working(_, let input) = state { input?.finish(CancellationError()) }
    if case .receiving = state, hasInputEnded { connection.stopWaiting(self) }
    state = .ended
    connection.remove(self)
    task?.cancel()
    discardInput()
    requestTimer?.cancel()
    deadlineTimer?.cancel()
    for waiter in waiters { waiter.fail(CancellationError()) }
    waiters = []
  }
}

// MARK: - Time

extension CallHandler {
  /// The maximum timeout that clocks can represent.
  private static let maximumTimeout = Duration.seconds(365 * 24 * 3600)

  func startTimers(_ call: Call, _ context: ChannelHandlerContext) {
    startRequestTimer(context)
    let limits = services.limits
    let timeout =
      call.method.isStreaming
      ? call.timeout.map { min($0, Self.maximumTimeout) }
      : min(call.timeout ?? limits.defaultDeadline, limits.maximumDeadline)
    guard let timeout else { return }
    deadlineTimer = context.eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(timeout)) {
      self.end(.failed(.deadlineExceeded))
    }
  }

  /// Starts the time of the message that is arriving. It is the same as for a ttrpc frame.
  func startRequestTimer(_ context: ChannelHandlerContext) {
    began = context.eventLoop.now
    requestTimer?.cancel()
    checkRequestTime(after: TimeAmount(services.limits.frameTime), context)
  }

  private func checkRequestTime(after time: TimeAmount, _ context: ChannelHandlerContext) {
    requestTimer = context.eventLoop.assumeIsolated().scheduleTask(in: time) { self.checkRequestTime() }
  }

  private func checkRequestTime() {
    guard let context, let length = pendingLength else { return }
    let now = context.eventLoop.now
    // The caller is not late while the server does not read.
    if isReadingPaused { return startRequestTimer(context) }
    let rate = Int64(services.limits.frameRate)
    let end = began + TimeAmount(services.limits.frameTime) + .nanoseconds(Int64(length) * 1_000_000_000 / rate)
    if end <= now { self.end(.failed(.requestTooSlow)) } else { checkRequestTime(after: end - now, context) }
  }
}
#endif
