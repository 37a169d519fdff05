import Foundation
import Testing
import ToDoModel
import ToDoRules
import ToDoSQLite
import ToDoTestSupport

@testable import ToDoStores

@Suite(.unitTimeLimited) struct DatabaseRestoreTests {
  private let directory: TemporaryDirectory
  private let path: String
  private let backup: String
  private let time = Timestamp(microseconds: 1_767_225_600_000_000)

  init() throws {
    directory = try TemporaryDirectory()
    path = directory.file("items.sqlite")
    backup = directory.file("backup.sqlite")
  }

  /// A store with `count` items, of which all but the last are in the backup.
  private func fill(_ count: UInt64) async throws -> SQLiteToDoItemStore {
    let store = try SQLiteToDoItemStore(path: path)
    for number in 1..<count { try await store.add(.sample(number)) }
    try DatabaseBackup(path: path).write(to: backup)
    try await store.add(.sample(count))
    return store
  }

  private func itemCount(_ path: String) throws -> Int { try DatabaseCheck(path: path).run().itemCount }

  @Test func run_whenDatabaseExists_replacesItAndPreservesTheFormerFile() async throws {
    await (try fill(5)).close()
    let kept = try #require(try DatabaseRestore(path: path).run(from: backup, at: time).previousPath)
    #expect(kept == path + ".replaced-20260101T000000Z")
    #expect(try itemCount(path) == 4)
    #expect(try itemCount(kept) == 5)
    #expect(try itemCount(backup) == 4)
    #expect(try TemporaryDirectory.permissions(of: path) == 0o600)
    let store = try SQLiteToDoItemStore(path: path)
    try await store.add(.sample(6))
    await store.close()
    #expect(try DatabaseRestore(path: path).run(from: backup, at: time).previousPath == kept + "-2")
  }

  /// The incomplete copy would empty the backup.
  @Test func run_whenBackupHasTheNameOfThePartialFile_isRejected() async throws {
    await (try fill(3)).close()
    try FileManager.default.moveItem(atPath: backup, toPath: path + ".restore")
    let error = try #require(throws: DatabaseMaintenanceError.self) {
      try DatabaseRestore(path: path).run(from: path + ".restore", at: time)
    }
    #expect(error.description.contains("rename it first"))
    #expect(try itemCount(path + ".restore") == 2)
    #expect(try itemCount(path) == 3)
  }

  @Test func run_whenDatabaseHasHadUsers_preservesTheAccountVersion() async throws {
    await (try fill(3)).close()
    let accounts = try SQLiteAccountStore(path: path)
    let name = try #require(UserName("ann"))
    try await accounts.addUser(
      User(name: name, list: OwnerID("ann"), unixUser: nil, certificateSubject: nil, createdAt: time))
    _ = try await accounts.removeUser(name)
    let former = try await accounts.accountVersion()
    accounts.close()
    _ = try DatabaseRestore(path: path).run(from: backup, at: time)
    let restored = try SQLiteAccountStore(path: path)
    #expect(try await restored.accountVersion() > former)
    #expect(try await restored.users() == [])
    restored.close()
  }

  @Test func run_whenDatabaseNeverHadUsers_keepsAnonymousAccess() async throws {
    await (try fill(3)).close()
    _ = try DatabaseRestore(path: path).run(from: backup, at: time)
    let restored = try SQLiteAccountStore(path: path)
    #expect(try await restored.accountVersion() == 0)
    restored.close()
  }

  // MARK: Access without credentials

  /// A damage of the former database after which its account version cannot be read.
  enum Damage: CaseIterable {
    case zeroedFirstPage, truncated, empty, otherContent, onlyLog, damagedLog

    func apply(to path: String) throws {
      let file = URL(filePath: path)
      switch self {
      case .zeroedFirstPage:
        var data = try Data(contentsOf: file)
        data.replaceSubrange(0..<4096, with: Data(count: 4096))
        try data.write(to: file)
      case .truncated: try Data(contentsOf: file).prefix(8192).write(to: file)
      case .empty: try Data().write(to: file)
      case .otherContent: try Data("not a database".utf8).write(to: file)
      case .onlyLog:
        try FileManager.default.removeItem(at: file)
        try Data(count: 8192).write(to: URL(filePath: path + "-wal"))
      case .damagedLog: try Data(count: 8192).write(to: URL(filePath: path + "-wal"))
      }
    }
  }

  @Test(arguments: Damage.allCases)
  func run_whenAccountVersionCannotBeRead_endsAnonymousAccess(_ damage: Damage) async throws {
    await (try fill(3)).close()
    try damage.apply(to: path)
    #expect(try DatabaseRestore(path: path).run(from: backup, at: time).requirement == .isUnreadable)
    #expect(!FileManager.default.fileExists(atPath: path + "-wal"))
    #expect(try await accountVersion() > 0)
    #expect(try itemCount(path) == 2)
  }

  @Test(arguments: Damage.allCases)
  func run_whenAnonymousAccessIsAllowed_keepsIt(_ damage: Damage) async throws {
    await (try fill(3)).close()
    try damage.apply(to: path)
    #expect(try DatabaseRestore(path: path).run(from: backup, at: time, allowsAnonymous: true).requirement == nil)
    #expect(try await accountVersion() == 0)
  }

  @Test func run_whenAnonymousAccessIsAllowed_preservesTheUsersOfTheBackup() async throws {
    let accounts = try SQLiteAccountStore(path: path, createsIfMissing: true)
    try await accounts.addUser(ann())
    accounts.close()
    try DatabaseBackup(path: path).write(to: backup)
    #expect(try DatabaseRestore(path: path).run(from: backup, at: time, allowsAnonymous: true).requirement == nil)
    #expect(try await accountVersion() > 0)
  }

  @Test func run_whenUsersAreOnlyInTheLog_endsAnonymousAccess() async throws {
    await (try fill(3)).close()
    let accounts = try SQLiteAccountStore(path: path)
    try await accounts.addUser(ann())
    // As after a crash: the log remains, because the connection is not closed.
    let copy = directory.file("crashed/items.sqlite")
    try FileManager.default.createDirectory(atPath: directory.file("crashed"), withIntermediateDirectories: true)
    for suffix in ["", "-wal"] { try FileManager.default.copyItem(atPath: path + suffix, toPath: copy + suffix) }
    accounts.close()
    _ = try DatabaseRestore(path: copy).run(from: backup, at: time)
    let restored = try SQLiteAccountStore(path: copy)
    #expect(try await restored.accountVersion() > 0)
    restored.close()
  }

  /// Version 3 is the last without users.
  @Test(arguments: 1..<Migration.all.count)
  func run_whenBackupHasOlderSchema_endsAnonymousAccess(_ version: Int) async throws {
    var file = DatabaseFile(path: backup)
    file.migrations = Array(Migration.all.prefix(version))
    try file.open().close()
    let accounts = try SQLiteAccountStore(path: path, createsIfMissing: true)
    try await accounts.addUser(ann())
    accounts.close()
    #expect(try DatabaseRestore(path: path).run(from: backup, at: time).requirement == .hadUsers)
    #expect(try await accountVersion() > 0)
    #expect(try directory.files.filter { $0.hasSuffix(".bak") } == [])
  }

  @Test func run_whenDatabaseIsOlderThanUsers_keepsAnonymousAccess() async throws {
    await (try fill(3)).close()
    try FileManager.default.removeItem(atPath: path)
    var file = DatabaseFile(path: path)
    file.migrations = Array(Migration.all.prefix(3))
    try file.open().close()
    _ = try DatabaseRestore(path: path).run(from: backup, at: time)
    #expect(try await accountVersion() == 0)
  }

  @Test func run_whenOnlyALogExists_doesNotApplyIt() async throws {
    let store = try await fill(3)
    let log = try Data(contentsOf: URL(filePath: path + "-wal"))
    await store.close()
    try FileManager.default.removeItem(atPath: path)
    try log.write(to: URL(filePath: path + "-wal"))
    _ = try DatabaseRestore(path: path).run(from: backup, at: time)
    #expect(try itemCount(path) == 2)
  }

  private func ann() throws -> User {
    User(
      name: try #require(UserName("ann")), list: OwnerID("ann"), unixUser: nil, certificateSubject: nil, createdAt: time
    )
  }

  private func accountVersion() async throws -> Int64 {
    let accounts = try SQLiteAccountStore(path: path, createsIfMissing: true)
    defer { accounts.close() }
    return Int64(try await accounts.accountVersion())
  }

  @Test func run_replacesTheIncarnation() async throws {
    let store = try await fill(3)
    let former = store.incarnation
    await store.close()
    _ = try DatabaseRestore(path: path).run(from: backup, at: time)
    let restored = try SQLiteToDoItemStore(path: path)
    #expect(restored.incarnation != former)
    await restored.close()
  }

  @Test func run_whileStoreIsOpen_isRejected() async throws {
    let store = try await fill(5)
    #expect(throws: DatabaseMaintenanceError.inUse(path: path, process: nil)) {
      try DatabaseRestore(path: path).run(from: backup, at: time)
    }
    #expect(try await store.items(ItemSelection(limit: 10), of: .local).items.count == 5)
    await store.close()
  }

  @Test func run_whenDatabaseIsMissing_createsIt() async throws {
    await (try fill(3)).close()
    let other = directory.file("new/items.sqlite")
    #expect(
      try DatabaseRestore(path: other).run(from: backup, at: time) == .init(previousPath: nil, requirement: nil))
    #expect(try itemCount(other) == 2)
  }

  @Test func run_whenBackupIsInconsistent_keepsTheDatabase() async throws {
    await (try fill(3)).close()
    try SQLiteConnection(path: backup).execute("UPDATE owner SET item_count = 7")
    #expect(throws: DatabaseMaintenanceError.self) { try DatabaseRestore(path: path).run(from: backup, at: time) }
    #expect(try itemCount(path) == 3)
    #expect(try directory.files.filter { $0.contains("restore") || $0.contains("replaced") } == [])
  }

  @Test func run_whenBackupIsADirectory_namesItAndKeepsTheDatabase() async throws {
    await (try fill(3)).close()
    let folder = directory.path
    #expect(throws: DatabaseMaintenanceError.fileFailed(path: folder, reason: "is a directory")) {
      try DatabaseRestore(path: path).run(from: folder, at: time)
    }
    #expect(try itemCount(path) == 3)
  }

  @Test func run_whenDatabaseIsDamaged_doesNotApplyItsLog() async throws {
    await (try fill(3)).close()
    for suffix in ["", "-wal"] { try Data(repeating: 0xA5, count: 8192).write(to: URL(filePath: path + suffix)) }
    let kept = try #require(try DatabaseRestore(path: path).run(from: backup, at: time).previousPath)
    #expect(!FileManager.default.fileExists(atPath: path + "-wal"))
    #expect(FileManager.default.fileExists(atPath: kept))
    #expect(try itemCount(path) == 2)
  }

  @Test func open_whileTheFileIsReplaced_opensTheNewOne() async throws {
    await (try fill(3)).close()
    var file = DatabaseFile(path: path)
    let replacement = directory.file("replacement.sqlite")
    try DatabaseBackup(path: backup).write(to: replacement)
    let blocker = try DatabaseFile(path: path).openExclusively()
    file.busyTimeout = .seconds(5)
    let waiting = Task.detached { [file] in
      let connection = try file.open()
      return try connection.number("SELECT item_count FROM owner")
    }
    try FileSystem.move(replacement, to: path)
    try blocker.close()
    #expect(try await waiting.value == 2)
  }

  @Test func open_whenReplacementMakesMigrationFail_opensTheNewFile() async throws {
    await (try fill(3)).close()
    let (path, replacement) = (directory.file("new.sqlite"), backup)
    var file = DatabaseFile(path: path)
    file.migrations[file.migrations.endIndex - 1].step = { _ in
      try FileSystem.move(replacement, to: path)
      throw SQLiteError(.ioError)
    }
    let connection = try file.open()
    #expect(try connection.number("SELECT item_count FROM owner") == 2)
  }
}
