#if PostgreSQL
  /// The delays between attempts to connect, which grow from 0.1 s to 2 s. Half of each is random, so that many servers
  /// do not connect at the same moment.
  struct ReconnectDelay {
    private var bound = Duration.milliseconds(100)
    private static let maximum = Duration.seconds(2)

    /// Returns the delay before the next attempt.
    ///
    /// - Parameter fraction: a random number from 0 to 1.
    mutating func next(_ fraction: Double = .random(in: 0...1)) -> Duration {
      defer { bound = min(bound * 2, Self.maximum) }
      return bound * (0.5 + fraction / 2)
    }

    /// Makes the next delay short again, after a connection was made.
    mutating func reset() { self = ReconnectDelay() }
  }
#endif
