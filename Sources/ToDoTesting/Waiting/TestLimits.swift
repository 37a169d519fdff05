package import Testing

/// The limits on the real time of tests. All are much longer than tests take, even on a slow machine with other work.
package enum TestLimits {
  /// The limit on one wait for an event, such as a published value: a third of the running test's time limit, so that a test that
  /// waits in vain names the line that waits. 5 minutes outside of a test's tasks.
  package static var wait: Duration { (Test.current?.timeLimit).map { $0 / 3 } ?? .seconds(300) }

  /// The limit on the time for which a test blocks a thread. Shorter, because a test's time limit does not end such a wait.
  package static let blockedThread = Duration.seconds(60)
}

extension Trait where Self == TimeLimitTrait {
  /// The time limit of a suite with asynchronous tests that starts processes, or servers. `.ci/metrics` checks that each suite with
  /// asynchronous tests has a limit.
  package static var timeLimited: Self { .timeLimit(.minutes(15)) }

  /// The time limit of any other suite with asynchronous tests.
  package static var unitTimeLimited: Self { .timeLimit(.minutes(5)) }
}

/// A wait that has exceeded `TestLimits.wait`. It is recorded as an issue where it is thrown.
package struct WaitLimitExceeded: Error {}

/// Runs an operation that waits for an event, and cancels it at `TestLimits.wait`.
///
/// - Parameters:
///   - failure: the text of the issue that is recorded at the limit.
///   - limit: a shorter limit, for tests of this function.
///   - record: records the issue; another function for tests of this one.
///   - operation: ends when it is canceled.
/// - Throws: `WaitLimitExceeded`, or the error of the operation.
package func withWaitLimit<Value: Sendable>(
  _ failure: Comment, limit: Duration = TestLimits.wait, sourceLocation: SourceLocation = #_sourceLocation,
  record: (Comment, SourceLocation) -> Void = { Issue.record($0, sourceLocation: $1) },
  _ operation: @escaping @Sendable () async throws -> Value
) async throws -> Value {
  try await withThrowingTaskGroup(of: Value?.self) { group in
    group.addTask { try await operation() }
    group.addTask {
      try? await Task.sleep(for: limit)
      return nil
    }
    defer { group.cancelAll() }
    while let result = try await group.next() {
      if let result { return result }
      // The sleep of a canceled caller ends early, and so does the operation.
      guard Task.isCancelled else { break }
    }
    record(failure, sourceLocation)
    throw WaitLimitExceeded()
  }
}
