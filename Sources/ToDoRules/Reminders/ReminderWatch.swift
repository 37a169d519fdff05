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
    let changes = book.changes(of: user)
    states = try await book.states.reminderStates(of: user)
    try await withThrowingTaskGroup { group in
      group.addTask { try await self.followLists() }
      group.addTask { await self.followStates(changes) }
      group.addTask { await self.pollStates() }
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
    body(&followed.values[index])
    if followed.values[index].due.isExhausted { followed.values[index].reread() }
    sleep?.resume()
  }

  // MARK: States

  private func followStates(_ changes: AsyncStream<Void>) async {
    for await _ in changes { await readStates() }
  }

  private func pollStates() async {
    while (try? await book.clock.sleep(for: ReminderBook.interval)) != nil {
      // Without a shared list, nothing else changes the states.
      if followed.values.contains(where: \.isShared) { await readStates() }
    }
  }

  private func readStates() async {
    // While the states cannot be read, those that were read last remain in use.
    guard let current = try? await book.states.reminderStates(of: user), current != states else { return }
    let changed = current.filter { states[$0.key] != $0.value }
    states = current
    for list in followed.keys { change(list) { $0.due.apply(current) } }
    // A snoozed reminder that was acknowledged is not held.
    let snoozed = changed.filter { $0.value.contains { $0.snoozedUntil != nil } }.keys
    guard snoozed.contains(where: { item in !followed.values.contains { $0.due.contains(item) } }) else { return }
    for list in followed.keys where followed[list]?.isShared ?? false { change(list) { $0.reread() } }
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

  /// Returns what has changed since the last call. What is due in a list that is being read again remains so.
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
