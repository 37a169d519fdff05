#if PostgreSQL
import ToDoPostgreSQL
import ToDoTestSupport
import Testing

@testable import ToDoPostgreSQLStore

@Suite(.timeLimited, .blocking) struct ConnectionWorkerTests {
  @Test func run_whenDatabaseCannotBeReached_triesAgainAfterAWhile() async throws {
    let database = try StoreDatabase(isMigrated: false, isPrivate: true)
    let time = ManualTiming()
    let worker = ConnectionWorker(
      StoreConnection.settings(database.uri, purpose: "test"), label: "Test", timing: time.timing)
    try database.setAllowsConnections(false)
    await #expect(throws: PostgreSQLError.self) { try await worker.run { $0.isInTransaction } }
    try database.setAllowsConnections(true)
    time.advance(by: .milliseconds(249))
    await #expect(throws: PostgreSQLError.self) { try await worker.run { $0.isInTransaction } }
    time.advance(by: .milliseconds(1))
    #expect(try await !worker.run { $0.isInTransaction })
    worker.close()
  }
}
#endif
