import Foundation
import Testing
import ToDoTestSupport

@testable import ToDoSQLite

@Suite struct ConnectionTests {
  private let directory: TemporaryDirectory
  private let path: String
  private let connection: SQLiteConnection

  init() throws {
    directory = try TemporaryDirectory()
    path = directory.file("db.sqlite")
    connection = try SQLiteConnection(path: path)
    try connection.execute("PRAGMA journal_mode = WAL; CREATE TABLE t (x); INSERT INTO t VALUES (1)")
  }

  private func count() throws -> Int64? { try connection.number("SELECT count(*) FROM t") }

  // MARK: Opening and closing

  @Test func open_whenFileIsNotADatabase_throwsImmediately() throws {
    let other = directory.file("other")
    try Data(String(repeating: "not a database ", count: 1000).utf8).write(to: URL(filePath: other))
    let error = try #require(throws: SQLiteError.self) { try SQLiteConnection(path: other) }
    #expect(error.code == .notADatabase)
  }

  @Test func open_whenReadingMissingFile_createsNone() throws {
    let missing = directory.file("missing")
    for _ in 0..<2 {
      let error = try #require(throws: SQLiteError.self) { try SQLiteConnection(path: missing, access: .reading) }
      #expect(error.code == .cannotOpen)
    }
  }

  @Test func run_whenOpenedForReading_rejectsWrites() throws {
    let reader = try SQLiteConnection(path: path, access: .reading)
    #expect(try reader.number("SELECT x FROM t") == 1)
    let error = try #require(throws: SQLiteError.self) { try reader.run("DELETE FROM t") }
    #expect(error.message == "attempt to write a readonly database")
  }

  @Test func close_whenStatementsAreOpen_throwsBusyAndStaysOpen() throws {
    var statement: Statement? = try Statement("SELECT count(*) FROM t", on: connection)
    _ = try connection.cachedStatement("SELECT 1")
    let error = try #require(throws: SQLiteError.self) { try connection.close() }
    #expect(error.code == .busy)
    #expect(try statement?.firstRow { statement?.number(0) } == 1)
    statement = nil
    try connection.close()
    try connection.close()
  }

  @Test func call_afterClose_throwsMisuse() throws {
    try connection.close()
    let calls: [() throws -> Void] = [
      { try connection.execute("SELECT 1") }, { _ = try connection.number("SELECT 1") },
      { try connection.transaction(.deferred) {} }, { try connection.checkpoint() },
      { _ = try connection.cachedStatement("SELECT 1") },
      { try connection.backUp(to: try SQLiteConnection(path: ":memory:")) },
      { try SQLiteConnection(path: ":memory:").backUp(to: connection) },
    ]
    for call in calls {
      #expect(try #require(throws: SQLiteError.self) { try call() }.code == .misuse)
    }
    #expect(!connection.isInTransaction)
    #expect(connection.changeCount == 0)
  }

  @Test func release_whenTransactionIsOpen_rollsBack() throws {
    var other: SQLiteConnection? = try SQLiteConnection(path: path)
    try other?.execute("BEGIN IMMEDIATE; DELETE FROM t")
    other = nil
    #expect(try count() == 1)
    try connection.run("DELETE FROM t")
  }

  @Test func hasMoved_whenFileIsReplaced_isTrue() throws {
    #expect(!connection.hasMoved)
    try FileManager.default.moveItem(atPath: path, toPath: path + ".old")
    #expect(connection.hasMoved)
  }

  // MARK: Transactions

  @Test func transaction_whenBodyReturns_commits() throws {
    let isInside = try connection.transaction(.immediate) {
      try connection.run("INSERT INTO t VALUES (2)")
      return connection.isInTransaction
    }
    #expect(isInside)
    #expect(!connection.isInTransaction)
    #expect(try SQLiteConnection(path: path).number("SELECT count(*) FROM t") == 2)
  }

  @Test func transaction_whenBodyThrows_rollsBack() throws {
    struct Stop: Error {}
    #expect(throws: Stop.self) {
      try connection.transaction(.immediate) {
        try connection.run("INSERT INTO t VALUES (2)")
        throw Stop()
      }
    }
    #expect(!connection.isInTransaction)
    #expect(try count() == 1)
  }

  @Test func transaction_whenOneIsOpen_isRefusedAndOuterOneContinues() throws {
    try connection.transaction(.immediate) {
      try connection.run("INSERT INTO t VALUES (2)")
      let error = try #require(throws: SQLiteError.self) {
        try connection.transaction(.deferred) { _ = Issue.record("the nested transaction ran") }
      }
      #expect(error.message == "cannot start a transaction within a transaction")
      #expect(error.sql == "BEGIN DEFERRED")
      #expect(connection.isInTransaction)
    }
    #expect(try count() == 2)
  }

  @Test func transaction_whenCommitFails_rollsBack() throws {
    try connection.execute(
      """
      PRAGMA foreign_keys = ON; CREATE TABLE parent (id INTEGER PRIMARY KEY);
      CREATE TABLE child (parent REFERENCES parent (id) DEFERRABLE INITIALLY DEFERRED)
      """)
    let error = try #require(throws: SQLiteError.self) {
      try connection.transaction(.immediate) { try connection.run("INSERT INTO child VALUES (1)") }
    }
    #expect(error.code == .constraint)
    #expect(error.sql == "COMMIT")
    #expect(!connection.isInTransaction)
    #expect(try connection.number("SELECT count(*) FROM child") == 0)
  }

  @Test func transaction_whenDeferred_readsOneMoment() throws {
    let other = try SQLiteConnection(path: path)
    try connection.transaction(.deferred) {
      #expect(try count() == 1)
      try other.run("INSERT INTO t VALUES (2)")
      #expect(try count() == 1)
    }
    #expect(try count() == 2)
  }

  // MARK: Busy

  @Test func transaction_whenOtherConnectionWrites_isBusy() throws {
    try connection.execute("BEGIN IMMEDIATE")
    let other = try SQLiteConnection(path: path)
    let error = try #require(throws: SQLiteError.self) { try other.transaction(.immediate) {} }
    #expect(error.code == .busy)
    #expect(error.sql == "BEGIN IMMEDIATE")
    try connection.execute("COMMIT")
    try other.transaction(.immediate) {}
  }

  @Test func transaction_whenBusyHandlerWaits_triesAgain() throws {
    try connection.execute("BEGIN IMMEDIATE")
    var attempts: [Int] = []
    let other = try SQLiteConnection(path: path) { [connection] attempt in
      attempts.append(attempt)
      if attempt == 2 { try? connection.execute("COMMIT") }
      return true
    }
    try other.transaction(.immediate) {}
    #expect(attempts == [0, 1, 2])
  }

  @Test func transaction_whenBusyHandlerGivesUp_isBusy() throws {
    try connection.execute("BEGIN IMMEDIATE")
    var count = 0
    let other = try SQLiteConnection(path: path) { attempt in
      count += 1
      return attempt < 4
    }
    #expect(try #require(throws: SQLiteError.self) { try other.transaction(.immediate) {} }.code == .busy)
    #expect(count == 5)
  }

  // MARK: Interruption

  /// A statement that does not end by itself.
  private static let endless = "WITH RECURSIVE n (x) AS (VALUES (1) UNION ALL SELECT x + 1 FROM n) SELECT x FROM n"

  @Test func shouldInterrupt_whenItReturnsTrue_endsRunningStatement() throws {
    let statement = try Statement(Self.endless, on: connection)
    var rows = 0
    connection.shouldInterrupt = { rows >= 3 }
    let error = try #require(throws: SQLiteError.self) {
      try statement.forEachRow {
        rows += 1
        return true
      }
    }
    #expect(error.code == .interrupt)
    #expect(error.sql == Self.endless)
    connection.shouldInterrupt = nil
    #expect(try connection.number("SELECT count(*) FROM (\(Self.endless) LIMIT 100000)") == 100_000)
    #expect(try statement.firstRow { statement.number(0) } == 1)
  }

  @Test func shouldInterrupt_whenItReturnsFalse_lastsUntilStatementEnds() throws {
    var calls = 0
    connection.shouldInterrupt = {
      calls += 1
      return false
    }
    #expect(try connection.number("SELECT count(*) FROM (\(Self.endless) LIMIT 100000)") == 100_000)
    #expect(calls > 100)
  }

  @Test func transaction_whenStatementIsInterrupted_rollsBack() throws {
    connection.shouldInterrupt = { true }
    let error = try #require(throws: SQLiteError.self) {
      try connection.transaction(.immediate) {
        try connection.run("INSERT INTO t VALUES (2)")
        try connection.run("INSERT INTO t \(Self.endless)")
      }
    }
    #expect(error.code == .interrupt)
    #expect(!connection.isInTransaction)
    connection.shouldInterrupt = nil
    #expect(try count() == 1)
  }
}
