package import Dispatch
package import Testing

extension DispatchSemaphore {
  /// Blocks the thread until there is a signal.
  ///
  /// Records an issue at the caller's line when `limit` has passed, and returns.
  ///
  /// - Parameters:
  ///   - limit: a shorter limit, for tests of this function.
  ///   - record: records the issue; another function for tests of this one.
  package func waitForSignal(
    limit: Duration = TestLimits.blockedThread, sourceLocation: SourceLocation = #_sourceLocation,
    record: (Comment, SourceLocation) -> Void = { Issue.record($0, sourceLocation: $1) }
  ) {
    guard wait(timeout: .now() + limit / .seconds(1)) == .timedOut else { return }
    record("no signal within \(limit)", sourceLocation)
  }
}
