#if PostgreSQL
import ToDoPostgreSQL
import Testing
import ToDoTestSupport
import ToDoModel

@testable import ToDoPostgreSQLStore

@Suite(.blocking) struct StoreConnectionTests {
  @Test(arguments: [
    ("", "target_session_attrs=read-write"),
    ("host=a,b dbname=todo", "host=a,b dbname=todo target_session_attrs=read-write"),
    ("postgresql://", "postgresql://?target_session_attrs=read-write"),
    ("postgresql://a,b/todo", "postgresql://a,b/todo?target_session_attrs=read-write"),
    ("postgres://a/todo?", "postgres://a/todo?target_session_attrs=read-write"),
    ("postgres://a/todo?user=x@y", "postgres://a/todo?user=x@y&target_session_attrs=read-write"),
    ("postgres://u:p?w@a/todo", "postgres://u:p?w@a/todo?target_session_attrs=read-write"),
    ("postgres://a/todo?target_session_attrs=any", "postgres://a/todo?target_session_attrs=any"),
  ])
  func adding_addsTheTargetOnce(_ text: String, _ expected: String) {
    #expect(StoreConnection.adding(.primary, to: text) == expected)
    #expect(ConnectionSettings(expected).isValid)
  }

  @Test func open_appliesTheSessionSettings() throws {
    let connection = try StoreDatabase(isMigrated: false).connection()
    for (name, value) in [
      ("enable_seqscan", "off"), ("plan_cache_mode", "force_generic_plan"), ("jit", "off"), ("lock_timeout", "3s"),
      ("synchronous_commit", "on"), ("application_name", "todo-server test"),
    ] {
      #expect(try connection.run("SELECT current_setting($1)", .text(name)).text(0, 0) == value, "\(name)")
    }
  }

  @Test func open_whenServerIsUnreachable_throwsWithoutThePassword() {
    let error = #expect(throws: PostgreSQLStoreError.self) {
      try StoreConnection.open("postgresql://ann:secret@127.0.0.1:1/todo", purpose: "test")
    }
    guard case .cannotConnect = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(error?.description.contains("secret") == false)
  }

  @Test func perform_whenBodyThrows_rollsBack() throws {
    let database = try StoreDatabase(isMigrated: false)
    let connection = try database.connection()
    try connection.execute("CREATE TABLE number (value int)")
    #expect(throws: ToDoError.storeFull) {
      try StoreTransaction.perform(on: connection) {
        try connection.execute("INSERT INTO number VALUES (1)")
        throw ToDoError.storeFull
      }
    }
    #expect(throws: PostgreSQLError.self) {
      try StoreTransaction.perform(on: connection) { try connection.execute("INSERT INTO number VALUES ('a')") }
    }
    #expect(!connection.isInTransaction)
    #expect(try database.numbers("SELECT count(*) FROM number") == [0])
  }

  @Test func perform_whenBodyIgnoresAnError_throws() throws {
    let connection = try StoreDatabase(isMigrated: false).connection()
    #expect(throws: ToDoError.storeUnavailable(detail: "the database rolled the change back")) {
      try StoreTransaction.perform(on: connection) { try? connection.execute("SELECT 1 / 0") }
    }
  }

  @Test func perform_whenConnectionIsLostBeforeTheCommit_reportsAnUnknownOutcome() throws {
    let database = try StoreDatabase(isMigrated: false, isPrivate: true)
    let connection = try database.connection()
    #expect(throws: StoreTransaction.outcomeUnknown) {
      try StoreTransaction.perform(on: connection) { try database.terminateConnections() }
    }
  }

  @Test func perform_whenConnectionOfAReadIsLost_throwsTheError() throws {
    let database = try StoreDatabase(isMigrated: false, isPrivate: true)
    let connection = try database.connection()
    let error = #expect(throws: PostgreSQLError.self) {
      try StoreTransaction.perform(.reading, on: connection) { try database.terminateConnections() }
    }
    #expect(error?.endsConnection == true)
  }
}
#endif
