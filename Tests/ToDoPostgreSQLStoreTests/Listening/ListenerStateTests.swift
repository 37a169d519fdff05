#if PostgreSQL
import Testing
import ToDoModel
import ToDoSupport

@testable import ToDoPostgreSQLStore

@Suite struct ListenerStateTests {
  private func observer() -> ListenerState.Observer {
    ListenerState.Observer(report: { _ in }, waiter: CancellableWaiter())
  }

  @Test func add_startsTheThreadOnce() {
    var state = ListenerState()
    let added = (0..<2).map { _ in state.add(observer())?.mustStart }
    #expect(added == [true, false])
    let isStopped = state.stopIfUnobserved()
    #expect(!isStopped)
  }

  @Test func stopIfUnobserved_afterTheLastObserver_stops() {
    var state = ListenerState()
    let ids = (0..<2).compactMap { _ in state.add(observer())?.id }
    let isLast = ids.map { state.remove($0) }
    #expect(isLast == [false, true])
    #expect(state.isRunning)
    let isStopped = state.stopIfUnobserved()
    #expect(isStopped)
    #expect(!state.isRunning)
    let added = state.add(observer())
    #expect(added?.mustStart == true)
  }

  @Test func add_beforeTheThreadHasStopped_keepsItRunning() throws {
    var state = ListenerState()
    let first = state.add(observer())
    let isLast = state.remove(try #require(first).id)
    let second = state.add(observer())
    let isStopped = state.stopIfUnobserved()
    #expect(isLast)
    #expect(second?.mustStart == false)
    #expect(!isStopped)
  }

  @Test func takeReports_whenObserverIsNew_reportsAllLists() {
    var state = ListenerState()
    _ = state.add(observer())
    let lists = ChangedLists.some([OwnerID("a")])
    let reports = [.none, .none, lists].map { state.takeReports(of: $0).map(\.lists) }
    #expect(reports == [[.all], [], [lists]])
    _ = state.add(observer())
    let later = state.takeReports(of: .none).map(\.lists)
    #expect(later == [.all])
  }

  @Test func close_rejectsLaterObservers() {
    var state = ListenerState()
    _ = state.add(observer())
    let waiters = state.close()
    #expect(waiters.count == 1)
    let added = state.add(observer())
    #expect(added == nil)
    let isStopped = state.stopIfUnobserved()
    #expect(isStopped)
  }
}
#endif
