package import ToDoModel

/// Finds the reminders that the positions of one user trigger.
///
/// A reminder in a list that nobody else uses is acknowledged in the store, in an edit bound to the item's revision, so that
/// only one server reports it. In a shared list nothing is written: the acknowledgment's time would show the others where
/// the user was. There, each user who arrives is told.
package struct PlaceWatch: Sendable {
  /// A list of the user.
  package struct List: Sendable {
    /// The owner under which the items are stored.
    let owner: OwnerID
    let id: ListID
    let service: any ToDoService
    /// Whether others can see the list.
    let isShared: Bool

    /// Creates a value.
    package init(_ owner: OwnerID, id: ListID, _ service: any ToDoService, isShared: Bool) {
      (self.owner, self.id, self.service, self.isShared) = (owner, id, service, isShared)
    }
  }

  /// A reminder that was triggered.
  package struct Told: Sendable {
    /// The list.
    package let list: ListID
    /// The item after the reminder was acknowledged.
    package let item: ToDoItem
    /// The event.
    package let event: PlaceReminder.Event
    /// The event's time.
    package let time: Timestamp
  }

  private var fences = PlaceFences()
  private var indexes: [OwnerID: FenceIndex] = [:]

  /// Creates the watch of a user about whom nothing is known.
  package init() {}

  /// The number of fences and areas in memory.
  package var count: Int { indexes.values.reduce(fences.count) { $0 + $1.count } }

  /// Whether an item has a reminder for leaving its place.
  package var remindsOfLeaving: Bool { indexes.values.contains { $0.fences.contains { $0.key.event == .leaving } } }

  /// Takes a position.
  ///
  /// - Parameter lists: all lists of the user.
  /// - Returns: the reminders that the user is to be told about. If a list fails, its reminders follow with a later position.
  /// - Throws: `ToDoError.invalidRequest`; the error of a list if nothing could be told because of it.
  package mutating func move(to position: Position, in lists: [List], at now: Timestamp) async throws -> [Told] {
    try position.validate(at: now)
    var failure = await refresh(lists)
    let former = fences
    let all = lists.flatMap { indexes[$0.owner]?.fences ?? [] }
    let happened = fences.move(to: position, among: all, at: now)
    var told: [Told] = []
    for key in happened {
      guard let list = lists.first(where: { $0.owner == key.list }) else { continue }
      do {
        let time = min(position.time ?? now, now)
        guard let item = try await list.claim(key, at: time) else { continue }
        told.append(Told(list: list.id, item: item, event: key.event, time: time))
      } catch ToDoError.itemNotFound, ToDoError.listNotFound {
        continue
      } catch {
        fences.takeBack(key, to: former)
        failure = failure ?? error
      }
    }
    if told.isEmpty, let failure { throw failure }
    return told
  }

  /// Looks at the lists. The fences of a list that fails remain as they were.
  ///
  /// - Returns: the first error.
  private mutating func refresh(_ lists: [List]) async -> (any Error)? {
    var failure: (any Error)?
    let owners = Set(lists.map(\.owner))
    indexes = indexes.filter { owners.contains($0.key) }
    for list in lists {
      var index = indexes[list.owner] ?? FenceIndex(list: list.owner)
      do {
        try await index.refresh(from: list.service)
        indexes[list.owner] = index
      } catch ToDoError.listNotFound {
        indexes[list.owner] = nil
      } catch {
        failure = failure ?? error
      }
    }
    return failure
  }
}

extension PlaceWatch.List {
  /// Acknowledges a reminder, unless others would see that.
  ///
  /// - Returns: the item afterwards; `nil` if the user is no longer to be told.
  fileprivate func claim(_ key: PlaceFence.Key, at time: Timestamp) async throws -> ToDoItem? {
    let item = try await service.item(key.item)
    guard !isShared else { return item.placeReminder(key.event, at: time) == nil ? nil : item }
    var isClaimed = false
    let changed = try await service.changeReminders(of: item) { current in
      isClaimed = false
      guard let index = current.placeReminder(key.event, at: time) else { return nil }
      isClaimed = true
      var reminders = current.reminders
      reminders[index] = Reminder(key.event.trigger, acknowledged: time)
      return reminders
    }
    return isClaimed ? changed : nil
  }
}

extension PlaceReminder {
  /// Creates the reminder that users see.
  package init(_ told: PlaceWatch.Told) {
    self.init(
      list: told.list, item: told.item.id, number: told.item.number, title: told.item.title, event: told.event)
  }
}
