import ToDoModel

/// When a lookup that failed is tried again.
enum LookupRetries {
  /// After so many attempts it is given up: about a week after the first.
  static let limit = 16

  /// A minute after the first attempt, twice as long after every further one, at most twelve hours.
  static func due(afterAttempts attempts: Int, at now: Timestamp) -> Timestamp {
    let minutes = Int64(min(1 << min(max(attempts, 1) - 1, 20), 12 * 60))
    return Timestamp(microseconds: now.microseconds + minutes * 60_000_000)
  }
}
