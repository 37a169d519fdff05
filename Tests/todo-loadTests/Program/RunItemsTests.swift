import Logging
import Testing
import ToDoClient
import ToDoModel
import ToDoTestSupport
import ToDoTransport

@testable import todo_load

@Suite(.timeLimited) struct RunItemsTests {
  @Test func delete_whenServerIsUnreachable_countsItemsThatWereNotAttempted() async {
    var configuration = ToDoClient.Configuration()
    configuration.retryLimit = 0
    let client = ToDoClient(endpoint: .unix(path: "/nowhere/s"), configuration: configuration)
    let ids = (0..<1000).map { ItemID(high: 0, low: UInt64($0)) }
    #expect(await RunItems(service: client, name: "Load").delete(ids) { _ in } == 1000)
    await client.close()
  }
}
