/// The reminders that one user is to be told about, in all lists that the user can read.
///
/// In a list with one user, a reminder's state is the item's, and acknowledging it edits the item. In a shared list, each user
/// has a separate state, which nobody else sees. Reminders at a place are those of `PositionService`.
///
/// Every operation throws `ToDoError` if the service rejects it. A client also throws `RPCError` if no response arrives.
public protocol ReminderService: Sendable {
  /// Watches the reminders that are due, until they are acknowledged. The iteration throws the errors.
  ///
  /// - Parameter lists: the lists; empty for all, also for those that are created or accepted later. The iteration throws
  ///   `listNotFound` once one of them is not available.
  func watchReminders(in lists: [ListID]) -> ReminderEvents

  /// Acknowledges a reminder for its time, so that no client tells the user about it again.
  ///
  /// A client that tells the user claims the reminder first: it snoozes it for a minute, `onlyIfDue`. Once the user was told, it
  /// confirms the claim: it acknowledges the reminder, and names the end of that snooze as `leaseEnd`. If the client ends in between,
  /// the reminder is due again after that minute.
  ///
  /// - Throws: `invalidRequest` if the item has no such reminder; `listNotFound`, `itemNotFound`, `readOnly`, `writeRateExceeded`.
  func acknowledgeReminder(_ acknowledgment: ReminderAcknowledgment) async throws -> AcknowledgedReminder
}

/// Identifies a reminder of an item for a time.
public struct ReminderKey: Hashable, Sendable {
  /// The user's list that contains the item.
  public var list: ListID
  /// The item.
  public var item: ItemID
  /// The reminder's trigger.
  public var trigger: Reminder.Trigger
  /// The time that the trigger gives.
  public var time: Timestamp

  /// Creates a key.
  public init(list: ListID = .default, item: ItemID, trigger: Reminder.Trigger, time: Timestamp) {
    self.list = list
    self.item = item
    self.trigger = trigger
    self.time = time
  }
}

/// A reminder that a user is to be told about.
public struct DueReminder: Hashable, Sendable {
  /// The reminder and its time.
  public var key: ReminderKey
  /// The item's number.
  public var number: ItemNumber
  /// The item's title.
  public var title: String
  /// The time for which the user has acknowledged the reminder before; `nil` if never.
  public var acknowledged: Timestamp?
  /// The time until which the reminder was snoozed; `nil` if it was not.
  public var snoozedUntil: Timestamp?
  /// The time from which the user is to be told: later than the reminder's time if it was snoozed, or while the item waited.
  public var tellTime: Timestamp

  /// Creates a reminder.
  public init(
    key: ReminderKey, number: ItemNumber, title: String, acknowledged: Timestamp? = nil,
    snoozedUntil: Timestamp? = nil, tellTime: Timestamp
  ) {
    self.key = key
    self.number = number
    self.title = title
    self.acknowledged = acknowledged
    self.snoozedUntil = snoozedUntil
    self.tellTime = tellTime
  }

  /// Whether the reminder is due again because its snooze has passed, and not because its time has come.
  public var isSnoozed: Bool { snoozedUntil != nil && acknowledged != nil }
}

/// An event of WatchReminders.
@nonexhaustive
public enum ReminderEvent: Hashable, Sendable {
  /// A reminder is due.
  case due(DueReminder)
  /// A reminder that was due no longer is: it was acknowledged, or its item has changed.
  case removed(ReminderKey)
  /// All reminders that were due when the watch began were emitted.
  ///
  /// - Parameters:
  ///   - pending: the number of reminders that are known to come.
  ///   - next: the time of the next one; `nil` if none is known.
  case caughtUp(pending: Int, next: Timestamp?)
}

/// An acknowledgment of a reminder.
public struct ReminderAcknowledgment: Hashable, Sendable {
  /// The reminder and its time.
  public var key: ReminderKey
  /// The time at which the reminder is due once more; `nil` to dismiss it.
  public var snoozeTime: Timestamp?
  /// Whether to acknowledge it only if it is due now, so that one of several clients succeeds.
  public var onlyIfDue: Bool
  /// The time until which the reminder is snoozed; `nil` for any state. If the reminder was dismissed or snoozed otherwise, the
  /// acknowledgment does not count, so that whoever has claimed it confirms no more than that claim.
  public var leaseEnd: Timestamp?

  /// Creates an acknowledgment.
  public init(
    _ key: ReminderKey, snoozingUntil snoozeTime: Timestamp? = nil, onlyIfDue: Bool = false,
    confirming leaseEnd: Timestamp? = nil
  ) {
    self.key = key
    self.snoozeTime = snoozeTime
    self.onlyIfDue = onlyIfDue
    self.leaseEnd = leaseEnd
  }
}

/// The outcome of an acknowledgment.
public struct AcknowledgedReminder: Hashable, Sendable {
  /// Whether the reminder is acknowledged as requested. Otherwise it is not due, or has another time.
  public var isAcknowledged: Bool
  /// The reminder with the user's state afterwards.
  public var reminder: Reminder

  /// Creates an outcome.
  public init(isAcknowledged: Bool, reminder: Reminder) {
    self.isAcknowledged = isAcknowledged
    self.reminder = reminder
  }
}

/// The events of a reminder watch, in order, until it is canceled or fails.
public struct ReminderEvents: AsyncSequence, Sendable {
  /// The type of the elements.
  public typealias Element = ReminderEvent

  private let makeNext: @Sendable () -> () async throws -> ReminderEvent?

  /// Creates a sequence.
  ///
  /// - Parameter makeNext: begins a watch, and returns the function that returns its events one after another.
  public init(_ makeNext: @escaping @Sendable () -> () async throws -> ReminderEvent?) {
    self.makeNext = makeNext
  }

  /// Begins a watch.
  public func makeAsyncIterator() -> Iterator { Iterator(nextEvent: makeNext()) }

  /// A watch.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate let nextEvent: () async throws -> ReminderEvent?

    /// Returns the next event, or `nil` after the end.
    public mutating func next() async throws -> ReminderEvent? { try await nextEvent() }
  }
}
