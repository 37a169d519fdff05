#if PostgreSQL
import Dispatch
import Glibc
import Testing
import ToDoPostgreSQL
import ToDoTestPostgreSQL
import ToDoTestSupport

/// Connections that are lost, and commits whose outcome is uncertain.
@Suite(.timeLimited, .blocking) struct ConnectionLossTests {
  private let server: PrivatePostgreSQL
  private let database: String
  private let connection: PostgreSQLConnection

  init() throws {
    server = try PrivatePostgreSQL.run()
    database = try server.makeDatabase()
    connection = try PostgreSQLConnection(ConnectionSettings(database))
  }

  @Test func run_whenItTakesTooLong_timesOutAndLosesConnection() throws {
    connection.timeout = .milliseconds(300)
    let clock = ContinuousClock()
    let start = clock.now
    let failure = #expect(throws: PostgreSQLError.self) { try connection.run("SELECT pg_sleep(60)") }
    #expect(failure?.kind == .timedOut)
    #expect((.milliseconds(300) ..< .seconds(30)).contains(clock.now - start))
    #expect(!connection.isUsable && !connection.isInTransaction)
    #expect(throws: PostgreSQLError(.lostConnection, message: "the connection is lost")) {
      try connection.run("SELECT 1")
    }
    #expect(throws: PostgreSQLError.self) { try connection.execute("SELECT 1") }
    #expect(throws: PostgreSQLError.self) { try connection.notifications(within: .zero) }
  }

  @Test func send_whenBackendIsFrozenAndBuffersAreFull_timesOutAndCloses() throws {
    var lost: PostgreSQLConnection? = try PostgreSQLConnection(ConnectionSettings(database))
    lost?.timeout = .milliseconds(300)
    let processID = try #require(lost?.backendProcessID)
    kill(processID, SIGSTOP)
    defer { kill(processID, SIGCONT) }
    var parameters = Parameters()
    parameters.append(bytes: [UInt8](repeating: 7, count: 32 << 20))
    let failure = #expect(throws: PostgreSQLError.self) { try lost?.run("SELECT $1", parameters) }
    #expect(failure?.kind == .timedOut)
    weak let released = lost
    lost = nil
    #expect(released == nil)
  }

  @Test func run_whenTimeoutIsLong_waitsForSlowStatement() throws {
    _ = try connection.run("SELECT pg_sleep(0.2)")
    #expect(connection.isUsable)
  }

  @Test func run_whenTaskIsCancelled_isAbandonedIfTheConnectionEndsWithTasks() async throws {
    try await inCancelledTask { connection in
      connection.endsWithTask = true
      _ = try connection.run("SELECT 1")
      #expect(connection.isUsable)
      let failure = #expect(throws: PostgreSQLError.self) { try connection.run("SELECT pg_sleep(600)") }
      #expect(failure?.kind == .abandoned)
      #expect(!connection.isUsable)
    }
  }

  @Test func run_whenTaskIsCancelled_continuesOnOtherConnections() async throws {
    try await inCancelledTask { connection in
      _ = try connection.run("SELECT pg_sleep(0.3)")
      #expect(connection.isUsable)
    }
  }

  /// Calls `body` with a new connection in a task that is canceled.
  private func inCancelledTask(_ body: @escaping @Sendable (PostgreSQLConnection) throws -> Void) async throws {
    try await Task { [database] in
      withUnsafeCurrentTask { $0?.cancel() }
      let connection = try PostgreSQLConnection(ConnectionSettings(database))
      connection.timeout = .seconds(600)
      try body(connection)
    }.value
  }

  @Test func run_afterBackendWasTerminated_losesConnection() throws {
    try server.terminateConnections(of: database)
    let failure = #expect(throws: PostgreSQLError.self) { try connection.run("SELECT 1") }
    #expect(failure?.kind == .unavailable || failure?.kind == .lostConnection)
    #expect(!connection.isUsable)
    _ = try PostgreSQLConnection(ConnectionSettings(database)).run("SELECT 1")
  }

  @Test func send_whenBackendTerminatesItself_throwsErrorOfServer() throws {
    let failure = #expect(throws: PostgreSQLError.self) {
      try connection.send([
        BoundStatement("BEGIN"), BoundStatement("SELECT pg_terminate_backend(pg_backend_pid())"),
        BoundStatement("COMMIT"),
      ])
    }
    #expect(failure?.state == "57P01" && failure?.kind == .unavailable)
    #expect(!connection.isUsable)
  }

  @Test func notifications_afterBackendWasTerminated_throw() throws {
    try server.terminateConnections(of: database)
    #expect(throws: PostgreSQLError.self) { try connection.notifications(within: .seconds(60)) }
    #expect(!connection.isUsable)
  }

  @Test func run_whenStatementTimeoutEndsIt_isCancelledAndUsable() throws {
    try connection.execute("SET statement_timeout = '50ms'")
    let failure = #expect(throws: PostgreSQLError.self) { try connection.run("SELECT pg_sleep(60)") }
    #expect(failure?.kind == .canceled)
    #expect(connection.isUsable && !connection.commitIsUncertain)
  }

  @Test func commit_whenWaitForStandbyIsCancelled_isUncertain() throws {
    let server = try PrivatePostgreSQL(settings: ["synchronous_standby_names=missing"])
    defer { server.end() }
    let connection = try server.connection()
    #expect(!connection.commitIsUncertain)
    var parameters = Parameters()
    parameters.append(connection.backendProcessID)
    DispatchQueue.global().async { [parameters] in
      guard let canceller = try? server.connection() else { return }
      let sql: SQL = "SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE pid = $1 AND wait_event = 'SyncRep'"
      while (try? canceller.run(sql, parameters).count) == 0 {}
    }
    let results = try connection.send([
      BoundStatement("BEGIN"), BoundStatement("CREATE TABLE t ()"), BoundStatement("COMMIT"),
    ])
    #expect(results.last?.tag == "COMMIT")
    #expect(connection.commitIsUncertain)
    connection.commitIsUncertain = false
    #expect(!connection.commitIsUncertain)
  }
}
#endif
