package import ToDoModel

/// The reminders of one user, in all lists that the user can read.
package struct UserReminders: Sendable {
  let book: ReminderBook
  let lists: LocalToDoListService

  private var user: OwnerID { lists.defaultList.owner }

  /// Emits the reminders that are due, and their ends, until the task is canceled.
  ///
  /// - Parameters:
  ///   - selected: the lists; empty for all.
  ///   - emit: receives the events. While it waits, the watch holds no further ones.
  /// - Throws: the errors of `emit`; `ToDoError.listNotFound` once a selected list is not available; `ToDoError.storeUnavailable`.
  package func watch(
    in selected: [ListID], _ emit: @escaping @Sendable (ReminderEvent) async throws -> Void
  ) async throws {
    try await ReminderWatch(book, lists, selected: Set(selected)).run(emit)
  }

  /// Acknowledges a reminder.
  ///
  /// - Throws: `ToDoError.invalidRequest`, `listNotFound`, `itemNotFound`, `writeRateExceeded`.
  package func acknowledge(_ acknowledgment: ReminderAcknowledgment) async throws -> AcknowledgedReminder {
    let list = acknowledgment.key.list
    let isShared = try await list.isDefault ? false : lists.list(list).isShared
    let items = lists.items(in: list)
    let item = try await items.item(acknowledgment.key.item)
    // Before anything is counted or stored.
    _ = try outcome(of: acknowledgment, for: item)
    guard isShared else { return try await acknowledgeForAll(acknowledgment, item, items) }
    return try await acknowledgeForUser(acknowledgment, item)
  }

  /// Changes the user's state.
  private func acknowledgeForUser(
    _ acknowledgment: ReminderAcknowledgment, _ item: ToDoItem
  ) async throws -> AcknowledgedReminder {
    try lists.defaultList.writeRate?.admit(1, textSize: 0, to: user)
    let acknowledged = try await book.states.changeReminderStates(
      of: user, in: acknowledgment.key.list, item: item.id, at: book.wallClock.now()
    ) { states in
      let outcome = try outcome(of: acknowledgment, for: item.applying(states, isShared: true))
      guard outcome.isAcknowledged else { return outcome }
      // The states of reminders that the item no longer has are removed, too.
      states.removeAll { state in
        state.trigger == outcome.reminder.trigger || !item.reminders.contains { $0.trigger == state.trigger }
      }
      states.append(outcome.reminder)
      return outcome
    }
    book.changed(of: user)
    return acknowledged
  }

  /// Changes the item's state.
  private func acknowledgeForAll(
    _ acknowledgment: ReminderAcknowledgment, _ item: ToDoItem, _ items: any ToDoService
  ) async throws -> AcknowledgedReminder {
    // Those of a list that was shared.
    let states = try await book.states.reminderStates(of: user)[item.id] ?? []
    var last: AcknowledgedReminder?
    _ = try await items.changeReminders(of: item) { current in
      let personal = current.applying(states, isShared: false)
      let outcome = try outcome(of: acknowledgment, for: personal)
      last = outcome
      guard outcome.isAcknowledged else { return nil }
      let reminders = personal.reminders.map { $0.trigger == outcome.reminder.trigger ? outcome.reminder : $0 }
      return reminders == current.reminders ? nil : reminders
    }
    return try last ?? outcome(of: acknowledgment, for: item)
  }

  private func outcome(
    of acknowledgment: ReminderAcknowledgment, for item: ToDoItem
  ) throws -> AcknowledgedReminder {
    let outcome = book.schedule.acknowledging(acknowledgment, of: item, at: book.wallClock.now())
    guard let outcome else {
      let reason = "must be one of the item's reminders, at a time"
      throw ToDoError.invalidRequest([FieldViolation("reference.reminder", reason)])
    }
    return outcome
  }
}
