#if PostgreSQL
/// The delays between attempts to connect, which double until they reach the maximum. Half of each is random, so that
/// many servers do not connect at the same moment.
struct ReconnectDelay {
  private let first, maximum: Duration
  private var bound: Duration

  init(first: Duration, maximum: Duration) {
    (self.first, self.maximum) = (first, maximum)
    bound = first
  }

  /// Returns the delay before the next attempt.
  ///
  /// - Parameter fraction: a random number from 0 to 1.
  mutating func next(_ fraction: Double = .random(in: 0...1)) -> Duration {
    defer { bound = min(bound * 2, maximum) }
    return bound * (0.5 + fraction / 2)
  }

  /// Makes the next delay short again, after a connection was made.
  mutating func reset() { bound = first }
}
#endif
