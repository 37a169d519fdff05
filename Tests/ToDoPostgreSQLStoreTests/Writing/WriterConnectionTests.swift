#if PostgreSQL
import ToDoModel
import ToDoPostgreSQL
import ToDoTestSupport
import Testing

@testable import ToDoPostgreSQLStore

@Suite(.timeLimited, .blocking) struct WriterConnectionTests {
  private let database: StoreDatabase
  private let time = ManualTiming()
  private var connection: WriterConnection

  init() throws {
    database = try StoreDatabase(isMigrated: false, isPrivate: true)
    connection = WriterConnection(StoreConnection.settings(database.uri, purpose: "test"), timing: time.timing)
  }

  @Test mutating func open_whenDatabaseCannotBeReached_triesAgainAfterEachDelay() throws {
    try database.setAllowsConnections(false)
    #expect(throws: PostgreSQLError.self) { try connection.open() }
    time.advance(by: .milliseconds(50))
    #expect(throws: PostgreSQLError.self) { try connection.open() }
    try database.setAllowsConnections(true)
    // The second delay is twice the first.
    time.advance(by: .milliseconds(99))
    #expect(throws: PostgreSQLError.self) { try connection.open() }
    time.advance(by: .milliseconds(1))
    #expect(try connection.open().run("SELECT 1").count == 1)
  }

  @Test mutating func open_afterTheConnectionWasLost_makesAnotherOne() throws {
    let first = try connection.open()
    #expect(try connection.open() === first)
    try database.terminateConnections()
    #expect(throws: PostgreSQLError.self) { try first.run("SELECT 1") }
    #expect(try connection.open().run("SELECT 1").count == 1)
  }

  @Test mutating func open_whenClosed_throws() {
    connection.close()
    #expect(throws: ToDoError.storeUnavailable(detail: "the store is closed")) { try connection.open() }
  }
}
#endif
