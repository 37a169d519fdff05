#if PostgreSQL
import Dispatch
import ToDoPostgreSQL
import ToDoTestSupport
import Testing
import ToDoModel

@testable import ToDoPostgreSQLStore

@Suite(.timeLimited, .blocking) struct ChangeListenerTests {
  private let database: StoreDatabase
  private let reports = Condition<[ChangedLists]>([])

  init() throws { database = try StoreDatabase(isMigrated: false, isPrivate: true) }

  /// A listener that polls only if the test needs it.
  private func makeListener(timing: StoreTiming = .system) -> ChangeListener {
    ChangeListener(
      StoreConnection.settings(database.uri, purpose: "listener"), serverID: "own", pollInterval: .seconds(3600),
      timing: timing)
  }

  private func observe(_ listener: ChangeListener) -> Task<Void, any Error> {
    Task { [reports] in try await listener.observeLists { lists in reports.change { $0.append(lists) } } }
  }

  private func notify(_ serverID: String, _ lists: String...) throws {
    let notification = ChangeNotification(serverID: serverID, lists: .some(Set(lists.map { OwnerID($0) })))
    _ = try database.connection().run("SELECT pg_notify('todo_changes', $1)", .text(notification.payload))
  }

  private func waitForReport(_ lists: ChangedLists, count: Int = 1) async {
    await reports.wait { $0.count { $0 == lists } >= count }
  }

  @Test func observe_reportsChangesOfOtherServersOnly() async throws {
    let listener = makeListener()
    let task = observe(listener)
    await waitForReport(.all)
    try notify("own", "a")
    try notify("other", "b")
    await waitForReport(.some([OwnerID("b")]))
    #expect(reports.value == [.all, .some([OwnerID("b")])])
    task.cancel()
    try await task.value
  }

  @Test func observe_afterTheConnectionWasLost_catchesUp() async throws {
    let listener = makeListener()
    let task = observe(listener)
    await waitForReport(.all)
    for count in 2...4 {
      try database.terminateConnections()
      await waitForReport(.all, count: count)
      try notify("other", "list \(count)")
      await waitForReport(.some([OwnerID("list \(count)")]))
    }
    task.cancel()
    try await task.value
  }

  @Test func observe_reportsAllListsInEachInterval() async throws {
    let time = ManualTiming()
    var timing = time.timing
    timing.now = {
      time.advance(by: .seconds(3600))
      return time.now
    }
    let task = observe(makeListener(timing: timing))
    await waitForReport(.all, count: 5)
    task.cancel()
    try await task.value
  }

  @Test func observe_whenSeveralTasksObserve_reportsToEach() async throws {
    let listener = makeListener()
    let first = observe(listener)
    await waitForReport(.all)
    let second = observe(listener)
    await waitForReport(.all, count: 2)
    try notify("other", "a")
    await waitForReport(.some([OwnerID("a")]), count: 2)
    first.cancel()
    try await first.value
    try notify("other", "b")
    await waitForReport(.some([OwnerID("b")]))
    second.cancel()
    try await second.value
    let third = observe(listener)
    await waitForReport(.all, count: 3)
    third.cancel()
    try await third.value
  }

  @Test func observe_whenCancelled_returnsWithoutAReport() async throws {
    let listener = makeListener()
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      try await listener.observe { Issue.record("a cancelled observation reports") }
    }
    try await task.value
  }

  @Test func observe_whenServerIsUnreachable_waitsUntilItIsCancelled() async throws {
    let settings = StoreConnection.settings("host=/nonexistent", purpose: "listener")
    let task = observe(ChangeListener(settings, serverID: "own", timing: .system))
    task.cancel()
    try await task.value
    #expect(reports.value == [])
  }

  @Test func observe_whenServerStaysUnreachable_reportsAllListsBeforeEachAttemptAfter15Seconds() async throws {
    let settings = StoreConnection.settings("host=/nonexistent", purpose: "listener")
    let time = ManualTiming()
    let waits = Condition<[(reports: Int, end: Duration)]>([])
    var timing = time.timing
    timing.wait = { [reports] semaphore, duration in
      waits.change { $0.append((reports.value.count, time.passed + duration)) }
      // The last wait ends with the observation.
      if reports.value.count < 2 { time.advance(by: duration) } else { semaphore.waitForSignal() }
    }
    let task = observe(ChangeListener(settings, serverID: "own", timing: timing))
    await waits.wait { $0.last?.reports == 2 }
    task.cancel()
    try await task.value
    // Delays of 0.1, 0.2, 0.4, 0.8, 1.6 and then 2 seconds.
    #expect(waits.value.map(\.reports) == [Int](repeating: 0, count: 11) + [1, 2])
    #expect(waits.value.first { $0.reports == 1 }?.end == .milliseconds(17_100))
  }

  @Test func observe_whenListenerIsClosed_throws() async throws {
    let listener = makeListener()
    let task = observe(listener)
    await waitForReport(.all)
    listener.close()
    let error = ToDoError.storeUnavailable(detail: "the store is closed")
    await #expect(throws: error) { try await task.value }
    await #expect(throws: error) { try await listener.observe {} }
  }
}
#endif
