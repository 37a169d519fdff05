/// The deletion of a list's rows in steps, so that other writers take turns with it.
package enum ListPurge {
  /// Deletes rows until none is left. Each step is followed by a pause of the same length.
  ///
  /// - Parameters:
  ///   - clock: measures the steps and the pauses.
  ///   - step: deletes a bounded number of rows in one transaction, and returns that number.
  /// - Returns: the number of deleted rows.
  package static func run(clock: some Clock<Duration>, step: () async throws -> Int) async throws -> Int {
    var total = 0
    while true {
      let start = clock.now
      let count = try await step()
      guard count > 0 else { return total }
      total += count
      try await clock.sleep(for: start.duration(to: clock.now))
    }
  }
}
