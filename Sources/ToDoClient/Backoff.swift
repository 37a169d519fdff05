/// How long to wait before trying again: longer with every failure, up to a cap, and never quite the same.
public struct Backoff: Equatable, Sendable {
  /// The wait after the first failure, before jitter.
  public var initial: Duration = .milliseconds(50)
  /// The longest wait.
  public var maximum: Duration = .seconds(5)

  public init() {}

  /// - Parameters:
  ///   - failures: how many attempts have failed in a row; at least 1.
  ///   - jitter: a random number in 0..<1, so that clients that failed together do not return together.
  /// - Returns: half to all of `initial` doubled for every failure but the first, and at most `maximum`.
  func delay(afterFailures failures: Int, jitter: Double) -> Duration {
    let doubled = initial * Int(1 << min(failures - 1, 20))
    return min(doubled, maximum) * (0.5 + 0.5 * jitter)
  }
}
