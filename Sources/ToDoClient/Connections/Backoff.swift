import ToDoSupport

/// Exponential backoff with jitter: the delay before an attempt is repeated doubles with every failure, up to a maximum.
public struct Backoff: Equatable, Sendable {
  /// The delay after the first failure, before jitter.
  public var initial: Duration = .milliseconds(50)
  /// The maximum delay.
  public var maximum: Duration = .seconds(5)

  /// Creates a backoff of 50 milliseconds to 5 seconds.
  public init() {}

  /// Returns the delay before the next attempt: `initial`, doubled for every failure after the first, at most `maximum`,
  /// and reduced by jitter to between half and all of that.
  ///
  /// - Parameters:
  ///   - failures: The number of consecutive failures, at least 1.
  ///   - jitter: A random number in 0..<1, which keeps clients that failed together from retrying together.
  func delay(afterFailures failures: Int, jitter: Double) -> Duration {
    DoublingDelay(from: initial, to: maximum).after(failures, jitter: jitter)
  }
}
