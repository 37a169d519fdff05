import Synchronization
package import ToDoModel

/// All users' reminders in a process, and their watches.
///
/// What a user acknowledges through a book is known to the user's watches at once, and what is acknowledged through another server
/// within `interval`. The states of a user are read once for all of them.
public final class ReminderBook: Sendable {
  private typealias States = [ItemID: [Reminder]]

  private struct Observer {
    /// Returns whether another server can change the states.
    let isPolled: @Sendable () -> Bool
    let updates: AsyncStream<States>.Continuation
    /// Whether it has received no states yet.
    var isNew = true
  }

  /// The task that reads a user's states as long as somebody observes them.
  private struct Reader {
    var observers: [Int: Observer] = [:]
    /// The states that were read last.
    var states: States = [:]
    /// Begins another read.
    let read: AsyncStream<Void>.Continuation
    let task: Task<Void, Never>
  }

  private struct State {
    var readers: [OwnerID: Reader] = [:]
    var lastObserver = 0
  }

  let states: any ReminderStateStore
  let schedule: ReminderSchedule
  /// The clock that measures the time until a reminder is due.
  let clock: any Clock<Duration>
  /// The clock that determines whether a reminder is due.
  let wallClock: any WallClock
  private let state = Mutex(State())

  /// The maximum time between two looks at the states of a user, which another server can change.
  static let interval = Duration.seconds(5)

  /// Creates the book of a store. A process has one for each store.
  ///
  /// - Parameter states: the states of users' reminders, in the account store.
  public convenience init(_ states: any ReminderStateStore) {
    self.init(states, clock: ContinuousClock(), wallClock: SystemWallClock(), timeZones: TimeZoneFiles())
  }

  /// - Parameter timeZones: the time zones in which reminders are due.
  package init(
    _ states: any ReminderStateStore, clock: any Clock<Duration>, wallClock: any WallClock, timeZones: any TimeZones
  ) {
    self.states = states
    (self.clock, self.wallClock) = (clock, wallClock)
    schedule = ReminderSchedule { name in timeZones.rules(of: name) ?? UTC() }
  }

  /// Returns a user's reminders.
  ///
  /// - Parameter lists: the lists of the user, whose items are edited as these lists permit.
  package func reminders(in lists: LocalToDoListService) -> UserReminders { UserReminders(book: self, lists: lists) }

  /// The number of watches.
  package var watchCount: Int { state.withLock { $0.readers.values.reduce(0) { $0 + $1.observers.count } } }

  /// Returns a stream of a user's states: those of now, and those after each change. A consumer that is slow misses all but the last.
  ///
  /// - Parameter isPolled: returns whether another server can change the states, so that they are read every `interval`.
  func updates(
    of user: OwnerID, isPolled: @escaping @Sendable () -> Bool
  ) -> AsyncStream<[ItemID: [Reminder]]> {
    let (stream, continuation) = AsyncStream.makeStream(of: States.self, bufferingPolicy: .bufferingNewest(1))
    let id = state.withLock { state in
      state.lastObserver += 1
      let observer = Observer(isPolled: isPolled, updates: continuation)
      state.readers[user, default: makeReader(of: user)].observers[state.lastObserver] = observer
      return state.lastObserver
    }
    continuation.onTermination = { [weak self] _ in self?.removeObserver(id, of: user) }
    changed(of: user)
    return stream
  }

  /// Tells the observers of a user that the states have changed.
  func changed(of user: OwnerID) { state.withLock { _ = $0.readers[user]?.read.yield() } }

  private func removeObserver(_ id: Int, of user: OwnerID) {
    state.withLock { state in
      state.readers[user]?.observers[id] = nil
      guard let reader = state.readers[user], reader.observers.isEmpty else { return }
      reader.task.cancel()
      state.readers[user] = nil
    }
  }

  private func makeReader(of user: OwnerID) -> Reader {
    let (reads, read) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let task = Task {
      await withDiscardingTaskGroup { group in
        group.addTask { for await _ in reads { await self.readStates(of: user) } }
        group.addTask { await self.poll(user) }
      }
    }
    return Reader(read: read, task: task)
  }

  private func poll(_ user: OwnerID) async {
    while (try? await clock.sleep(for: Self.interval)) != nil {
      let observers = state.withLock { $0.readers[user]?.observers.values.map(\.self) ?? [] }
      if observers.contains(where: { $0.isNew || $0.isPolled() }) { changed(of: user) }
    }
  }

  /// Reads the states of a user, and passes them on if they are others, or to those who have none yet.
  private func readStates(of user: OwnerID) async {
    // While the states cannot be read, those that were read last remain in use.
    guard let current = try? await states.reminderStates(of: user), !Task.isCancelled else { return }
    let receivers = state.withLock { state in
      guard var reader = state.readers[user] else { return [AsyncStream<States>.Continuation]() }
      let receivers = reader.observers.filter { $0.value.isNew || reader.states != current }
      for id in receivers.keys { reader.observers[id]?.isNew = false }
      reader.states = current
      state.readers[user] = reader
      return receivers.values.map(\.updates)
    }
    for receiver in receivers { receiver.yield(current) }
  }
}
