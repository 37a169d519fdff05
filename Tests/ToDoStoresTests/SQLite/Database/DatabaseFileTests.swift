import Foundation
import Testing
import ToDoSQLite
import ToDoTestSupport

@testable import ToDoStores

@Suite struct DatabaseFileTests {
  private let directory: TemporaryDirectory
  private let path: String

  init() throws {
    directory = try TemporaryDirectory()
    path = directory.file("items.sqlite")
  }

  @Test func open_whenFileIsMissing_createsPrivateFileAndDirectories() throws {
    let nested = directory.file("a/b/items.sqlite")
    let connection = try DatabaseFile(path: nested).open()
    for made in ["a", "a/b"] { #expect(try TemporaryDirectory.permissions(of: directory.file(made)) == 0o700) }
    for suffix in ["", "-wal", "-shm"] { #expect(try TemporaryDirectory.permissions(of: nested + suffix) == 0o600) }
    try connection.close()
    #expect(try FileManager.default.contentsOfDirectory(atPath: directory.file("a/b")) == ["items.sqlite"])
  }

  @Test func open_whenFileExists_preservesPermissions() throws {
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: directory.path)
    try DatabaseFile(path: path).open().close()
    try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: path)
    try DatabaseFile(path: path).open().close()
    #expect(try TemporaryDirectory.permissions(of: directory.path) == 0o755)
    #expect(try TemporaryDirectory.permissions(of: path) == 0o640)
  }

  @Test func open_configuresSynchronousLog() throws {
    let connection = try DatabaseFile(path: path).open()
    #expect(try connection.text("PRAGMA journal_mode") == "wal")
    #expect(try connection.number("PRAGMA synchronous") == 2)
  }

  @Test func open_disablesAutomaticCheckpoints() throws {
    let connection = try DatabaseFile(path: path).open()
    #expect(try connection.number("PRAGMA wal_autocheckpoint") == 0)
    #expect(try DatabaseFile(path: path).openCurrent().number("PRAGMA wal_autocheckpoint") == 0)
  }

  @Test(arguments: ["garbage", String(repeating: "not a database ", count: 1000)])
  func open_whenItIsNoDatabase_says_so_andLeavesIt(_ content: String) throws {
    try Data(content.utf8).write(to: URL(fileURLWithPath: path))
    #expect(throws: SQLiteStoreError.notADatabase(path: path)) { try DatabaseFile(path: path).open() }
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == Data(content.utf8))
  }

  @Test func open_whenHeaderIsDamaged_throwsNotADatabase() throws {
    try DatabaseFile(path: path).open().close()
    var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    bytes.replaceSubrange(100..<200, with: Data(repeating: 0xFF, count: 100))
    try bytes.write(to: URL(fileURLWithPath: path))
    #expect(throws: SQLiteStoreError.notADatabase(path: path)) { try DatabaseFile(path: path).open() }
  }

  @Test func open_whenPathIsDirectory_reportsPathAndReason() throws {
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    let error = try #require(throws: SQLiteStoreError.self) { try DatabaseFile(path: path).open() }
    #expect(error.description.hasPrefix("cannot open the database \(path): unable to open database file"))
  }

  @Test func open_whenParentIsFile_reportsPathAndReason() throws {
    try Data().write(to: URL(fileURLWithPath: path))
    let inside = path + "/items.sqlite"
    let error = SQLiteStoreError.cannotOpen(path: inside, reason: "Not a directory")
    #expect(throws: error) { try DatabaseFile(path: inside).open() }
  }

  @Test(.enabled("nothing is forbidden to the superuser", { geteuid() != 0 }))
  func open_whenTheDirectoryIsReadOnly_namesPathAndReason() throws {
    try FileManager.default.setAttributes([.posixPermissions: 0o500], ofItemAtPath: directory.path)
    let error = SQLiteStoreError.notWritable(path: path, obstacle: directory.path)
    #expect(throws: error) { try DatabaseFile(path: path).open() }
    try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: directory.path)
  }

  @Test func open_whenPathIsEmpty_isRejected() throws {
    let error = SQLiteStoreError.cannotOpen(path: "", reason: "the path is empty")
    #expect(throws: error) { try DatabaseFile(path: "").open() }
  }

  @Test func plainPath_whenPathLooksLikeURI_namesAFile() throws {
    #expect(DatabaseFile(path: ":memory:").plainPath == "./:memory:")
    #expect(DatabaseFile(path: "file:x?mode=ro").plainPath == "./file:x?mode=ro")
    #expect(DatabaseFile(path: path).plainPath == path)
  }

  @Test func open_whenDatabaseIsLocked_throwsLocked() throws {
    let other = try SQLiteConnection(path: path)
    try other.execute("BEGIN IMMEDIATE; COMMIT; BEGIN EXCLUSIVE; CREATE TABLE x (y)")
    var file = DatabaseFile(path: path)
    file.busyTimeout = .milliseconds(20)
    #expect(throws: SQLiteStoreError.locked(path: path)) { try file.open() }
    try other.execute("ROLLBACK")
  }

  @Test func open_whenDiskIsFull_reportsReason() throws {
    var file = DatabaseFile(path: path)
    file.maximumPageCount = 2
    let error = try #require(throws: SQLiteStoreError.self) { try file.open() }
    #expect(error.description.contains("full"))
  }

  @Test func open_whenFileIsEmpty_saysSo_andLeavesIt() throws {
    try Data().write(to: URL(fileURLWithPath: path))
    let file = DatabaseFile(path: path)
    for open in [file.open, file.openCurrent, file.openExisting] {
      #expect(throws: SQLiteStoreError.empty(path: path)) { try open() }
    }
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)).isEmpty)
  }

  @Test(arguments: [".reserve", "-wal", "-journal"])
  func open_whenOnlyARemnantExists_namesIt_andCreatesNothing(_ suffix: String) throws {
    try Data("x".utf8).write(to: URL(fileURLWithPath: path + suffix))
    let file = DatabaseFile(path: path)
    for open in [file.open, file.openCurrent, file.openExisting] {
      #expect(throws: SQLiteStoreError.lost(path: path, remnant: path + suffix)) { try open() }
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == ["items.sqlite" + suffix])
  }

  @Test func open_whenCreationEndedBeforeTheMigration_opens() throws {
    try SQLiteConnection(path: path).execute("BEGIN IMMEDIATE; COMMIT")
    try DatabaseFile(path: path).open().close()
  }
}
