/// The states of one user's reminders in a list, beside its items.
package protocol PersonalReminderStates: Sendable {
  /// Whether the list is shared. Otherwise its items have the states, and those beside them date from the time when it was shared.
  var isShared: Bool { get }

  /// Returns the states, by item.
  func states() async throws -> [ItemID: [Reminder]]

  /// Replaces the states of an item, unless they have changed.
  ///
  /// - Returns: whether they were replaced.
  func replace(_ former: [Reminder], with states: [Reminder], of item: ItemID) async throws -> Bool

  /// Returns a stream of the states: those of now, and those after each change.
  func updates() -> AsyncStream<[ItemID: [Reminder]]>
}

/// Claims reminders under a lease, so that one of several programs tells the user of each, and another one does if it ends before.
///
///     due --lease--> snoozed until the lease ends --told--> confirmed: acknowledged
///      ^                       |
///      +------the lease ends---+
///
/// A lease changes the item at a known revision, or the state of one user while it is a known one, so only one of several programs
/// succeeds. Its end keeps the mark of the delivery, see `DeliveryMark`.
package struct ReminderClaim: Sendable {
  private let service: any ToDoService
  /// The states of the user for whom reminders are claimed; `nil` for the items' own.
  private let personal: (any PersonalReminderStates)?
  /// The times at which reminders are due.
  package let schedule: ReminderSchedule

  /// Creates a claim.
  package init(
    service: any ToDoService, schedule: ReminderSchedule, personal: (any PersonalReminderStates)? = nil
  ) {
    (self.service, self.schedule, self.personal) = (service, schedule, personal)
  }

  /// Leases the earliest reminder of which the user is to be told now.
  ///
  /// - Parameter duration: returns the time until the reminder is due again, unless it is confirmed before.
  /// - Returns: the item afterwards, and the reminder; none if another program has leased it. `nil` if the item is gone.
  /// - Throws: any error of the service.
  package func lease(
    _ item: ToDoItem, at now: Timestamp,
    for duration: (ReminderSchedule.Entry) -> Duration = { _ in ReminderSchedule.Entry.leaseDuration }
  ) async throws -> (item: ToDoItem, entry: ReminderSchedule.Entry?)? {
    var leased: ReminderSchedule.Entry?
    do {
      let changed = try await change(item) { item in
        leased = schedule.entries(of: item).first { $0.tellTime <= now }
        return leased.map { item.snoozing([$0], until: $0.leaseEnd(at: now, for: duration($0))) }
      }
      return (changed, leased)
    } catch ToDoError.itemNotFound {
      return nil
    }
  }

  /// Acknowledges a leased reminder of which the user was told, unless it was moved, dismissed or snoozed since.
  ///
  /// - Parameter item: the item as the lease left it.
  /// - Returns: the item afterwards; `nil` if it is gone.
  /// - Throws: any error of the service.
  package func confirm(_ entry: ReminderSchedule.Entry, of item: ToDoItem) async throws -> ToDoItem? {
    do {
      return try await change(item) { current in
        guard current.reminders.indices.contains(entry.index),
          current.reminders[entry.index] == item.reminders[entry.index]
        else { return nil }
        return current.acknowledging([entry])
      }
    } catch ToDoError.itemNotFound {
      return nil
    }
  }

  /// Replaces the reminders of an item, as `ToDoService.changeReminders(of:_:)` does: up to five times.
  package func change(_ item: ToDoItem, _ change: (ToDoItem) throws -> [Reminder]?) async throws -> ToDoItem {
    guard let personal else { return try await service.changeReminders(of: item, change) }
    for _ in 1...5 {
      let former = try await personal.states()[item.id] ?? []
      guard personal.isShared else {
        let changed = try await service.changeReminders(of: item) { try change($0.applying(former, isShared: false)) }
        return changed.applying(former, isShared: false)
      }
      var changed = item.applying(former, isShared: true)
      guard let reminders = try change(changed) else { return changed }
      let states = reminders.filter { $0.acknowledged != nil }
      guard try await personal.replace(former, with: states, of: item.id) else { continue }
      changed.content.reminders = reminders
      return changed
    }
    throw ToDoError.storeUnavailable(detail: "the states of a reminder keep changing")
  }
}

extension ReminderSchedule.Entry {
  /// The time for which a program may tell the user of a reminder, if it needs no other.
  package static let leaseDuration = Duration.seconds(60)

  /// Returns the end of a lease, less than a second before its duration has passed.
  package func leaseEnd(at now: Timestamp, for duration: Duration = leaseDuration) -> Timestamp {
    DeliveryMark(tellTime).leaseEnd(before: now.adding(seconds: Int(duration.components.seconds)))
  }
}

extension ToDoService {
  /// Replaces an item's reminders. If it has changed elsewhere, changes them again, up to five times.
  ///
  /// - Parameter change: returns all reminders after the change, or `nil` if the item needs none.
  /// - Returns: the item afterwards.
  /// - Throws: any error of the service.
  package func changeReminders(
    of item: ToDoItem, _ change: (ToDoItem) throws -> [Reminder]?
  ) async throws -> ToDoItem {
    let attempts = 5
    var item = item
    for attempt in 1... {
      var edit = ItemEdit()
      edit.reminders = try change(item)
      guard edit.reminders != nil else { return item }
      do {
        return try await updateItem(
          item.id, edit, ifRevision: item.revision, options: SaveOptions(allowsDuplicate: true))
      } catch let error as ToDoError {
        guard case .revisionMismatch = error, attempt < attempts else { throw error }
        item = try await self.item(item.id)
      }
    }
    return item
  }
}
