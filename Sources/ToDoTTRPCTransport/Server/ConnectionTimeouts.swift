import NIOCore
import ToDoRPC

/// The timeouts of one connection. Times come in as values, and results go out.
///
/// Nothing is scheduled for a frame or a write: they are only recorded here. The owner of the timer checks the timeouts,
/// no later than the previous check requested.
struct ConnectionTimeouts {
  /// The timeout that expired.
  enum Timeout: String {
    case firstFrame, frame, writing, idle
  }

  enum CheckResult: Equatable {
    case timedOut(Timeout)
    /// No timeout expires before this time.
    case checkAgain(at: NIODeadline)
  }

  private struct Frame {
    let number: Int
    let began: NIODeadline
    var length: Int
  }

  private struct Writing {
    let acknowledged: Int
    let since: NIODeadline
  }

  private let firstFrameTime: TimeAmount
  private let frameTime: TimeAmount
  private let frameRate: Int64
  private let stallTime: TimeAmount
  private let idleTime: TimeAmount
  private let opened: NIODeadline
  private var lastActivity: NIODeadline
  private var hasReceived = false
  private var frame: Frame?
  private var writing: Writing?

  init(opened: NIODeadline, _ limits: ServerLimits) {
    self.opened = opened
    firstFrameTime = TimeAmount(limits.firstFrameTime)
    frameTime = TimeAmount(limits.frameTime)
    frameRate = Int64(limits.frameRate)
    stallTime = TimeAmount(limits.writeStallTime)
    idleTime = TimeAmount(limits.idleTime)
    lastActivity = opened
  }

  /// Returns the latest time of the next check after bytes were received or written.
  func nextCheck(after time: NIODeadline) -> NIODeadline {
    time + min(writingStep, hasReceived ? frameTime : firstFrameTime)
  }

  /// Records that bytes have arrived.
  ///
  /// - Parameters:
  ///   - frames: the number of complete frames since the connection was opened.
  ///   - pending: the data length of the frame that has partly arrived. `nil` if there is none, or if the server is not
  ///     waiting for the peer.
  mutating func receive(at time: NIODeadline, frames: Int, pending: Int?) {
    lastActivity = time
    hasReceived = frames > 0
    guard let pending else { return frame = nil }
    if frame?.number == frames {
      frame?.length = pending
    } else {
      frame = Frame(number: frames, began: hasReceived ? time : opened, length: pending)
    }
  }

  /// Records that bytes were written.
  mutating func write(at time: NIODeadline) { lastActivity = time }

  /// Returns the timeout that has expired, or the time of the next check.
  ///
  /// - Parameters:
  ///   - due: the time for which the check was scheduled.
  ///   - isBusy: whether a call is in flight.
  ///   - written: the number of bytes written since the connection was opened.
  ///   - unsent: the number of these bytes that the system has not accepted yet.
  mutating func check(
    at time: NIODeadline, due: NIODeadline, isBusy: Bool, written: Int, unsent: Int
  ) -> CheckResult {
    // If the check is late, this process was suspended. It has not yet read what the peer sent in that time.
    if time - due > .seconds(1) { return .checkAgain(at: time + .seconds(1)) }
    let deadlines = [
      (Timeout.firstFrame, hasReceived ? nil : end(of: frame, began: opened, firstFrameTime)),
      (.frame, hasReceived ? frame.map { end(of: $0, began: $0.began, frameTime) } : nil),
      (.writing, endOfWriting(at: time, written: written, unsent: unsent)),
      (.idle, isBusy || unsent > 0 ? nil : lastActivity + idleTime),
    ]
    for (timeout, deadline) in deadlines {
      if let deadline, deadline <= time { return .timedOut(timeout) }
    }
    let pending = deadlines.compactMap(\.1) + (unsent > 0 ? [time + writingStep] : [])
    return .checkAgain(at: pending.min() ?? time + idleTime)
  }

  private func end(of frame: Frame?, began: NIODeadline, _ time: TimeAmount) -> NIODeadline {
    began + time + .nanoseconds(Int64(frame?.length ?? 0) * 1_000_000_000 / frameRate)
  }

  private mutating func endOfWriting(at time: NIODeadline, written: Int, unsent: Int) -> NIODeadline? {
    guard unsent > 0 else {
      writing = nil
      return nil
    }
    let progress = writing.map { written - unsent > $0.acknowledged } ?? true
    if progress { writing = Writing(acknowledged: written - unsent, since: time) }
    return writing.map { $0.since + stallTime }
  }

  private var writingStep: TimeAmount { .nanoseconds(stallTime.nanoseconds / 4) }
}
