import Dispatch
import Foundation
import Glibc
import Synchronization
import Testing
import ToDoModel
import ToDoRules
import ToDoSQLite
import ToDoTestSupport

@testable import ToDoStores

@Suite(.unitTimeLimited) struct DatabaseBackupTests {
  private let directory: TemporaryDirectory
  private let path: String
  private let copy: String

  init() throws {
    directory = try TemporaryDirectory()
    path = directory.file("items.sqlite")
    copy = directory.file("copy.sqlite")
  }

  private func filledStore(_ count: UInt64 = 10) async throws -> SQLiteToDoItemStore {
    let store = try SQLiteToDoItemStore(path: path)
    try await store.add((0..<count).map { .sample($0) })
    return store
  }

  @Test func write_whileStoreIsOpen_copiesEveryCommittedItem() async throws {
    let store = try await filledStore()
    try DatabaseBackup(path: path).write(to: copy)
    await store.close()
    let copied = try SQLiteToDoItemStore(path: copy)
    #expect(try await copied.items(ItemSelection(limit: 100), of: .local).items.count == 10)
    await copied.close()
  }

  @Test func write_whileItemsAreAdded_copiesOneMoment() async throws {
    let store = try await filledStore(2000)
    var backup = DatabaseBackup(path: path)
    backup.pace.pagesPerStep = 1
    let writer = try SQLiteConnection(path: path)
    try backup.write(to: copy) { progress in
      guard progress.copiedBytes == 4096 * 3 else { return }
      try writer.execute("UPDATE owner SET revision = 99")
    }
    try writer.close()
    #expect(try DatabaseCheck(path: copy).run() == DatabaseCheck.Report(itemCount: 2000, listCount: 1))
    await store.close()
  }

  /// Bytes 18 and 19 of a database file are 2 if it is to have a write-ahead log, and 1 if not.
  @Test func write_whenSourceHasALog_copiesWithoutOne() async throws {
    let store = try await filledStore()
    try DatabaseBackup(path: path).write(to: copy)
    #expect(try Array(Data(contentsOf: URL(filePath: path))[18..<20]) == [2, 2])
    #expect(try Array(Data(contentsOf: URL(filePath: copy))[18..<20]) == [1, 1])
    await store.close()
  }

  @Test func write_makesOnePrivateFile() async throws {
    let store = try await filledStore()
    try DatabaseBackup(path: path).write(to: copy)
    #expect(try directory.files.filter { $0.hasPrefix("copy") } == ["copy.sqlite"])
    #expect(try TemporaryDirectory.permissions(of: copy) == 0o600)
    await store.close()
  }

  @Test func write_whenSourceIsInconsistent_keepsEarlierBackup() async throws {
    let store = try await filledStore()
    try DatabaseBackup(path: path).write(to: copy)
    try SQLiteConnection(path: path).execute("UPDATE owner SET item_count = 7")
    #expect(throws: DatabaseMaintenanceError.self) { try DatabaseBackup(path: path).write(to: copy) }
    #expect(try DatabaseCheck(path: copy).run().problems == [])
    #expect(try !directory.files.contains("copy.sqlite.part"))
    await store.close()
  }

  @Test func write_whenReportThrows_leavesNothing() async throws {
    let store = try await filledStore()
    var backup = DatabaseBackup(path: path)
    backup.pace.pagesPerStep = 1
    #expect(throws: CancellationError.self) { try backup.write(to: copy) { _ in throw CancellationError() } }
    #expect(try directory.files.filter { $0.hasPrefix("copy") } == [])
    await store.close()
  }

  @Test func write_toTheDatabaseItself_isRejected() async throws {
    let store = try await filledStore()
    let other = directory.file("other.sqlite")
    try FileSystem.link(path, as: other)
    for destination in [path, other] {
      #expect(throws: DatabaseMaintenanceError.destinationIsSource(path: destination)) {
        try DatabaseBackup(path: path).write(to: destination)
      }
    }
    await store.close()
  }

  /// The incomplete copy would empty the database.
  @Test func write_whenDatabaseHasTheNameOfThePartialFile_isRejected() async throws {
    let store = try SQLiteToDoItemStore(path: copy + ".part")
    try await store.add([.sample(1)])
    let error = try #require(throws: DatabaseMaintenanceError.self) {
      try DatabaseBackup(path: copy + ".part").write(to: copy)
    }
    #expect(error.description.contains("rename it first"))
    #expect(try await store.items(ItemSelection(limit: 100), of: .local).items.count == 1)
    await store.close()
    #expect(try DatabaseCheck(path: copy + ".part").run().itemCount == 1)
  }

  @Test func write_whenDatabaseIsMissing_createsNothing() throws {
    #expect(throws: SQLiteStoreError.self) { try DatabaseBackup(path: path).write(to: copy) }
    #expect(try directory.files == [])
  }

  /// Another user may have given a file of this user the name of the partial file.
  @Test func partialFile_whenItHasASecondName_isNotEmptied() throws {
    let (file, name) = (directory.file("file"), directory.file("copy.part"))
    try Data("kept".utf8).write(to: URL(filePath: file))
    try FileManager.default.linkItem(atPath: file, toPath: name)
    #expect(throws: FileSystem.Failure.self) { try PartialFile(path: name) }
    #expect(try Data(contentsOf: URL(filePath: file)) == Data("kept".utf8))
  }

  /// A second close would close a file that another thread has opened meanwhile, for example a database.
  @Test(arguments: ["busy", "linked"]) func partialFile_whenItCannotBeUsed_isClosedOnce(_ obstacle: String) throws {
    let name = directory.file("copy.part")
    let holder = obstacle == "busy" ? try PartialFile(path: name) : nil
    if obstacle == "linked" {
      try Data().write(to: URL(filePath: name))
      try FileManager.default.linkItem(atPath: name, toPath: directory.file("other"))
    }
    let isFinished = Atomic(false)
    let lost = Atomic(0)
    DispatchQueue.concurrentPerform(iterations: 2) { thread in
      if thread == 0 {
        for _ in 0..<5000 where (try? PartialFile(path: name)) != nil { lost.add(1, ordering: .relaxed) }
        isFinished.store(true, ordering: .relaxed)
      } else {
        while !isFinished.load(ordering: .relaxed) {
          let file = open("/dev/null", O_RDONLY | O_CLOEXEC)
          sched_yield()
          if close(file) != 0 { lost.add(1, ordering: .relaxed) }
        }
      }
    }
    #expect(lost.load(ordering: .relaxed) == 0)
    withExtendedLifetime(holder) {}
  }

  @Test func write_afterAKilledBackup_takesOverItsPartialFile() async throws {
    let store = try await filledStore()
    try "rubbish".write(toFile: copy + ".part", atomically: false, encoding: .utf8)
    try DatabaseBackup(path: path).write(to: copy)
    #expect(try DatabaseCheck(path: copy).run().itemCount == 10)
    await store.close()
  }

  @Test func write_whileAnotherBackupWritesThere_isRejected() async throws {
    let store = try await filledStore()
    let partial = try PartialFile(path: copy + ".part")
    #expect(throws: DatabaseMaintenanceError.destinationBusy(path: copy)) {
      try DatabaseBackup(path: path).write(to: copy)
    }
    partial.remove()
    await store.close()
  }

  @Test func pace_pausesThreeTimesTheLengthOfEachStep() {
    let time = Mutex(ContinuousClock.now)
    let pauses = Mutex<[Duration]>([])
    var pace = BackupPace()
    pace.now = { time.withLock(\.self) }
    pace.sleep = { length in pauses.withLock { $0.append(length) } }
    pace = pace.begin()
    for step in [Duration.zero, .milliseconds(5), .seconds(9)] {
      time.withLock { $0 += step }
      pace.pause()
    }
    #expect(pauses.withLock(\.self) == [.milliseconds(1), .milliseconds(15), .milliseconds(250)])
  }

  @Test func folder_whenBackupsExceedTheCount_removesTheOldest() async throws {
    let store = try await filledStore()
    let folder = BackupFolder(path: directory.file("backups/"), source: path)
    try FileSystem.makePrivateDirectory(directory.file("backups"))
    try "mine".write(toFile: directory.file("backups/items-notes.sqlite"), atomically: false, encoding: .utf8)
    var paths: [String] = []
    for hour in 0..<4 as Range<Int64> {
      paths.append(try folder.write(at: Timestamp(microseconds: 3_600_000_000 * hour), keeping: 2))
    }
    #expect(paths[1] == directory.file("backups/items-19700101T010000Z.sqlite"))
    #expect(
      try FileSystem.names(in: directory.file("backups")).sorted()
        == ["items-19700101T020000Z.sqlite", "items-19700101T030000Z.sqlite", "items-notes.sqlite"])
    await store.close()
  }

  /// Two computers may share a folder, and a new list may have the place of a lost one.
  @Test func folder_withBackupsOfAnotherList_leavesThem() async throws {
    let store = try await filledStore()
    try FileSystem.makePrivateDirectory(directory.file("other"))
    let other = try SQLiteToDoItemStore(path: directory.file("other/items.sqlite"))
    let backups = directory.file("backups/")
    let foreign = try BackupFolder(path: backups, source: directory.file("other/items.sqlite"))
      .write(at: Timestamp(microseconds: 0), keeping: 1)
    let folder = BackupFolder(path: backups, source: path)
    let first = try folder.write(at: Timestamp(microseconds: 3_600_000_000), keeping: 1)
    let second = try folder.write(at: Timestamp(microseconds: 7_200_000_000), keeping: 1)
    #expect([foreign, first, second].map(FileSystem.exists) == [true, false, true])
    await store.close()
    await other.close()
  }

  @Test func folder_whenTheClockWasWrong_leavesTheBackupThatWasWritten() async throws {
    let store = try await filledStore()
    let folder = BackupFolder(path: directory.file("backups/"), source: path)
    let later = try folder.write(at: Timestamp(microseconds: 18_000_000_000), keeping: 1)
    let written = try folder.write(at: Timestamp(microseconds: 3_600_000_000), keeping: 1)
    #expect([later, written].map(FileSystem.exists) == [false, true])
    await store.close()
  }

  @Test(arguments: ["My thesis.", "", "SQLite format 3\0 in name only"])
  func write_overAFileThatIsNoBackup_isRejected_andLeavesIt(_ content: String) async throws {
    let store = try await filledStore()
    try Data(content.utf8).write(to: URL(filePath: copy))
    let error = try #require(throws: DatabaseMaintenanceError.self) { try DatabaseBackup(path: path).write(to: copy) }
    #expect(error.description.hasPrefix("\(copy) exists and is no backup of this list: "))
    #expect(try Data(contentsOf: URL(filePath: copy)) == Data(content.utf8))
    #expect(try directory.files.filter { $0.hasPrefix("copy") } == ["copy.sqlite"])
    await store.close()
  }

  @Test func write_overTheBackupOfAnotherList_isRejected_andLeavesIt() async throws {
    let store = try await filledStore()
    let other = try SQLiteToDoItemStore(path: directory.file("other.sqlite"))
    try DatabaseBackup(path: directory.file("other.sqlite")).write(to: copy)
    let former = try Data(contentsOf: URL(filePath: copy))
    let error = DatabaseMaintenanceError.notABackup(path: copy, reason: "it's the database of another list")
    #expect(throws: error) { try DatabaseBackup(path: path).write(to: copy) }
    #expect(try Data(contentsOf: URL(filePath: copy)) == former)
    await store.close()
    await other.close()
  }

  @Test func write_overABackupWhoseKeyCannotBeRead_isRejected_andLeavesIt() async throws {
    let store = try await filledStore()
    try DatabaseBackup(path: path).write(to: copy)
    try SQLiteConnection(path: copy).execute("DELETE FROM fingerprint_key")
    let former = try Data(contentsOf: URL(filePath: copy))
    let error = DatabaseMaintenanceError.notABackup(path: copy, reason: "its key can't be read")
    #expect(throws: error) { try DatabaseBackup(path: path).write(to: copy) }
    #expect(try Data(contentsOf: URL(filePath: copy)) == former)
    await store.close()
  }

  @Test func write_whenKeyOfTheDatabaseCannotBeRead_leavesAnExistingBackup() async throws {
    let store = try await filledStore()
    try DatabaseBackup(path: path).write(to: copy)
    let former = try Data(contentsOf: URL(filePath: copy))
    try SQLiteConnection(path: path).execute("DELETE FROM fingerprint_key")
    let error = DatabaseMaintenanceError.fileFailed(path: path, reason: "its key can't be read")
    #expect(throws: error) { try DatabaseBackup(path: path).write(to: copy) }
    #expect(try Data(contentsOf: URL(filePath: copy)) == former)
    await store.close()
  }

  /// Schemas before 3 have no keys.
  @Test func write_overABackupWithoutKeys_replacesIt() async throws {
    let store = try await filledStore()
    try DatabaseBackup(path: path).write(to: copy)
    try SQLiteConnection(path: copy).execute("DROP TABLE fingerprint_key")
    try DatabaseBackup(path: path).write(to: copy)
    #expect(try DatabaseCheck(path: copy).run().itemCount == 10)
    await store.close()
  }

  @Test func write_afterARestore_replacesTheRestoredBackup() async throws {
    let store = try await filledStore()
    try DatabaseBackup(path: path).write(to: copy)
    await store.close()
    _ = try DatabaseRestore(path: path).run(from: copy, at: Timestamp(microseconds: 0))
    try DatabaseBackup(path: path).write(to: copy)
    #expect(try DatabaseCheck(path: copy).run().itemCount == 10)
  }
}
