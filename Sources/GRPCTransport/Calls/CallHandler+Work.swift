#if GRPC
  import Protobuf
  import Waiters
  import RPC
  import NIOCore
  import NIOHPACK
  import NIOHTTP2

  extension CallHandler {
    /// How a call ends.
    enum Outcome: Sendable {
      case answered(OutgoingMessage)
      case streamed
      case failed(RPCError)
      case refused(RequestRefusal)
    }

    // MARK: Work

    /// Decodes the request and starts the method's work.
    func start(_ call: Call, _ request: ByteBuffer, _ context: ChannelHandlerContext) {
      state = .working(call, nil)
      requestBytes = call.method.isStreaming ? 0 : request.readableBytes
      measure()
      guard connection.runningCalls < services.limits.maximumStreams else { return refuseStream(context) }
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
        let outgoing = OutgoingMessages { try await handle.send($0) }
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
      // A stream's work is not run on the event loop: it could keep that busy for as long as there is room to send.
      let task = Task.immediate(executorPreference: isStreaming ? nil : self.connection.executor) {
        let outcome: Outcome
        do { outcome = try await work() } catch { outcome = .failed(RPCError(mapping: error)) }
        handle.perform { $0.end(outcome) }
        connection.perform { $0.endCall(isStreaming: isStreaming) }
      }
      // The first message may have found the connection closed.
      if case .working = state { self.task = task } else { task.cancel() }
    }

    /// Tells the client that the call was not begun, so that the client may repeat it. Calls that were cancelled count
    /// until their work has stopped.
    private func refuseStream(_ context: ChannelHandlerContext) {
      abandon()
      context.writeAndFlush(wrapOutboundOut(.rstStream(.refusedStream)), promise: nil)
    }

    // MARK: Answers

    /// Sends one message of a stream. The promise succeeds when the stream can take another.
    func send(_ message: OutgoingMessage, _ sent: EventLoopPromise<Void>) {
      guard case .working = state, let context else { return sent.fail(RPCError.cancelled) }
      do { try write(message, context) } catch { return sent.fail(error) }
      context.flush()
      if context.channel.isWritable { sent.succeed() } else { waiters.append(sent) }
    }

    /// Ends the call: sends what is left of the answer, and the status. Without effect if the call has ended.
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
      case .refused(.status(let error)): trailers = failure(error)
      case .refused(.http(let status)): trailers = .http(status)
      }
      let sent = context.eventLoop.makePromise(of: Void.self)
      context.writeAndFlush(wrapOutboundOut(.headers(.init(headers: trailers, endStream: true))), promise: sent)
      guard !hasInputEnded else { return }
      // The caller need not send the rest of its request.
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
      // Completes when the system has the message, and fails when the stream or the connection has ended before.
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

    /// The stream is gone: cancels the work, as no answer can be delivered.
    func abandon() {
      if case .ended = state { return }
      stop()
    }

    /// Takes no more of the request, keeps nothing of it, and cancels the work if that has not finished.
    private func stop() {
      if case .working(_, let input) = state { input?.finish(CancellationError()) }
      if case .receiving = state, hasInputEnded { connection.stopWaiting(self) }
      state = .ended
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
    /// Beyond this no clock can be read.
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

    /// The message that arrives has as much time as a frame of ttrpc.
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
      // A caller that the server does not read from is not late.
      if isReadingPaused { return startRequestTimer(context) }
      let rate = Int64(services.limits.frameRate)
      let end = began + TimeAmount(services.limits.frameTime) + .nanoseconds(Int64(length) * 1_000_000_000 / rate)
      if end <= now { self.end(.failed(.requestTooSlow)) } else { checkRequestTime(after: end - now, context) }
    }
  }
#endif
