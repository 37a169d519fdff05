#if PostgreSQL
import Synchronization

@testable import ToDoPostgreSQLStore

/// A time that passes only when a test advances it, or when a store waits: a wait returns at once, after its whole duration.
final class ManualTiming: Sendable {
  private let start = ContinuousClock.now
  private let elapsed = Mutex(Duration.zero)

  /// The duration since the creation.
  var passed: Duration { elapsed.withLock(\.self) }

  var now: ContinuousClock.Instant { start + passed }

  func advance(by duration: Duration) { elapsed.withLock { $0 += duration } }

  /// Delays are the longest possible.
  var timing: StoreTiming {
    StoreTiming(now: { [self] in now }, wait: { [self] _, duration in advance(by: duration) }, jitter: { 1 })
  }
}
#endif
