import Testing
import ToDoModel
import ToDoTestSupport

@testable import todo_load

@Suite(.timeLimited) struct WatchersTests {
  @Test func waitForDeliveries_whenInterrupted_ends() async throws {
    let watchers = Watchers(count: 1)
    watchers.recordAcknowledgement(of: Revision(1), isMeasured: true)
    try await withWaitLimit("the wait went on") {
      await watchers.waitForDeliveries(within: .seconds(3600)) { true }
    }
    #expect(watchers.deliveries.missing == 1)
  }
}
