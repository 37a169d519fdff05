import CToDoSQLite
import Dispatch
import Foundation
import Synchronization
import Testing
import ToDoTestSupport

@testable import ToDoSQLite

/// The log of a connection, and copies of its database.
@Suite struct ConnectionFileTests {
  private let directory: TemporaryDirectory
  private let path: String
  private let connection: SQLiteConnection

  init() throws {
    directory = try TemporaryDirectory()
    path = directory.file("db.sqlite")
    connection = try SQLiteConnection(path: path)
    try connection.execute("PRAGMA journal_mode = WAL; CREATE TABLE t (x); INSERT INTO t VALUES (1)")
  }

  private func fileSize() throws -> Int { try Data(contentsOf: URL(filePath: path)).count }

  @Test func checkpoint_movesLogIntoFile() throws {
    let before = try fileSize()
    try connection.run("INSERT INTO t VALUES (zeroblob(100000))")
    #expect(try fileSize() == before)
    try connection.checkpoint()
    try connection.syncFile()
    #expect(try fileSize() > before + 100_000)
  }

  /// The WAL-reset bug of SQLite before 3.51.3: the second of two checkpoints believes that it has moved a log that a commit has
  /// started again meanwhile. What was committed is then lost: https://sqlite.org/wal.html#walresetbug
  @Test func checkpoint_whenLogStartsAgainMeanwhile_losesNothing() throws {
    try connection.execute("PRAGMA wal_autocheckpoint = 0")
    let other = try SQLiteConnection(path: path)
    try other.execute("PRAGMA wal_autocheckpoint = 0")
    try connection.run("INSERT INTO t VALUES (zeroblob(100000))")
    try connection.checkpoint()
    var callCount = 0
    do {
      let hook = try ReadHeaderHook(other) { [connection] in
        callCount += 1
        try? connection.run("INSERT INTO t VALUES (2)")
      }
      defer { hook.remove() }
      try other.checkpoint()
    }
    #expect(callCount == 1)
    try connection.run("INSERT INTO t VALUES (3)")
    try other.close()
    // Moves the rest of the log, and deletes it.
    try connection.close()
    let reopened = try SQLiteConnection(path: path)
    #expect(try reopened.rows("SELECT x FROM t WHERE x < 10", []) { $0.number(0) } == [1, 2, 3])
    #expect(try reopened.text("PRAGMA integrity_check") == "ok")
  }

  @Test func checkpoint_whileAnotherConnectionReadsAnOldState_movesWhatItCan() throws {
    let reader = try SQLiteConnection(path: path)
    let before = try fileSize()
    try reader.transaction(.deferred) {
      _ = try reader.number("SELECT count(*) FROM t")
      try connection.run("INSERT INTO t VALUES (zeroblob(100000))")
      try connection.checkpoint()
      #expect(try fileSize() == before)
    }
    try connection.checkpoint()
    #expect(try fileSize() > before + 100_000)
  }

  /// SQLite's own way to grow a file writes a byte into each new page, and so into what a checkpoint has just written there.
  @Test func allocateFile_duringCheckpoint_damagesNoPage() throws {
    try connection.execute("PRAGMA synchronous = OFF; PRAGMA wal_autocheckpoint = 0")
    let isWriting = Mutex(true)
    let ended = DispatchSemaphore(value: 0)
    DispatchQueue(label: "checkpoints").async { [path] in
      let other = try? SQLiteConnection(path: path)
      while isWriting.withLock(\.self) { try? other?.checkpoint() }
      ended.signal()
    }
    for _ in 0..<500 {
      try connection.run("INSERT INTO t VALUES (randomblob(60000))")
      let pageCount = try #require(try connection.number("PRAGMA page_count"))
      try connection.allocateFile(byteCount: (pageCount / 64 + 2) * 64 * 4096)
    }
    isWriting.withLock { $0 = false }
    ended.waitForSignal()
    try connection.checkpoint()
    #expect(try connection.text("PRAGMA integrity_check") == "ok")
  }

  @Test func allocateFile_growsFile() throws {
    try connection.allocateFile(byteCount: 1 << 20)
    #expect(try fileSize() == 1 << 20)
    try connection.allocateFile(byteCount: 1 << 16)
    #expect(try fileSize() == 1 << 20)
    #expect(throws: SQLiteError(.full)) { try connection.allocateFile(byteCount: 1 << 50) }
    try connection.run("INSERT INTO t VALUES (2)")
    #expect(try connection.text("PRAGMA integrity_check") == "ok")
  }

  @Test(arguments: ["", "no database", String(repeating: "no database", count: 10_000)])
  func empty_whateverTheFileContains_leavesAnEmptyDatabase(_ text: String) throws {
    let other = directory.file("other.sqlite")
    try Data(text.utf8).write(to: URL(filePath: other))
    try SQLiteConnection.empty(other)
    #expect(try SQLiteConnection(path: other).number("SELECT count(*) FROM sqlite_schema") == 0)
  }

  @Test func empty_whenFileIsOpen_emptiesItForAll() throws {
    try connection.execute("PRAGMA journal_mode = DELETE")
    try SQLiteConnection.empty(path)
    #expect(try connection.number("SELECT count(*) FROM sqlite_schema") == 0)
    try connection.execute("CREATE TABLE t (x); INSERT INTO t VALUES (2)")
    #expect(try SQLiteConnection(path: path).number("SELECT x FROM t") == 2)
  }

  @Test func empty_whenAnotherConnectionWrites_throws() throws {
    try connection.execute("PRAGMA journal_mode = DELETE; BEGIN IMMEDIATE")
    let error = try #require(throws: SQLiteError.self) { try SQLiteConnection.empty(path) }
    #expect(error.code == .busy)
    try connection.execute("COMMIT")
    #expect(try connection.number("SELECT x FROM t") == 1)
  }

  @Test func empty_whenFileIsMissing_throws() throws {
    let missing = directory.file("missing")
    let error = try #require(throws: SQLiteError.self) { try SQLiteConnection.empty(missing) }
    #expect(error.code == .cannotOpen)
  }

  @Test func distrustSchema_rejectsWritesToTheSchema() throws {
    try connection.distrustSchema()
    try connection.execute("PRAGMA writable_schema = ON")
    #expect(throws: SQLiteError.self) { try connection.execute("DELETE FROM sqlite_schema") }
    #expect(try connection.number("PRAGMA trusted_schema") == 0)
  }

  @Test func mapLogIndex_whenOtherConnectionCommits_changes() throws {
    let index = try connection.mapLogIndex(byteCount: 32 << 10)
    let before = index.load(fromByteOffset: 8, as: UInt32.self)
    try SQLiteConnection(path: path).run("INSERT INTO t VALUES (2)")
    #expect(index.load(fromByteOffset: 8, as: UInt32.self) > before)
  }

  @Test func mapLogIndex_whenDatabaseIsInMemory_throws() throws {
    #expect(throws: SQLiteError.self) { try SQLiteConnection(path: ":memory:").mapLogIndex(byteCount: 32 << 10) }
  }

  @Test func backUp_inSteps_copiesAllPagesAndReportsProgress() throws {
    try connection.run("INSERT INTO t VALUES (zeroblob(100000))")
    let copy = try SQLiteConnection(path: ":memory:")
    var reports: [BackupProgress] = []
    try connection.backUp(to: copy, pagesPerStep: 10) { reports.append($0) }
    let total = Int(try #require(try connection.number("PRAGMA page_count")))
    #expect(reports.map(\.totalPageCount) == reports.map { _ in total })
    #expect(reports.first?.completedPageCount == 10)
    #expect(reports.last == BackupProgress(completedPageCount: total, totalPageCount: total, isComplete: true))
    #expect(reports.dropLast().allSatisfy { !$0.isComplete })
    #expect(try copy.number("SELECT count(*) FROM t") == 2)
  }

  @Test func backUp_whenReportThrows_endsExceptAfterLastStep() throws {
    struct Stop: Error {}
    let copy = try SQLiteConnection(path: ":memory:")
    #expect(throws: Stop.self) { try connection.backUp(to: copy, pagesPerStep: 1) { _ in throw Stop() } }
    try connection.backUp(to: copy) { _ in throw Stop() }
    #expect(try copy.number("SELECT count(*) FROM t") == 1)
  }

  @Test func backUp_whenTargetIsLocked_throwsBusy() throws {
    let target = directory.file("copy.sqlite")
    let copy = try SQLiteConnection(path: target)
    let writer = try SQLiteConnection(path: target)
    try writer.execute("BEGIN EXCLUSIVE")
    #expect(try #require(throws: SQLiteError.self) { try connection.backUp(to: copy) }.code == .busy)
    try writer.execute("COMMIT")
    try connection.backUp(to: copy)
    #expect(try copy.number("SELECT count(*) FROM t") == 1)
  }
}

/// Runs code in a checkpoint of a connection, after it has read the header of the log's index.
private final class ReadHeaderHook {
  // A C function captures nothing. Only one test sets this, and calls it on its own thread.
  private static nonisolated(unsafe) var body: (() -> Void)?

  private let file: UnsafeMutablePointer<sqlite3_file>
  private let original: UnsafePointer<sqlite3_io_methods>
  private let methods = UnsafeMutablePointer<sqlite3_io_methods>.allocate(capacity: 1)

  /// The hook must be removed before the connection is closed.
  init(_ connection: SQLiteConnection, _ body: @escaping () -> Void) throws {
    Self.body = body
    var file: UnsafeMutablePointer<sqlite3_file>?
    _ = sqlite3_file_control(connection.handle, "main", SQLITE_FCNTL_FILE_POINTER, &file)
    self.file = try #require(file)
    original = try #require(self.file.pointee.pMethods)
    methods.initialize(to: original.pointee)
    // SQLite calls it then to forget what it has mapped, if another connection has changed the log.
    methods.pointee.xUnfetch = { _, _, _ in
      ReadHeaderHook.body?()
      return SQLITE_OK
    }
    self.file.pointee.pMethods = UnsafePointer(methods)
  }

  deinit { methods.deallocate() }

  func remove() {
    Self.body = nil
    file.pointee.pMethods = original
  }
}
