import NIOCore
import RPC
import TTRPC

/// The connection's one timer. It goes off when something may be overdue, which it seldom is; setting it costs nothing
/// unless it has to go off sooner than it would.
extension ServerConnectionHandler {
  func startTimer(_ context: ChannelHandlerContext) {
    let now = context.eventLoop.now
    times = ConnectionTimes(opened: now, configuration)
    askTimer(by: times.nextVerdict(after: now), context)
  }

  func stopTimer() {
    timer?.task.cancel()
    timer = nil
  }

  /// Makes the timer go off at a time, or before.
  func askTimer(by time: NIODeadline, _ context: ChannelHandlerContext) {
    if let timer, timer.time <= time { return }
    timer?.task.cancel()
    let task = context.eventLoop.assumeIsolated().scheduleTask(deadline: time) { self.timerWentOff() }
    timer = (time, task)
  }

  private func timerWentOff() {
    guard let due = timer?.time, let context else { return }
    timer = nil
    // Whoever is being closed has had its time to read.
    if isClosing { return context.close(promise: nil) }
    let now = context.eventLoop.now
    let deadline = endOverdueCalls(at: now)
    // This process was asleep, and what the peer has done meanwhile has yet to be seen.
    let verdict = now - due > .seconds(1) ? .askAgain(now + .seconds(1)) : verdict(at: now, context)
    switch verdict {
    case .tooLong(let what): abort(context, because: "too long: \(what)")
    case .askAgain(let time): askTimer(by: min(deadline ?? time, time), context)
    }
  }

  private func verdict(at now: NIODeadline, _ context: ChannelHandlerContext) -> ConnectionTimes.Verdict {
    measureOutput(context)
    meter.hold(unreadBytes)
    return times.verdict(at: now, isBusy: streams.count > 0, written: meter.written, unsent: meter.unsent)
  }

  func noteInput(frames: Int, pending: Int?, _ context: ChannelHandlerContext) {
    let now = context.eventLoop.now
    times.receive(at: now, frames: frames, pending: pending)
    noteActivity(at: now, context)
  }

  func noteOutput(_ context: ChannelHandlerContext) {
    let now = context.eventLoop.now
    times.write(at: now)
    noteActivity(at: now, context)
  }

  private func noteActivity(at time: NIODeadline, _ context: ChannelHandlerContext) {
    guard !isClosing else { return }
    askTimer(by: times.nextVerdict(after: time), context)
  }
}
