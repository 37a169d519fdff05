import Logging
import Testing
import ToDoModel
import ToDoRules
import ToDoStores
import ToDoTestSupport

@testable import todo_server

@Suite(.timeLimited) struct ListMonitorTests {
  @Test func run_whenDeletedListHasExpired_purgesIt() async throws {
    let clock = TestClock()
    let items = MemoryToDoItemStore()
    let accounts = MemoryAccountStore(lists: items)
    let directory = ListDirectory(accounts)
    let lists = LocalToDoListService(directory, defaultList: LocalToDoService(store: items, clock: clock))
    let work = try await lists.createList(NewList(name: "Work"))
    _ = try await lists.items(in: work.id).addItem(NewItem(id: ItemID(), content: ItemContent(title: "Report")))
    _ = try await lists.deleteList(work.id)
    let pauses = Condition(0)
    let monitor = ListMonitor(directory: directory, logger: Logger(label: "test"), clock: clock) {
      // The first purge found nothing.
      pauses.change { $0 += 1 }
      await Task.yield()
      try Task.checkCancellation()
    }
    let running = Task { await monitor.run() }
    await pauses.wait { $0 >= 1 }
    #expect(try await lists.lists(includingDeleted: true).lists.count == 2)
    clock.advance(by: LocalToDoService.defaultDeletedItemAge)
    let purged = pauses.value + 2
    await pauses.wait { $0 >= purged }
    #expect(try await accounts.listRecords(of: .local).furtherLists == [])
    #expect(try await accounts.listUsage(of: .local) == [:])
    running.cancel()
    await running.value
  }
}
