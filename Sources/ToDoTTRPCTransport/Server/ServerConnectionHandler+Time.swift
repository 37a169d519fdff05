import NIOCore
import ToDoRPC
import ToDoTTRPC

/// The connection's only timer. It fires when a timeout or a deadline may have expired, which is rare. Scheduling it
/// costs nothing unless it must fire earlier than it already would.
extension ServerConnectionHandler {
  func startTimer(_ context: ChannelHandlerContext) {
    let now = context.eventLoop.now
    timeouts = ConnectionTimeouts(opened: now, configuration)
    scheduleTimer(by: timeouts.nextCheck(after: now), context)
  }

  func stopTimer() {
    timer?.task.cancel()
    timer = nil
  }

  /// Makes the timer fire at or before a time.
  func scheduleTimer(by time: NIODeadline, _ context: ChannelHandlerContext) {
    if let timer, timer.time <= time { return }
    timer?.task.cancel()
    let task = context.eventLoop.assumeIsolated().scheduleTask(deadline: time) { self.timerFired() }
    timer = (time, task)
  }

  private func timerFired() {
    guard let due = timer?.time, let context else { return }
    timer = nil
    // A peer whose connection is being closed has had its time to read.
    if input.isEnded { return context.close(promise: nil) }
    let now = context.eventLoop.now
    let deadline = calls.expire(at: now)
    flushSoon(context)
    switch checkTimeouts(at: now, due: due, context) {
    case .timedOut(let timeout): abort(context, because: .timedOut(timeout))
    case .checkAgain(let time): scheduleTimer(by: min(deadline ?? time, time), context)
    }
  }

  private func checkTimeouts(
    at now: NIODeadline, due: NIODeadline, _ context: ChannelHandlerContext
  ) -> ConnectionTimeouts.CheckResult {
    measureOutput(context)
    calls.countQueuedBytes()
    holdBytes()
    return timeouts.check(at: now, due: due, isBusy: calls.isBusy, written: output.written, unsent: output.unsent)
  }

  /// Records the bytes read since the last call, for the timeouts.
  func recordRead(frames: Int, pending: Int?, _ context: ChannelHandlerContext) {
    let now = context.eventLoop.now
    timeouts.receive(at: now, frames: frames, pending: pending)
    recordActivity(at: now, context)
  }

  /// Records that bytes are written, for the timeouts.
  func recordWrite(_ context: ChannelHandlerContext) {
    let now = context.eventLoop.now
    timeouts.write(at: now)
    recordActivity(at: now, context)
  }

  private func recordActivity(at time: NIODeadline, _ context: ChannelHandlerContext) {
    guard !input.isEnded else { return }
    scheduleTimer(by: timeouts.nextCheck(after: time), context)
  }
}
