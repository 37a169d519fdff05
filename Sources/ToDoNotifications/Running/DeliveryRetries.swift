import ToDoModel
import ToDoSupport

/// The messages of a list that a target has taken, and other targets have not: a bounded queue in memory.
struct DeliveryRetries {
  /// A message for a target that has not taken it.
  struct Entry: Equatable {
    let message: NotificationMessage
    let item: ItemID
    let target: NotificationTargetID
    /// The number of failed attempts.
    let failures: Int
    /// The time of the next attempt.
    let time: Timestamp
  }

  private var entries: [Entry] = []

  /// The number of messages that wait.
  var count: Int { entries.count }

  /// The time of the next attempt; `nil` if none follows.
  var nextTime: Timestamp? { entries.lazy.map(\.time).min() }

  /// Returns the delay after a number of failed attempts, as for a reminder that no target has taken.
  static func delay(after failures: Int) -> Duration {
    DoublingDelay(from: .seconds(60), to: .seconds(32 * 60)).after(2 * failures - 1)
  }

  /// Adds a message after a failed attempt.
  ///
  /// - Returns: whether a message was dropped: this one after the last attempt, or the oldest one if too many wait.
  mutating func add(
    _ message: NotificationMessage, of item: ItemID, for target: NotificationTargetID, failures: Int, at now: Timestamp
  ) -> Bool {
    guard failures < DeliveryAttempts.limit else { return true }
    let delay = Self.delay(after: failures).components.seconds * 1_000_000
    let isFull = entries.count == DeliveryAttempts.waitingLimit
    if isFull { entries.removeFirst() }
    entries.append(
      Entry(
        message: message, item: item, target: target, failures: failures,
        time: Timestamp(microseconds: now.microseconds + delay)))
    return isFull
  }

  /// Removes and returns the oldest message whose next attempt is due.
  mutating func takeNext(at now: Timestamp) -> Entry? {
    entries.firstIndex { $0.time <= now }.map { entries.remove(at: $0) }
  }
}
