/// A delay that doubles with every failure in a row, up to a maximum.
package struct DoublingDelay: Sendable {
  private let first: Duration
  private let maximum: Duration

  /// Creates a delay.
  ///
  /// - Parameters:
  ///   - first: the delay after the first failure.
  ///   - maximum: the maximum delay.
  package init(from first: Duration, to maximum: Duration) {
    self.first = first
    self.maximum = maximum
  }

  /// Returns the delay before the next attempt.
  ///
  /// - Parameter failures: the number of failures in a row, at least 1.
  package func after(_ failures: Int) -> Duration {
    // The exponent is bounded, so that the product cannot overflow.
    min(first * (1 << min(failures - 1, 20)), maximum)
  }

  /// Returns the delay before the next attempt, reduced by jitter to between half and all of it.
  ///
  /// - Parameters:
  ///   - failures: the number of failures in a row, at least 1.
  ///   - jitter: a random number from 0 to 1, which keeps those that failed together from trying again together.
  package func after(_ failures: Int, jitter: Double) -> Duration {
    after(failures) * (0.5 + 0.5 * jitter)
  }
}
