#if GRPC
import NIOCore
import ToDoRPC
import ToDoTransport

/// Passes on whole HTTP/2 frames only, retains at most one incomplete frame, meters it, and closes the connection if it
/// does not become complete in time.
///
/// NIO's frame decoder discards the bytes that it has decoded only when none remain. If no read ended with a frame, it
/// would retain megabytes. The handler therefore comes before it.
final class FrameHandler: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  typealias InboundOut = ByteBuffer

  /// A frame did not become complete in time.
  struct FrameTooSlow: Error {}

  private let limits: ServerLimits
  private var splitter = FrameSplitter()
  private var meter: BufferMeter
  /// The incomplete frame at the last read, and the time of its first byte.
  private var pending: (frame: FrameSplitter.Pending, began: NIODeadline)?
  private var timer: (time: NIODeadline, task: Scheduled<Void>)?
  private var context: ChannelHandlerContext?

  init(_ limits: ServerLimits, _ account: ConnectionAccount) {
    self.limits = limits
    meter = BufferMeter(account)
  }

  // MARK: Channel events

  func handlerAdded(context: ChannelHandlerContext) { self.context = context }

  func handlerRemoved(context: ChannelHandlerContext) {
    stopTimer()
    self.context = nil
  }

  func channelInactive(context: ChannelHandlerContext) {
    stopTimer()
    meter.end()
    context.fireChannelInactive()
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    splitter.append(unwrapInboundIn(data))
    do {
      while let frames = try splitter.next() { context.fireChannelRead(wrapInboundOut(frames)) }
    } catch {
      context.fireErrorCaught(error)
    }
    guard context.channel.isActive else { return }
    meter.keep(splitter.bufferedBytes)
    recordPending(context)
  }

  // MARK: Time

  private func recordPending(_ context: ChannelHandlerContext) {
    guard let frame = splitter.pending else { return pending = nil }
    let isSame = pending?.frame.number == frame.number
    let began = isSame ? pending?.began : nil
    pending = (frame, began ?? context.eventLoop.now)
    if let deadline { scheduleTimer(by: deadline, context) }
  }

  private var deadline: NIODeadline? {
    pending.map { pending in
      let time = Int64(pending.frame.length) * 1_000_000_000 / Int64(limits.frameRate)
      return pending.began + TimeAmount(limits.frameTime) + .nanoseconds(time)
    }
  }

  /// Schedules the only timer. It is not canceled when the frame is complete, because most are within microseconds.
  private func scheduleTimer(by time: NIODeadline, _ context: ChannelHandlerContext) {
    if let timer, timer.time <= time { return }
    timer?.task.cancel()
    timer = (time, context.eventLoop.assumeIsolated().scheduleTask(deadline: time) { self.timerFired() })
  }

  private func timerFired() {
    guard let due = timer?.time, let context else { return }
    timer = nil
    guard let deadline else { return }
    let now = context.eventLoop.now
    // If the timer is late, this process was suspended. It has not yet read what the client sent in that time.
    if now - due > .seconds(1) { return scheduleTimer(by: now + .seconds(1), context) }
    if deadline > now { return scheduleTimer(by: deadline, context) }
    context.fireErrorCaught(FrameTooSlow())
  }

  private func stopTimer() {
    timer?.task.cancel()
    timer = nil
  }
}
#endif
