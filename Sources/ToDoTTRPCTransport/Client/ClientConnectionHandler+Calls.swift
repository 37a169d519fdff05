import Logging
import NIOCore
import ToDoProtobuf
import ToDoRPC
import ToDoTTRPC

/// The calls of a connection, from their start to their end.
extension ClientConnectionHandler {
  /// Opens a stream and sends its request, in one turn of the event loop.
  func start(_ request: RequestFrame, _ progress: CallProgressBox, _ receiver: CallReceiver) {
    if case .cancelled = progress.value { return receiver.end(CancellationError()) }
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
      progress.value = .cancelled
      return
    }
    abandon(id, CancellationError())
  }

  /// Ends a call that is in flight in the server, and cancels it there.
  func abandon(_ id: StreamID, _ error: any Error) {
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
  /// back-pressure: if the server waits to send, it does not read that its stream is cancelled.
  func releaseBackpressure(on id: StreamID) {
    guard backpressuredStreams.remove(id) != nil, backpressuredStreams.isEmpty, let context else { return }
    process(context)
    if readIsWaiting, backpressuredStreams.isEmpty {
      readIsWaiting = false
      context.read()
    }
  }

  @discardableResult
  func forget(_ id: StreamID, _ error: any Error) -> Bool {
    guard streams.forget(id) else { return false }
    end(id, error)
    return true
  }

  func end(_ id: StreamID, _ error: (any Error)?) {
    releaseBackpressure(on: id)
    guard let call = calls.removeValue(forKey: id) else { return }
    call.deadline?.cancel()
    call.receiver.end(error)
    for sender in takeSenders(on: id) { sender.fail(error ?? RPCError.cancelled) }
    closeIfStreamIDsExhausted()
  }

  func takeSenders(on id: StreamID? = nil) -> [EventLoopPromise<Void>] {
    guard !senders.isEmpty else { return [] }
    let taken = senders.filter { id == nil || $0.stream == id }
    senders.removeAll { id == nil || $0.stream == id }
    return taken.map(\.promise)
  }

  /// Closes a connection without unused stream IDs when its last call has ended.
  func closeIfStreamIDsExhausted() {
    if hasExhaustedStreamIDs && calls.isEmpty { context?.close(promise: nil) }
  }
}
