import RPC
import TestSupport
import Testing
import ToDoProtocol
import ToDoRules
import ToDoStores

@testable import ToDoServer

/// Methods whose responses can be large, which are not built on the event loop that serves other users too.
@Suite struct LargeResponseTests {
  @Test func methods_resumeOnEventLoop_onlyIfTheirResponsesAreSmall() {
    let service = LocalToDoService(store: MemoryToDoItemStore(), clock: TestClock())
    let table = MethodTable(serving: service, health: HealthMonitor(services: []))
    let others = table.methods.filter { $0.name.service == ToDoMethods.service && !$0.resumesOnEventLoop }
    #expect(
      Set(others.map(\.name.method)) == [
        "BatchAddItems", "ListChanges", "ListItems", "ListNearbyItems", "WatchItems",
      ])
  }
}
