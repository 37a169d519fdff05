package import ToDoModel

/// A user's states in one list, for the sender of its reminders.
struct UserReminderStates: PersonalReminderStates {
  let book: ReminderBook
  let user: OwnerID
  let list: OwnerID
  let isShared: Bool

  func states() async throws -> [ItemID: [Reminder]] { try await book.states.reminderStates(of: user) }

  func replace(_ former: [Reminder], with states: [Reminder], of item: ItemID) async throws -> Bool {
    guard let list = list.list else { return false }
    let isReplaced = try await book.states.changeReminderStates(
      of: user, in: list, item: item, at: book.wallClock.now()
    ) { current in
      guard Set(current) == Set(former) else { return false }
      current = states
      return true
    }
    if isReplaced { book.changed(of: user) }
    return isReplaced
  }

  func updates() -> AsyncStream<[ItemID: [Reminder]]> { book.updates(of: user) { true } }
}

extension ReminderBook {
  /// Returns the states of a user in a list.
  ///
  /// - Parameter list: the owner of the list's items.
  package func states(of user: OwnerID, in list: OwnerID, isShared: Bool) -> any PersonalReminderStates {
    UserReminderStates(book: self, user: user, list: list, isShared: isShared)
  }
}
