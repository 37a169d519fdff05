/// The time and the randomness that a client's deadlines and delays depend on. Tests supply their own.
package struct ClientTiming: Sendable {
  /// Returns the current instant.
  var now: @Sendable () -> ContinuousClock.Instant
  /// Returns at an instant, or throws `CancellationError` as soon as the task is canceled.
  var sleepUntil: @Sendable (ContinuousClock.Instant) async throws -> Void
  /// Returns a random number in 0..<1, as in `Backoff`.
  var jitter: @Sendable () -> Double

  /// The system's clock and random numbers.
  package static let system = ClientTiming(
    now: { .now }, sleepUntil: { try await Task.sleep(until: $0, clock: .continuous) },
    jitter: { .random(in: 0..<1) })

  /// Returns after a delay, or throws `CancellationError` as soon as the task is canceled.
  func sleep(for delay: Duration) async throws {
    try await sleepUntil(now() + delay)
  }
}
