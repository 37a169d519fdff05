#if PostgreSQL
import ToDoSupport

/// The delays between attempts to connect, which double until they reach the maximum. Half of each is random, so that
/// many servers do not connect at the same moment.
struct ReconnectDelay {
  private let delay: DoublingDelay
  private let jitter: @Sendable () -> Double
  private var attempts = 0

  init(first: Duration, maximum: Duration, jitter: @escaping @Sendable () -> Double) {
    delay = DoublingDelay(from: first, to: maximum)
    self.jitter = jitter
  }

  /// Returns the delay before the next attempt.
  mutating func next() -> Duration {
    attempts += 1
    return delay.after(attempts, jitter: jitter())
  }

  /// Makes the next delay short again, after a connection was made.
  mutating func reset() { attempts = 0 }
}
#endif
