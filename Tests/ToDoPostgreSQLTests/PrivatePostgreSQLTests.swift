#if PostgreSQL
import Foundation
import ToDoPostgreSQL
import ToDoTestPostgreSQL
import Testing
import ToDoTestSupport

@Suite(.blocking) struct PrivatePostgreSQLTests {
  @Test func end_stopsServerAndRemovesFiles() throws {
    let server = try PrivatePostgreSQL()
    let processID = try #require(server.processID)
    #expect(kill(processID, 0) == 0)
    let database = try server.makeDatabase()
    #expect(try database != server.makeDatabase())
    _ = try PostgreSQLConnection(ConnectionSettings(database)).run("SELECT 1")
    server.end()
    #expect(!FileManager.default.fileExists(atPath: server.host))
    #expect(throws: PostgreSQLError.self) { try PostgreSQLConnection(ConnectionSettings(database)) }
  }

  @Test func start_whenSettingIsInvalid_throwsLog() {
    let failure = #expect(throws: TestServerError.self) { try PrivatePostgreSQL(settings: ["nonsense=1"]) }
    #expect(failure?.description.contains("nonsense") == true)
  }
}
#endif
