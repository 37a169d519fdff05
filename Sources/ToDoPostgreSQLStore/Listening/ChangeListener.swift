#if PostgreSQL
import Dispatch
import ToDoPostgreSQL
import Synchronization
import ToDoModel
import ToDoStores
import ToDoSupport

/// Reports that another server has changed lists.
///
/// While there are observers, a thread with its own connection waits for notifications on the channel `todo_changes`.
/// It reports
///
/// - all lists to each observer once at the start, after each reconnection, and once in each `pollInterval`, which
///   bounds the staleness even if notifications are lost;
/// - the lists of each notification that another server has sent. Notifications that arrive together make one report.
///
/// The thread reconnects with increasing delays. It makes no reports during the first 15 s without a connection,
/// because a failover may take as long and reads would fail. Later it reports all lists before each attempt to
/// connect, because other connections may still work.
final class ChangeListener: Sendable {
  /// Receives the lists that may have changed, on the listener's thread. It must return quickly and must not block.
  typealias Report = ListenerState.Report

  private let settings: ConnectionSettings
  private let serverID: String
  private let pollInterval: Duration
  private let timing: StoreTiming
  private let queue = DispatchQueue(label: "ToDoPostgreSQLStore.ChangeListener", qos: .userInitiated)
  private let state = Mutex(ListenerState())
  /// Ends the delay before a reconnection.
  private let stop = DispatchSemaphore(value: 0)

  /// The time without a connection in which no reports are made.
  private static let patience = Duration.seconds(15)
  /// The maximum time for connecting and for a statement. It bounds the time until a failed server is noticed.
  private static let timeout = Duration.seconds(3)

  /// - Parameter serverID: the ID of this server, whose notifications are not reported.
  init(
    _ settings: ConnectionSettings, serverID: String, pollInterval: Duration = .seconds(1),
    timing: StoreTiming
  ) {
    self.settings = settings
    self.serverID = serverID
    self.pollInterval = pollInterval
    self.timing = timing
  }

  /// Calls `report` when lists may have changed, until the task is canceled. A call that has begun by then may still
  /// run.
  ///
  /// - Throws: `ToDoError.storeUnavailable` when the listener is closed.
  func observe(_ report: @escaping @Sendable () -> Void) async throws {
    try await observeLists { _ in report() }
  }

  /// Calls `report` with the lists that may have changed, until the task is canceled; otherwise as `observe(_:)`.
  func observeLists(_ report: @escaping Report) async throws {
    if Task.isCancelled { return }
    let waiter = CancellableWaiter<Void>()
    let id = try add(ListenerState.Observer(report: report, waiter: waiter))
    defer { remove(id) }
    do { try await waiter.value() } catch is CancellationError { return }
  }

  /// Ends all observations. Later observations throw. The connection is closed soon afterwards.
  func close() {
    let waiters = state.withLock { state in
      state.interrupter?.interrupt()
      return state.close()
    }
    stop.signal()
    for waiter in waiters { waiter.resume(throwing: ToDoError.storeClosed) }
  }

  private func add(_ observer: ListenerState.Observer) throws -> Int {
    let added = state.withLock { state in
      defer { state.interrupter?.interrupt() }
      return state.add(observer)
    }
    guard let added else { throw ToDoError.storeClosed }
    if added.mustStart { queue.async { self.run() } }
    return added.id
  }

  private func remove(_ id: Int) {
    let isLast = state.withLock { state in
      let isLast = state.remove(id)
      if isLast { state.interrupter?.interrupt() }
      return isLast
    }
    if isLast { stop.signal() }
  }

  // MARK: The thread

  private func run() {
    var delay = ReconnectDelay(first: .milliseconds(100), maximum: .seconds(2), jitter: timing.jitter)
    var lastConnected = timing.now()
    while true {
      do {
        let connection = try connect()
        delay.reset()
        // An earlier connection may have missed notifications.
        report(.all)
        defer { lastConnected = timing.now() }
        if try follow(connection) { return }
      } catch {
        // The cause is of no use to observers. Reads report it to their callers.
      }
      guard !wait(delay.next(), sinceConnected: lastConnected) else { return }
    }
  }

  private func connect() throws(PostgreSQLError) -> PostgreSQLConnection {
    var settings = settings
    settings.connectTimeout = Self.timeout
    let connection = try PostgreSQLConnection(settings)
    connection.timeout = Self.timeout
    try connection.execute("LISTEN \(ChangeNotification.channel)")
    return connection
  }

  /// Reports changes until no observer is left.
  ///
  /// - Returns: true, because the thread must end.
  /// - Throws: an error if the connection is lost.
  private func follow(_ connection: PostgreSQLConnection) throws(PostgreSQLError) -> Bool {
    let interrupter = connection.interrupter
    state.withLock { $0.interrupter = interrupter }
    // The connection outlives its interrupter in the state.
    defer { state.withLock { $0.interrupter = nil } }
    var lastPoll = timing.now()
    while true {
      if state.withLock({ $0.stopIfUnobserved() }) { return true }
      // Observers that were added before the interrupter was set.
      report(.none)
      let elapsed = lastPoll.duration(to: timing.now())
      let notifications = try connection.notifications(within: max(.zero, pollInterval - elapsed))
      report(lists(of: notifications))
      guard lastPoll.duration(to: timing.now()) >= pollInterval else { continue }
      lastPoll = timing.now()
      report(.all)
      // Fails if the server no longer responds.
      try connection.execute("SELECT 1")
    }
  }

  private func lists(of notifications: [ToDoPostgreSQL.Notification]) -> ChangedLists {
    var lists = ChangedLists.none
    for notification in notifications where notification.channel == ChangeNotification.channel {
      let change = ChangeNotification(payload: notification.payload)
      if change.serverID != serverID { lists.formUnion(change.lists) }
    }
    return lists
  }

  private func report(_ lists: ChangedLists) {
    // Call observers outside the lock: they may end observations.
    for (report, lists) in state.withLock({ $0.takeReports(of: lists) }) { report(lists) }
  }

  /// Waits before the next attempt to connect.
  ///
  /// - Returns: whether no observer is left, and the thread must end.
  private func wait(_ delay: Duration, sinceConnected lastConnected: ContinuousClock.Instant) -> Bool {
    if state.withLock({ $0.stopIfUnobserved() }) { return true }
    timing.wait(stop, delay)
    if state.withLock({ $0.stopIfUnobserved() }) { return true }
    if lastConnected.duration(to: timing.now()) >= Self.patience { report(.all) }
    return false
  }
}
#endif
