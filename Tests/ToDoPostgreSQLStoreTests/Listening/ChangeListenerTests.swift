#if PostgreSQL
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
  private func makeListener(pollInterval: Duration = .seconds(3600)) -> ChangeListener {
    ChangeListener(
      StoreConnection.settings(database.uri, purpose: "listener"), serverID: "own", pollInterval: pollInterval)
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
    let listener = makeListener(pollInterval: .milliseconds(10))
    let task = observe(listener)
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
    let task = observe(ChangeListener(settings, serverID: "own"))
    task.cancel()
    try await task.value
    #expect(reports.value == [])
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
