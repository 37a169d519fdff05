#if PostgreSQL
import ToDoTestPostgreSQL
import Testing
import ToDoTestSupport

@testable import ToDoPostgreSQL

/// Statements, batches and their errors.
@Suite(.blocking) struct StatementTests {
  private let server: PrivatePostgreSQL
  private let database: String
  private let connection: PostgreSQLConnection

  init() throws {
    server = try PrivatePostgreSQL.run()
    database = try server.makeDatabase()
    connection = try PostgreSQLConnection(ConnectionSettings(database))
    connection.timeout = .seconds(60)
    try connection.execute("CREATE TABLE t (x bigint PRIMARY KEY, b bytea)")
  }

  private func insert(_ value: Int64, _ bytes: [UInt8]? = nil) -> BoundStatement {
    var parameters = Parameters()
    parameters.append(value)
    parameters.append(bytes: bytes)
    return BoundStatement("INSERT INTO t VALUES ($1, $2)", parameters)
  }

  private func count() throws -> Int64 { try connection.run("SELECT count(*) FROM t").int64(0, 0) }

  @Test func run_reportsTagAndAffectedCount() throws {
    let inserted = try connection.run("INSERT INTO t SELECT generate_series(1, 5)")
    #expect(inserted.tag == "INSERT 0 5" && inserted.affectedCount == 5 && inserted.count == 0)
    let begun = try connection.run("BEGIN")
    #expect(begun.tag == "BEGIN" && begun.affectedCount == 0 && connection.isInTransaction)
    _ = try connection.run("ROLLBACK")
    #expect(!connection.isInTransaction)
  }

  @Test func run_whenRepeated_preparesOnce() throws {
    for _ in 0..<3 { _ = try connection.run("SELECT 'once'") }
    let rows = try connection.run("SELECT count(*) FROM pg_prepared_statements WHERE statement = 'SELECT ''once'''")
    #expect(rows.int64(0, 0) == 1)
  }

  @Test func execute_whenStatementFails_throwsItAndUndoesScript() throws {
    let failure = #expect(throws: PostgreSQLError.self) {
      try connection.execute("INSERT INTO t VALUES (1); INSERT INTO t VALUES (1); INSERT INTO t VALUES (2)")
    }
    #expect(failure?.kind == .uniqueViolation && failure?.state == "23505")
    #expect(connection.isUsable)
    #expect(try count() == 0)
  }

  @Test func run_afterResultTypeHasChanged_succeedsWhenRepeated() throws {
    _ = try connection.run("SELECT * FROM t")
    try connection.execute("ALTER TABLE t ADD COLUMN c text")
    #expect(throws: PostgreSQLError.self) { try connection.run("SELECT * FROM t") }
    #expect(try connection.run("SELECT * FROM t").count == 0)
  }

  @Test func copy_isUnsupported_andLosesConnection() throws {
    #expect(throws: PostgreSQLError.self) { try connection.execute("COPY t TO STDOUT") }
    #expect(!connection.isUsable)
    let other = try PostgreSQLConnection(ConnectionSettings(database))
    #expect(throws: PostgreSQLError.self) { try other.run("COPY t FROM STDIN") }
    #expect(!other.isUsable)
  }

  // MARK: Batches

  @Test func send_returnsResultsInOrder() throws {
    let results = try connection.send(
      [BoundStatement("BEGIN"), insert(1), insert(2), BoundStatement("SELECT x FROM t"), BoundStatement("COMMIT")])
    #expect(results.map(\.tag) == ["BEGIN", "INSERT 0 1", "INSERT 0 1", "SELECT 2", "COMMIT"])
    #expect((0..<2).map { results[3].int64($0, 0) } == [1, 2])
    #expect(try connection.send([]).isEmpty)
  }

  @Test func send_whenStatementFailsInTransaction_isRecoveredByRollback() throws {
    try connection.execute("INSERT INTO t VALUES (2)")
    let failure = #expect(throws: PostgreSQLError.self) {
      try connection.send(
        [
          BoundStatement("BEGIN"), insert(1), insert(2), BoundStatement("SELECT 'never prepared'"),
          BoundStatement("COMMIT"),
        ])
    }
    #expect(failure?.kind == .uniqueViolation && failure?.statementIndex == 2)
    #expect(failure?.sql == "INSERT INTO t VALUES ($1, $2)")
    #expect(connection.isUsable && connection.isInTransaction)
    #expect(throws: PostgreSQLError.self) { try connection.run("SELECT 'aborted'") }
    #expect(try connection.run("ROLLBACK").tag == "ROLLBACK")
    #expect(!connection.isInTransaction)
    #expect(try count() == 1)
    #expect(try connection.run("SELECT 'never prepared'").text(0, 0) == "never prepared")
  }

  @Test func send_withoutBegin_isOneTransaction() throws {
    #expect(throws: PostgreSQLError.self) { try connection.send([insert(1), insert(1)]) }
    #expect(!connection.isInTransaction)
    #expect(try count() == 0)
  }

  @Test func send_whenStatementCannotBePrepared_reportsItsIndex() throws {
    let failure = #expect(throws: PostgreSQLError.self) {
      try connection.send([insert(1), BoundStatement("SELEC 1"), insert(2)])
    }
    #expect(failure?.state == "42601" && failure?.statementIndex == 1)
    #expect(try connection.send([insert(1), insert(2)]).count == 2)
  }

  @Test func commit_afterTransactionHasFailed_hasTagRollback() throws {
    _ = try connection.run("BEGIN")
    #expect(throws: PostgreSQLError.self) { try connection.run("SELECT 1 / 0") }
    #expect(try connection.run("COMMIT").tag == "ROLLBACK")
  }

  @Test func run_whenResultIsLarge_returnsAllRows() throws {
    let rows = try connection.run("SELECT n, repeat('x', 1000) FROM generate_series(1::bigint, 20000) n")
    #expect(rows.count == 20_000)
    #expect(rows.int64(19_999, 0) == 20_000)
    #expect(rows.text(19_999, 1).utf8.count == 1000)
  }

  @Test func send_whenRequestsAndResponsesExceedSocketBuffers_completes() throws {
    let bytes = [UInt8](repeating: 7, count: 1 << 20)
    var parameters = Parameters()
    parameters.append(bytes: bytes)
    // Each response is as large as its request, so that the server stops reading until the client does.
    let results = try connection.send(Array(repeating: BoundStatement("SELECT $1", parameters), count: 32))
    #expect(results.allSatisfy { $0.withBytes(0, 0) { $0.count } == bytes.count })
    #expect(results.last?.bytes(0, 0) == bytes)
  }

  @Test func send_whenBatchHasManyStatements_completes() throws {
    let results = try connection.send((0..<20_000).map { insert($0, [1, 2, 3]) })
    #expect(results.count == 20_000)
    #expect(try count() == 20_000)
  }
}
#endif
