import ToDoModel

/// The schedule of retries of failed lookups.
enum LookupRetries {
  /// The maximum number of attempts. The last one happens about a week after the first.
  static let limit = 16

  /// Returns the time of the next attempt: one minute after the first attempt, then twice the previous delay, up to
  /// twelve hours.
  static func due(afterAttempts attempts: Int, at now: Timestamp) -> Timestamp {
    let minutes = Int64(min(1 << min(max(attempts, 1) - 1, 20), 12 * 60))
    return Timestamp(microseconds: now.microseconds + minutes * 60_000_000)
  }
}
