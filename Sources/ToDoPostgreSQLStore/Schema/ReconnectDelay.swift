#if PostgreSQL
import ToDoSupport

/// The delays between attempts to connect, which double until they reach the maximum. Half of each is random, so that
/// many servers do not connect at the same moment.
struct ReconnectDelay {
  private let delay: DoublingDelay
  private var attempts = 0

  init(first: Duration, maximum: Duration) {
    delay = DoublingDelay(from: first, to: maximum)
  }

  /// Returns the delay before the next attempt.
  ///
  /// - Parameter fraction: a random number from 0 to 1.
  mutating func next(_ fraction: Double = .random(in: 0...1)) -> Duration {
    attempts += 1
    return delay.after(attempts, jitter: fraction)
  }

  /// Makes the next delay short again, after a connection was made.
  mutating func reset() { attempts = 0 }
}
#endif
