package import Testing
package import ToDoTesting

extension ManualClock {
  /// Waits until a condition is met, while time passes for sleepers.
  package func eventually(
    sourceLocation: SourceLocation = #_sourceLocation, _ condition: () async throws -> Bool
  ) async throws {
    let end = ContinuousClock.now + TestLimits.wait
    while try await !condition() {
      guard ContinuousClock.now < end else {
        Issue.record("not within \(TestLimits.wait)", sourceLocation: sourceLocation)
        return
      }
      advance(by: .seconds(60))
      await Task.yield()
    }
  }

  /// Lets tasks do what they can: they sleep several times.
  package func settle() async throws {
    for _ in 1...20 {
      await waitForSleepers()
      advance(by: .seconds(60))
      for _ in 1...20 { await Task.yield() }
    }
  }
}
