import NIOCore
import RPC

/// When a connection has taken too long over something. Times come in as values, and verdicts go out.
///
/// Nothing is scheduled for a frame or a write: they leave a mark here, and whoever has the timer asks for a verdict now
/// and then, never later than the mark before said.
struct ConnectionTimes {
  /// What took too long.
  enum Overtime: String {
    case firstFrame, frame, writing, idle
  }

  enum Verdict: Equatable {
    case tooLong(Overtime)
    /// Nothing can take too long before this time.
    case askAgain(NIODeadline)
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

  /// When a verdict is due at the latest, after something was received or written at a time.
  func nextVerdict(after time: NIODeadline) -> NIODeadline {
    time + min(writingStep, hasReceived ? frameTime : firstFrameTime)
  }

  /// Bytes have come.
  ///
  /// - Parameters:
  ///   - frames: how many frames have come since the connection was opened.
  ///   - pending: how much data the frame has of which a part has come; `nil` when there is none, or when it is not
  ///     the peer that is waited for.
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

  mutating func write(at time: NIODeadline) { lastActivity = time }

  /// - Parameters:
  ///   - isBusy: whether a call is in flight.
  ///   - written: how many bytes were written since the connection was opened.
  ///   - unsent: how many of these the peer has yet to make room for.
  mutating func verdict(at time: NIODeadline, isBusy: Bool, written: Int, unsent: Int) -> Verdict {
    let checks = [
      (Overtime.firstFrame, hasReceived ? nil : end(of: frame, began: opened, firstFrameTime)),
      (.frame, hasReceived ? frame.map { end(of: $0, began: $0.began, frameTime) } : nil),
      (.writing, endOfWriting(at: time, written: written, unsent: unsent)),
      (.idle, isBusy || unsent > 0 ? nil : lastActivity + idleTime),
    ]
    for (overtime, end) in checks {
      if let end, end <= time { return .tooLong(overtime) }
    }
    let ends = checks.compactMap(\.1) + (unsent > 0 ? [time + writingStep] : [])
    return .askAgain(ends.min() ?? time + idleTime)
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
