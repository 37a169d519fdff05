import Logging
import Synchronization
import ToDoModel

/// Limits failed authentication attempts by their source, and logs them.
final class AttemptLimiter: Sendable {
  private struct State {
    var failures = FailedAttempts<AttemptSource>()
    var report = AttemptReport<AttemptSource>()
  }

  private let state = Mutex(State())
  private let logger: Logger
  private let now: @Sendable () -> ContinuousClock.Instant

  /// - Parameter now: the current instant of a monotonic clock.
  init(logger: Logger, now: @escaping @Sendable () -> ContinuousClock.Instant) {
    self.logger = logger
    self.now = now
  }

  /// Rejects an attempt of a source that has to wait.
  ///
  /// - Throws: `ToDoError.tooManyFailedAttempts`.
  func check(_ source: AttemptSource) throws(ToDoError) {
    let now = now()
    let delay = state.withLock { state in
      let delay = state.failures.delay(of: source, at: now)
      if delay != nil { state.report.count(source) }
      return delay
    }
    if let delay { throw .tooManyFailedAttempts(retryAfter: delay) }
  }

  func recordFailure(of source: AttemptSource) {
    let now = now()
    state.withLock { state in
      state.failures.recordFailure(of: source, at: now)
      state.report.count(source)
    }
  }

  /// Logs the failures since the last report, if a report is due.
  ///
  /// - Parameter isFinal: whether no other report will follow.
  func report(isFinal: Bool = false) {
    let now = now()
    guard let lines = state.withLock({ $0.report.take(at: now, isFinal: isFinal) }) else { return }
    for (source, count) in lines.counts {
      logger.warning("authentication failed", metadata: ["address": "\(source)", "count": "\(count)"])
    }
    if lines.otherCount > 0 {
      logger.warning("authentication failed", metadata: ["address": "others", "count": "\(lines.otherCount)"])
    }
  }
}
