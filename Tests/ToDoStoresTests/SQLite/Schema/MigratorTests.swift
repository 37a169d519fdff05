import Foundation
import Testing
import ToDoSQLite
import ToDoTestSupport

@testable import ToDoStores

@Suite(.unitTimeLimited) struct MigratorTests {
  private let directory: TemporaryDirectory
  private let path: String

  private let first = Migration(sql: "CREATE TABLE note (text TEXT); INSERT INTO note VALUES ('first')")
  private let second = Migration(sql: "CREATE TABLE other (text TEXT); INSERT INTO note VALUES ('second')")

  init() throws {
    directory = try TemporaryDirectory()
    path = directory.file("items.sqlite")
  }

  @Test func migrate_whenDatabaseIsNew_setsTheCurrentVersionWithoutBackup() throws {
    try file([first, second]).open().close()
    #expect(try notes(in: path) == ["first", "second"])
    #expect(try version(of: path) == 2)
    #expect(try directory.files == ["items.sqlite"])
  }

  @Test func migrate_whenDatabaseIsCurrent_changesNothing() throws {
    try file([first]).open().close()
    let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    try file([first]).open().close()
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == bytes)
    #expect(try directory.files == ["items.sqlite"])
  }

  @Test func migrate_whenDatabaseIsOlder_migratesAndCopiesTheFile() throws {
    try file([first]).open().close()
    try file([first, second]).open().close()
    #expect(try notes(in: path) == ["first", "second"])
    #expect(try version(of: path) == 2)
    #expect(try directory.files == ["items.sqlite", "items.sqlite.v1.bak"])
    let kept = directory.file("items.sqlite.v1.bak")
    #expect(try notes(in: kept) == ["first"])
    #expect(try version(of: kept) == 1)
    #expect(try TemporaryDirectory.permissions(of: kept) == 0o600)
  }

  @Test func migrate_whenCopiesAccumulate_keepsTheTwoLatest() throws {
    let migrations = (1...5).map { Migration(sql: "CREATE TABLE table\($0) (text TEXT)") }
    for count in 1...5 { try file(Array(migrations.prefix(count))).open().close() }
    #expect(try directory.files == ["items.sqlite", "items.sqlite.v3.bak", "items.sqlite.v4.bak"])
  }

  @Test func migrate_whenCopyCannotBeMade_changesNothing() throws {
    try file([first]).open().close()
    // A folder that is not empty is in the way of the copy.
    let obstacle = directory.file("items.sqlite.v1.bak")
    try FileManager.default.createDirectory(atPath: obstacle + "/folder", withIntermediateDirectories: true)
    #expect(throws: SQLiteStoreError.self) { try file([first, second]).open() }
    #expect(try notes(in: path) == ["first"])
    #expect(try version(of: path) == 1)
    #expect(try directory.files == ["items.sqlite", "items.sqlite.v1.bak"])
    try FileManager.default.removeItem(atPath: obstacle)
    try file([first, second]).open().close()
    #expect(try version(of: path) == 2)
  }

  @Test func migrationBackup_whenLogIsNotEmpty_includesTheLog() throws {
    let older = try file([first]).open()
    try older.execute("INSERT INTO note VALUES ('late')")
    // The older program is still running, so its log is not in the file yet.
    let newer = try file([first, second]).open()
    try newer.close()
    try older.close()
    let kept = try DatabaseFile(path: directory.file("items.sqlite.v1.bak"), migrations: [first]).open()
    #expect(try kept.rows("SELECT text FROM note") { $0.text(0) } == ["first", "late"])
    try kept.close()
  }

  @Test func migrate_whenDatabaseIsNewer_isRejectedUnchanged() throws {
    try file([first, second]).open().close()
    let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    let error = SQLiteStoreError.newerSchema(path: path, found: 2, supported: 1)
    #expect(throws: error) { try file([first]).open() }
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == bytes)
    #expect(try directory.files == ["items.sqlite"])
  }

  @Test(arguments: ["CREATE TABLE x (y)", "PRAGMA user_version = 1; CREATE TABLE x (y)", "PRAGMA application_id = 5"])
  func databaseOfAnotherProgram_isRefused_andLeftAsItIs(_ sql: String) throws {
    let other = try SQLiteConnection(path: path)
    try other.execute(sql)
    try other.close()
    let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    #expect(throws: SQLiteStoreError.notAToDoDatabase(path: path)) { try file([first]).open() }
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == bytes)
  }

  @Test func migrate_whenMigrationFails_leavesTheOldVersionWithoutCopy() throws {
    try file([first]).open().close()
    let failing = Migration(sql: "INSERT INTO note VALUES ('second'); INSERT INTO nothing VALUES (1)")
    let error = try #require(throws: SQLiteStoreError.self) { try file([first, failing]).open() }
    guard case .migrationFailed(path, from: 1, to: 2, _) = error else {
      Issue.record("threw \(error)")
      return
    }
    #expect(try notes(in: path) == ["first"])
    #expect(try version(of: path) == 1)
    #expect(try directory.files == ["items.sqlite"])
  }

  @Test func migrate_whenProcessesCreateConcurrently_runsOnce() async throws {
    try await openManyAtOnce([first, second])
    #expect(try notes(in: path) == ["first", "second"])
    #expect(try directory.files == ["items.sqlite"])
  }

  @Test func migrate_whenProcessesMigrateConcurrently_runsOnce() async throws {
    try file([first]).open().close()
    try await openManyAtOnce([first, second])
    #expect(try notes(in: path) == ["first", "second"])
    #expect(try notes(in: directory.file("items.sqlite.v1.bak")) == ["first"])
    #expect(try directory.files == ["items.sqlite", "items.sqlite.v1.bak"])
  }

  private func openManyAtOnce(_ migrations: [Migration]) async throws {
    let file = file(migrations)
    try await withThrowingTaskGroup { group in
      for _ in 0..<8 {
        group.addTask { try file.open().close() }
      }
      try await group.waitForAll()
    }
  }

  /// As a program leaves a file that has no write-ahead log, such as a restored one, when it is killed while it changes the file.
  @Test func migrate_whenProgramWasKilledWithoutLog_undoesItsChange() throws {
    try file([first]).open().close()
    let copy = directory.file("copy.sqlite")
    let db = try SQLiteConnection(path: path)
    try db.execute("PRAGMA journal_mode = DELETE")
    // Without synchronization, the journal is valid at once.
    try db.execute("PRAGMA synchronous = OFF; BEGIN; INSERT INTO note VALUES ('unfinished')")
    for suffix in ["", "-journal"] { try FileManager.default.copyItem(atPath: path + suffix, toPath: copy + suffix) }
    try db.execute("ROLLBACK")
    try db.close()
    #expect(try DatabaseFile(path: copy, migrations: [first, second]).migrate() == 1)
    #expect(try notes(in: copy) == ["first", "second"])
  }

  private func file(_ migrations: [Migration]) -> DatabaseFile {
    DatabaseFile(path: path, migrations: migrations)
  }

  private func notes(in path: String) throws -> [String] {
    try reading(path) { try $0.rows("SELECT text FROM note") { $0.text(0) } }
  }

  private func version(of path: String) throws -> Int64? {
    try reading(path) { try $0.number("PRAGMA user_version") }
  }

  private func reading<Value>(_ path: String, _ body: (SQLiteConnection) throws -> Value) throws -> Value {
    let connection = try SQLiteConnection(path: path)
    let value = try body(connection)
    try connection.close()
    return value
  }
}

extension DatabaseFile {
  fileprivate init(path: String, migrations: [Migration]) {
    self.init(path: path)
    self.migrations = migrations
  }
}
