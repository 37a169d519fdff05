public import ToDoModel

/// Stores which reminders in shared lists each user was told of, with the accounts.
///
/// An item has one state for each of its reminders, which is that of a list with one user. In a shared list, each user has a state
/// beside it, which no change of the item, no revision and no event shows to the others. It follows an item that is moved.
///
/// Users are named by the owner of their default list. Every change is atomic, and as durable as the store when the call returns.
/// The states of a user are removed with the user, those in a list when the user can no longer read it. A user has states of at most
/// `ReminderStates.itemLimit` items: those whose last acknowledgment is the earliest are removed first. All operations throw
/// `ToDoError.storeUnavailable` if the store fails. `ReminderStateContract` in ToDoTesting is this contract as a test suite.
public protocol ReminderStateStore: Sendable {
  /// Returns all states of a user, by item. No array is empty.
  func reminderStates(of user: OwnerID) async throws -> [ItemID: [Reminder]]

  /// Runs `body` with a user's states of an item, and stores those that it leaves, unless it throws. Changes of the same states by
  /// several servers run one after the other.
  ///
  /// - Parameters:
  ///   - list: the further list that contains the item.
  ///   - body: changes the states: at most `ItemContent.Limits.reminders`, with different triggers. It may run twice, of which only
  ///     the last run has an effect.
  /// - Throws: the errors of `body`; `ToDoError.listNotFound` if the user cannot read the list.
  func changeReminderStates<Value: Sendable>(
    of user: OwnerID, in list: ListID, item: ItemID, _ body: @escaping @Sendable (inout [Reminder]) throws -> Value
  ) async throws -> Value
}

/// The bounds of the states of reminders.
public enum ReminderStates {
  /// The maximum number of items of which a user has states.
  public static let itemLimit = 2_000
}
