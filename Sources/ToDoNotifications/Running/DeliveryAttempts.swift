import ToDoModel

/// The reminders of a list that no target has taken yet, and those that were taken but not acknowledged.
///
///     due --attempt--> taken --acknowledged--> (gone)
///      ^                 |
///      |               not acknowledged: acknowledged without another message
///      |
///     waiting <--failed-- attempt; after the last one, or if too many wait: given up --> acknowledged
///
/// A reminder that waits is snoozed in the store, so that a restart or another server continues. This value holds the number of
/// attempts, which then starts again.
struct DeliveryAttempts {
  /// Identifies a reminder of an item.
  struct Key: Hashable {
    let item: ItemID
    let index: Int
    let time: Timestamp

    init(_ item: ItemID, _ entry: ReminderSchedule.Entry) { (self.item, index, time) = (item, entry.index, entry.time) }
  }

  private struct Waiting {
    let message: NotificationMessage
    var failures: Int
    var isTaken = false
    /// The time after which the reminder was changed by somebody else.
    var expiry: Timestamp
  }

  private var waiting: [Key: Waiting] = [:]

  /// The maximum number of attempts to deliver a message.
  static let limit = 5
  /// The maximum number of a list's reminders that wait for another attempt.
  static let waitingLimit = 64

  /// The number of reminders that wait.
  var count: Int { waiting.count }

  /// Returns the time for which a reminder is snoozed at an attempt: the lease of this attempt and the delay before the next one.
  /// The attempts are made after 0, 1, 5, 21 and 53 minutes.
  func lease(of key: Key) -> Duration {
    DeliveryRetries.delay(after: (waiting[key]?.failures ?? 0) + 1)
  }

  /// Returns the message of earlier attempts, or `nil` for the first one.
  func message(of key: Key) -> NotificationMessage? { waiting[key]?.message }

  /// Whether a target has taken the reminder, which could not be acknowledged.
  func isTaken(_ key: Key) -> Bool { waiting[key]?.isTaken ?? false }

  /// Counts a failed attempt.
  ///
  /// - Returns: whether another attempt follows.
  mutating func fail(_ key: Key, _ message: NotificationMessage, at now: Timestamp) -> Bool {
    removeExpired(at: now)
    var entry = waiting[key] ?? Waiting(message: message, failures: 0, expiry: now)
    entry.failures += 1
    guard entry.failures < Self.limit, waiting[key] != nil || waiting.count < Self.waitingLimit else {
      waiting[key] = nil
      return false
    }
    entry.expiry = Timestamp(microseconds: now.microseconds + Self.lifetime)
    waiting[key] = entry
    return true
  }

  /// Remembers that a target took the reminder, until it is acknowledged.
  mutating func take(_ key: Key, _ message: NotificationMessage, at now: Timestamp) {
    removeExpired(at: now)
    guard waiting[key] != nil || waiting.count < Self.waitingLimit else { return }
    let expiry = Timestamp(microseconds: now.microseconds + Self.lifetime)
    waiting[key] = Waiting(message: message, failures: 0, isTaken: true, expiry: expiry)
  }

  /// Forgets a reminder that was acknowledged.
  mutating func remove(_ key: Key) { waiting[key] = nil }

  private mutating func removeExpired(at now: Timestamp) { waiting = waiting.filter { $0.value.expiry > now } }

  /// An hour: longer than any lease, in microseconds.
  private static let lifetime: Int64 = 3_600_000_000
}
