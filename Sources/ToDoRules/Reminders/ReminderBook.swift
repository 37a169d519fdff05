import Synchronization
package import ToDoModel

/// All users' reminders in a process, and their watches.
///
/// What a user acknowledges through a book is known to the user's watches at once, and what is acknowledged through another server
/// within `interval`.
public final class ReminderBook: Sendable {
  private struct Observer {
    let user: OwnerID
    let changes: AsyncStream<Void>.Continuation
  }

  private struct State {
    var observers: [Int: Observer] = [:]
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
  /// - Parameter states: what the users were told, in the store of the accounts.
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

  /// Returns the reminders of a user.
  ///
  /// - Parameter lists: the lists of the user, whose items are edited as these lists permit.
  package func reminders(in lists: LocalToDoListService) -> UserReminders { UserReminders(book: self, lists: lists) }

  /// The number of watches.
  package var watchCount: Int { state.withLock(\.observers.count) }

  /// Returns a stream with an element after each change of a user's states. Changes that follow each other quickly make one.
  func changes(of user: OwnerID) -> AsyncStream<Void> {
    let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let id = state.withLock { state in
      state.lastObserver += 1
      state.observers[state.lastObserver] = Observer(user: user, changes: continuation)
      return state.lastObserver
    }
    continuation.onTermination = { [weak self] _ in self?.state.withLock { _ = $0.observers.removeValue(forKey: id) } }
    return stream
  }

  /// Tells the watches of a user that the states have changed.
  func changed(of user: OwnerID) {
    let observers = state.withLock { $0.observers.values.filter { $0.user == user } }
    for observer in observers { observer.changes.yield() }
  }
}

/// The zone in place of an unknown one.
private struct UTC: TimeZoneRules {
  func offset(at instant: Timestamp) -> ZoneOffset { ZoneOffset(seconds: 0, name: "UTC") }
}
