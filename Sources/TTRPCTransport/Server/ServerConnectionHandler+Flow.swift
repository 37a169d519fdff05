import Logging
import NIOCore
import Protobuf
import RPC
import TTRPC

extension ServerConnectionHandler {
  // MARK: Reading

  /// Whether the limits permit more requests and their responses.
  func mayRead(_ context: ChannelHandlerContext) -> Bool {
    !isClosing && !streams.isFull && requestBytes < configuration.inputPause && backpressuredStreams.isEmpty
      && context.channel.isWritable
  }

  func resumeReading(_ context: ChannelHandlerContext) {
    guard !isProcessing, context.channel.isActive else { return }
    isProcessing = true
    process(context)
    isProcessing = false
    recordRead(context)
    flushSoon()
    guard readIsWaiting, mayRead(context) else { return }
    readIsWaiting = false
    context.read()
  }

  // MARK: Writing

  typealias WriteMessage = @Sendable (inout FrameWriter, Arena) throws(RPCError) -> Void

  /// Sends one message of a stream. The promise succeeds when the connection can take another one.
  func send(on id: StreamID, _ sent: EventLoopPromise<Void>, _ write: WriteMessage) {
    guard let context, context.channel.isActive else { return sent.fail(CancellationError()) }
    guard streams.canSend(on: id) else { return sent.fail(RPCError.cancelled) }
    do { try write(&output, arena) } catch { return sent.fail(error) }
    flushSoon()
    if context.channel.isWritable && !output.isLarge { sent.succeed() } else { output.wait(sent, on: id) }
  }

  func flushSoon() {
    guard !isProcessing, let context, output.needsFlush else { return }
    if output.isLarge {
      recordWrite(context)
      flush(context)
    }
    guard !flushIsScheduled, output.needsFlush else { return }
    flushIsScheduled = true
    context.eventLoop.assumeIsolated().execute {
      self.flushIsScheduled = false
      self.recordWrite(context)
      self.flush(context)
    }
  }

  func flush(_ context: ChannelHandlerContext) {
    arena.release()
    guard let bytes = output.takeBytes() else { return }
    write(bytes, nil, context)
    if context.channel.isWritable { output.resumeWaiters() }
  }

  private func write(_ bytes: ByteBuffer, _ promise: EventLoopPromise<Void>?, _ context: ChannelHandlerContext) {
    meter.write(bytes.readableBytes)
    context.writeAndFlush(wrapOutboundOut(bytes), promise: promise)
    guard !isClosing else { return }
    // If the write has filled the channel, the channel has already measured the output.
    if meter.isUpdateDue { measureOutput(context) }
    if meter.unsent > configuration.outputLimit { abort(context, because: .outputFull) }
  }

  func measureOutput(_ context: ChannelHandlerContext) {
    let unsent = try? context.channel.syncOptions?.getOption(.bufferedWritableBytes)
    meter.update(unsent: unsent ?? 0)
  }

  // MARK: Closing

  func closeIfDrained(_ context: ChannelHandlerContext) {
    if streams.isDrained { close(context, because: .shuttingDown) }
  }

  /// Cancels the calls in flight, sends the pending responses, and closes the connection when they are sent.
  func close(_ context: ChannelHandlerContext, because reason: CloseReason) {
    guard !isClosing else { return }
    logger.debug("connection closed", metadata: ["reason": "\(reason)"])
    isClosing = true
    endCalls()
    let sent = context.eventLoop.makePromise(of: Void.self)
    write(output.takeBytes() ?? ByteBuffer(), sent, context)
    // If the peer does not read, the connection is closed anyway when the timer fires.
    stopTimer()
    scheduleTimer(by: context.eventLoop.now + TimeAmount(configuration.closingTime), context)
    let channel = context.channel
    sent.futureResult.whenComplete { _ in channel.close(promise: nil) }
  }

  /// Closes the connection immediately. Pending responses are lost.
  func abort(_ context: ChannelHandlerContext, because reason: CloseReason) {
    logger.debug("connection aborted", metadata: ["reason": "\(reason)"])
    isClosing = true
    endCalls()
    meter.end()
    context.close(promise: nil)
  }
}
