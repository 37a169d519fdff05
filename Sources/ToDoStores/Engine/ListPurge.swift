/// The deletion of a list's rows in steps, so that other writers take turns with it.
package enum ListPurge {
  /// Deletes rows until none is left.
  ///
  /// - Parameters:
  ///   - pause: waits after a step; its argument is the duration of the step.
  ///   - step: deletes a bounded number of rows in one transaction, and returns that number.
  /// - Returns: the number of deleted rows.
  package static func run(
    pause: (Duration) async throws -> Void, step: () async throws -> Int
  ) async throws -> Int {
    var total = 0
    while true {
      let start = ContinuousClock.now
      let count = try await step()
      guard count > 0 else { return total }
      total += count
      try await pause(start.duration(to: .now))
    }
  }
}
