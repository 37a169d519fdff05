#if PostgreSQL
import Dispatch

/// The time and the randomness that a store's waits and delays depend on. Tests supply their own.
struct StoreTiming: Sendable {
  /// Returns the current instant.
  var now: @Sendable () -> ContinuousClock.Instant
  /// Blocks the thread until a semaphore is signaled, at most for a duration.
  var wait: @Sendable (DispatchSemaphore, Duration) -> Void
  /// Returns a random number from 0 to 1, as in `DoublingDelay`.
  var jitter: @Sendable () -> Double

  /// The system's clock and random numbers.
  static let system = StoreTiming(
    now: { .now },
    wait: { semaphore, duration in
      _ = semaphore.wait(timeout: .now() + .nanoseconds(Int(duration / .nanoseconds(1))))
    },
    jitter: { .random(in: 0...1) })

  /// Blocks the thread for a duration.
  func pause(for duration: Duration) { wait(DispatchSemaphore(value: 0), duration) }
}
#endif
