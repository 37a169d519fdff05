import Synchronization
import ToDoModel
import ToDoSupport

/// Watches one user's reminders.
///
/// It follows the user's lists, the items in each, and the user's states. It holds the earliest reminders in each list
/// (`DueReminders`), and what it has emitted, so that a consumer that is slow costs no more than one that is not.
actor ReminderWatch {
  private struct Followed {
    let isShared: Bool
    var due: DueReminders
    let task: Task<Void, Never>
    /// Whether the list must be read again.
    var mustReread = false
    /// The wait for that.
    var rereading: CancellableWaiter<Void>?

    mutating func reread() {
      mustReread = true
      rereading?.resume()
      rereading = nil
    }
  }

  private let book: ReminderBook
  private let lists: LocalToDoListService
  private let user: OwnerID
  private let selected: Set<ListID>
  private var areListsKnown = false
  /// Whether a list is shared. Without one, no other server changes the states.
  private let followsSharedList = Atomic(false)
  private var followed: [ListID: Followed] = [:]
  private var states: [ItemID: [Reminder]] = [:]
  /// The reminders that were emitted and are due, with the times since which they are.
  private var emitted: [ReminderKey: Timestamp] = [:]
  private var hasCaughtUp = false
  /// The sleep until the next reminder is due.
  private var sleep: CancellableWaiter<Void>?

  /// The number of items whose reminders are held, in all lists together: the earliest of each list.
  private static let itemLimit = 4096
  /// The maximum time between two looks at the clock, which can be set while a task sleeps.
  private static let interval = Duration.seconds(60)
  private static let retryDelay = DoublingDelay(from: .seconds(1), to: interval)

  init(_ book: ReminderBook, _ lists: LocalToDoListService, selected: Set<ListID>) {
    (self.book, self.lists, self.selected) = (book, lists, selected)
    user = lists.defaultList.owner
  }

  /// Emits events until the task is canceled.
  func run(_ emit: @escaping @Sendable (ReminderEvent) async throws -> Void) async throws {
    defer { for list in followed.values { list.task.cancel() } }
    // Before the states, so that no change is missed.
    let updates = book.updates(of: user) { self.followsSharedList.load(ordering: .relaxed) }
    states = try await book.states.reminderStates(of: user)
    try await withThrowingTaskGroup { group in
      group.addTask { try await self.followLists() }
      group.addTask { for await current in updates { await self.take(current) } }
      group.addTask { try await self.emitEvents(emit) }
      defer { group.cancelAll() }
      try await group.next()
    }
  }

  // MARK: Lists

  private func followLists() async throws {
    for try await set in lists.watchLists() { try update(set.lists) }
  }

  /// Follows these lists, and no others. One that is shared now, or no longer, is read again.
  private func update(_ lists: [UserList]) throws {
    let chosen = lists.filter { selected.isEmpty || selected.contains($0.id) }
    if let missing = selected.first(where: { id in !chosen.contains { $0.id == id } }) {
      throw ToDoError.listNotFound(missing)
    }
    for (id, list) in followed where !chosen.contains(where: { $0.id == id && $0.isShared == list.isShared }) {
      list.task.cancel()
      followed[id] = nil
    }
    let limit = min(256, max(16, Self.itemLimit / max(1, chosen.count)))
    for list in chosen where followed[list.id] == nil {
      let due = DueReminders(list.id, isShared: list.isShared, schedule: book.schedule, limit: limit)
      followed[list.id] = Followed(isShared: list.isShared, due: due, task: Task { await self.follow(list.id) })
    }
    areListsKnown = true
    followsSharedList.store(chosen.contains(where: \.isShared), ordering: .relaxed)
    sleep?.resume()
  }

  /// Reads a list and follows its changes. Begins again after an error, and when the reminders that were left out are due next.
  private func follow(_ list: ListID) async {
    var failures = 0
    while !Task.isCancelled {
      change(list) { list in
        list.mustReread = false
        list.due.restart()
      }
      let mustRead = await withTaskGroup { group in
        group.addTask { await self.applyEvents(of: list) }
        group.addTask { await self.waitForRereading(of: list) }
        defer { group.cancelAll() }
        return await group.next() ?? false
      }
      failures = mustRead ? 0 : failures + 1
      if !mustRead { try? await book.clock.sleep(for: Self.retryDelay.after(failures)) }
    }
  }

  /// - Returns: `false`, after an error.
  private func applyEvents(of list: ListID) async -> Bool {
    do {
      for try await event in lists.items(in: list).watch(from: .snapshot, state: .toDo) {
        guard !Task.isCancelled else { break }
        change(list) { [states] in $0.due.apply(event, states) }
      }
    } catch {
      // The caller begins again, unless the list is no longer one of the user's.
    }
    return false
  }

  /// - Returns: whether the list must be read again; `false` if the task was canceled.
  private func waitForRereading(of list: ListID) async -> Bool {
    guard let known = followed[list], !Task.isCancelled else { return false }
    if known.mustReread { return true }
    let waiter = CancellableWaiter<Void>()
    followed[list]?.rereading = waiter
    return (try? await waiter.value()) != nil
  }

  private func change(_ list: ListID, _ body: (inout Followed) -> Void) {
    guard let index = followed.index(forKey: list) else { return }
    let former = followed.values[index].due.version
    body(&followed.values[index])
    if followed.values[index].due.isExhausted { followed.values[index].reread() }
    if followed.values[index].due.version != former { sleep?.resume() }
  }

  // MARK: States

  private func take(_ current: [ItemID: [Reminder]]) async {
    let changed = Set(current.keys).union(states.keys).filter { current[$0] != states[$0] }
    states = current
    for list in followed.keys { change(list) { $0.due.apply(current, to: changed) } }
    // A snoozed reminder that was acknowledged is not held.
    for item in changed where current[item]?.contains(where: { $0.snoozedUntil != nil }) ?? false {
      guard !followed.values.contains(where: { $0.due.contains(item) }) else { continue }
      await rereadList(of: item)
    }
  }

  /// Reads the shared list again that contains an item.
  private func rereadList(of item: ItemID) async {
    for list in followed.filter({ $0.value.isShared }).keys {
      do {
        _ = try await lists.items(in: list).item(item)
        return change(list) { $0.reread() }
      } catch ToDoError.itemNotFound {
        continue
      } catch {
        // It may contain the item.
        change(list) { $0.reread() }
      }
    }
  }

  // MARK: Events

  private func emitEvents(_ emit: @Sendable (ReminderEvent) async throws -> Void) async throws {
    while true {
      try Task.checkCancellation()
      let now = book.wallClock.now()
      let events = takeEvents(at: now)
      for event in events { try await emit(event) }
      if events.isEmpty { await pause(for: delay(at: now)) }
    }
  }

  /// Returns the changes since the last call. Reminders that are due in a list that is being read again remain so.
  private func takeEvents(at now: Timestamp) -> [ReminderEvent] {
    let complete = followed.values.filter(\.due.isComplete)
    let due = complete.flatMap { $0.due.due(at: now) }
    let current = Set(due.map(\.key))
    let removed = emitted.keys.filter { !current.contains($0) && followed[$0.list]?.due.isComplete ?? true }
    for key in removed { emitted[key] = nil }
    let new = due.filter { emitted[$0.key] != $0.tellTime }
    for reminder in new { emitted[reminder.key] = reminder.tellTime }
    var events = removed.map(ReminderEvent.removed)
    events += new.sorted { ($0.tellTime, $0.key.item) < ($1.tellTime, $1.key.item) }.map(ReminderEvent.due)
    if !hasCaughtUp, areListsKnown, complete.count == followed.count {
      hasCaughtUp = true
      let pending = complete.map { $0.due.pending(after: now) }
      events.append(.caughtUp(pending: pending.reduce(0) { $0 + $1.count }, next: pending.compactMap(\.next).min()))
    }
    return events
  }

  private func delay(at now: Timestamp) -> Duration {
    guard let next = followed.values.compactMap({ $0.due.pending(after: now).next }).min() else { return Self.interval }
    let rest = next.microseconds.subtractingReportingOverflow(now.microseconds)
    return rest.overflow ? Self.interval : min(max(.microseconds(rest.partialValue), .zero), Self.interval)
  }

  /// Sleeps, at most until something has changed.
  private func pause(for delay: Duration) async {
    let waiter = CancellableWaiter<Void>()
    sleep = waiter
    await withTaskGroup { [clock = book.clock] group in
      group.addTask { try? await waiter.value() }
      group.addTask { try? await clock.sleep(for: delay) }
      await group.next()
      group.cancelAll()
    }
    sleep = nil
  }
}
