import Logging
import NIOCore
import ToDoProtobuf
import ToDoRPC
import ToDoTTRPC

/// The writes of a connection, and its closing.
extension ServerConnectionHandler {
  // MARK: Writing

  /// Writes the frames that were collected outside of a read: at the end of this turn of the event loop, or immediately if
  /// they are large.
  func flushSoon(_ context: ChannelHandlerContext) {
    guard !input.isProcessing else { return }
    switch output.flushDue() {
    case .none: break
    case .now:
      recordWrite(context)
      flush(context)
    case .later:
      context.eventLoop.assumeIsolated().execute {
        self.output.startFlush()
        self.recordWrite(context)
        self.flush(context)
      }
    }
  }

  func flush(_ context: ChannelHandlerContext) {
    arena.release()
    guard let bytes = output.takeFrames() else { return }
    write(bytes, nil, context)
    if context.channel.isWritable { output.resumeSenders() }
  }

  private func write(_ bytes: ByteBuffer, _ promise: EventLoopPromise<Void>?, _ context: ChannelHandlerContext) {
    context.writeAndFlush(wrapOutboundOut(bytes), promise: promise)
    guard !input.isEnded else { return }
    // If the write has filled the channel, the channel has already measured the output.
    if output.isMeasurementDue { measureOutput(context) }
    if output.isOverLimit { abort(context, because: .outputFull) }
  }

  func measureOutput(_ context: ChannelHandlerContext) {
    let unsent = try? context.channel.syncOptions?.getOption(.bufferedWritableBytes)
    output.measure(unsent: unsent ?? 0)
  }

  // MARK: Closing

  func closeIfDrained(_ context: ChannelHandlerContext) {
    if calls.isDrained { close(context, because: .shuttingDown) }
  }

  /// Cancels the calls in flight, sends the pending responses, and closes the connection when they are sent.
  func close(_ context: ChannelHandlerContext, because reason: CloseReason) {
    guard !input.isEnded else { return }
    logger.debug("connection closed", metadata: ["reason": "\(reason)"])
    input.end()
    calls.end()
    let sent = context.eventLoop.makePromise(of: Void.self)
    write(output.close() ?? ByteBuffer(), sent, context)
    // If the peer does not read, the connection is closed anyway when the timer fires.
    stopTimer()
    scheduleTimer(by: context.eventLoop.now + TimeAmount(configuration.closingTime), context)
    let channel = context.channel
    sent.futureResult.whenComplete { _ in channel.close(promise: nil) }
  }

  /// Closes the connection immediately. Pending responses are lost.
  func abort(_ context: ChannelHandlerContext, because reason: CloseReason) {
    logger.debug("connection aborted", metadata: ["reason": "\(reason)"])
    end()
    context.close(promise: nil)
  }

  /// Ends the three parts of a connection on which nothing more is received or sent.
  func end() {
    input.end()
    calls.end()
    _ = output.close()
    output.endMetering()
  }
}
