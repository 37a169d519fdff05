import ToDoModel
import ToDoSupport

/// The schedule by which failed lookups are retried.
enum LookupRetries {
  /// The maximum number of attempts. The last one happens about a week after the first.
  static let limit = 16

  private static let delay = DoublingDelay(from: .seconds(60), to: .seconds(12 * 3600))

  /// Returns the time of the next attempt: one minute after the first attempt, then twice the previous delay, up to
  /// twelve hours.
  static func due(afterAttempts attempts: Int, at now: Timestamp) -> Timestamp {
    Timestamp(microseconds: now.microseconds + Int64(delay.after(max(attempts, 1)) / .microseconds(1)))
  }
}
