/// The states of one user's reminders in a list, beside its items.
package protocol PersonalReminderStates: Sendable {
  /// Whether the list is shared. Otherwise its items have the states, and those beside them are of the time when it was shared.
  var isShared: Bool { get }

  /// Returns the states, by item.
  func states() async throws -> [ItemID: [Reminder]]

  /// Replaces the states of an item, unless they have changed.
  ///
  /// - Returns: whether they were replaced.
  func replace(_ former: [Reminder], with states: [Reminder], of item: ItemID) async throws -> Bool

  /// Returns a stream with an element when this process has changed the states.
  func changes() -> AsyncStream<Void>
}

/// Changes items' reminders, each time at a known revision, or the states of one user, each time known ones, so that only one of several
/// programs that claim a reminder succeeds.
package struct ReminderClaim: Sendable {
  private let service: any ToDoService
  /// The states of the user for whom reminders are claimed; `nil` for those of the items.
  private let personal: (any PersonalReminderStates)?
  /// The times at which reminders are due.
  package let schedule: ReminderSchedule

  /// Creates a claim.
  package init(
    service: any ToDoService, schedule: ReminderSchedule, personal: (any PersonalReminderStates)? = nil
  ) {
    (self.service, self.schedule, self.personal) = (service, schedule, personal)
  }

  /// Acknowledges the reminders of which the user is to be told now, or changes them in another way that makes them not due.
  ///
  /// - Parameters:
  ///   - limit: the maximum number of reminders to claim.
  ///   - marking: returns all reminders after the claim of some.
  /// - Returns: the item afterwards, and the reminders; none if another program has claimed them. `nil` if the item is gone.
  /// - Throws: any error of the service.
  package func claim(
    _ item: ToDoItem, at now: Timestamp, limit: Int = .max,
    marking: (ToDoItem, [ReminderSchedule.Entry]) -> [Reminder] = { $0.acknowledging($1) }
  ) async throws -> (item: ToDoItem, entries: [ReminderSchedule.Entry])? {
    var claimed: [ReminderSchedule.Entry] = []
    do {
      let changed = try await change(item) { item in
        claimed = Array(schedule.entries(of: item).filter { $0.tellTime <= now }.prefix(limit))
        return claimed.isEmpty ? nil : marking(item, claimed)
      }
      return (changed, claimed)
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

extension ToDoService {
  /// Replaces the reminders of an item. If it has changed elsewhere, changes them again, up to five times.
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
