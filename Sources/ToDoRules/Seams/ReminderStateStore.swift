public import ToDoModel

/// Stores the states of each user's reminders in shared lists, with the accounts.
///
/// An item has one state for each of its reminders, which counts in a list with one user. In a shared list, each user has a state
/// beside it, which no change of the item, no revision and no event shows to the others. It follows an item that is moved.
///
/// Users are named by the owner of their default list. Every change is atomic, and as durable as the store when the call returns.
/// The states of a user are removed with the user, those in a list when the user can no longer read it. A user has states of at most
/// `ReminderStates.itemLimit` items: those whose last acknowledgment is the earliest are removed first. In one list, they have at most
/// `ReminderStates.sizeLimit` bytes: those of items of which none is still snoozed are removed first. All operations throw
/// `ToDoError.storeUnavailable` if the store fails. `ReminderStateContract` in ToDoTesting is this contract as a test suite.
public protocol ReminderStateStore: Sendable {
  /// Returns all states of a user, by item. No array is empty.
  func reminderStates(of user: OwnerID) async throws -> [ItemID: [Reminder]]

  /// Runs `body` with a user's states of an item, and stores those that it leaves, unless it throws. Changes to the same states by
  /// several servers run one after the other.
  ///
  /// - Parameters:
  ///   - list: the further list that contains the item.
  ///   - now: the time after which a reminder is still snoozed.
  ///   - body: changes the states: at most `ItemContent.Limits.reminders`, with different triggers. It may run twice, of which only
  ///     the last run has an effect.
  /// - Throws: the errors of `body`; `ToDoError.listNotFound` if the user cannot read the list; `ToDoError.invalidRequest` if the
  ///   snoozed reminders alone exceed the size limit.
  func changeReminderStates<Value: Sendable>(
    of user: OwnerID, in list: ListID, item: ItemID, at now: Timestamp,
    _ body: @escaping @Sendable (inout [Reminder]) throws -> Value
  ) async throws -> Value
}

/// The bounds of reminder states.
public enum ReminderStates {
  /// The maximum number of items for which a user has states.
  public static let itemLimit = 2_000
  /// The maximum size of a user's states in one list, in bytes.
  public static let sizeLimit = 262_144
  /// The size of a state without the trigger, in bytes.
  package static let overhead = 64

  /// Returns the size of states in bytes: a fixed amount each, and the trigger's text.
  package static func size(of states: [Reminder]) -> Int {
    states.reduce(0) { $0 + overhead + $1.trigger.description.utf8.count }
  }

  /// Returns the items whose states in a list are to be removed, so that the others have at most `sizeLimit` bytes: those of which none
  /// is still snoozed, the ones that were acknowledged first.
  ///
  /// - Parameters:
  ///   - states: the user's states in the list.
  ///   - item: the item whose states were stored last, which are kept.
  /// - Throws: `ToDoError.invalidRequest` if that is not enough.
  package static func evictions(
    from states: [ItemID: [Reminder]], keeping item: ItemID, at now: Timestamp
  ) throws -> [ItemID] {
    var excess = states.values.reduce(-sizeLimit) { $0 + size(of: $1) }
    guard excess > 0 else { return [] }
    let past = states.filter { key, states in key != item && states.allSatisfy { ($0.snoozedUntil ?? now) <= now } }
    let times = past.mapValues { $0.compactMap(\.acknowledged).max()?.microseconds ?? .min }
    var evicted: [ItemID] = []
    for (item, _) in times.sorted(by: { ($0.value, $0.key) < ($1.value, $1.key) }) where excess > 0 {
      excess -= size(of: past[item] ?? [])
      evicted.append(item)
    }
    guard excess <= 0 else {
      let reason = "would make the list's snoozed reminders larger than \(sizeLimit) bytes; dismiss some of them"
      throw ToDoError.invalidRequest([FieldViolation("snooze_time", reason)])
    }
    return evicted
  }
}
