import Foundation
import Glibc
import Synchronization
import Testing
import ToDoModel
import ToDoRules
import ToDoSQLite
import ToDoTestSupport

@testable import ToDoStores

@Suite(.unitTimeLimited) struct DatabaseFileMonitorTests {
  private let directory: TemporaryDirectory
  private let path: String
  private let clock = ManualClock()

  init() throws {
    directory = try TemporaryDirectory()
    path = directory.file("items.sqlite")
  }

  /// A file system with identities that a test sets.
  private final class FakeFiles: Sendable {
    let files = Mutex<[String: FileSystem.Identity]>([:])
    let failure = Mutex<FileSystem.Failure?>(nil)

    init(_ files: [String: FileSystem.Identity]) { self.files.withLock { $0 = files } }

    @Sendable func identify(_ path: String) throws -> FileSystem.Identity? {
      if let failure = failure.withLock(\.self) { throw failure }
      return files.withLock { $0[path] }
    }
  }

  private func monitor(_ files: FakeFiles) throws -> DatabaseFileMonitor {
    try DatabaseFileMonitor("file", openOn: try SQLiteConnection(path: path), clock: clock, identify: files.identify)
  }

  @Test func run_whileFileHasItsName_returnsOnlyWhenCancelled() async throws {
    let files = FakeFiles(["file": .init(device: 1, number: 2)])
    let monitor = try monitor(files)
    let task = Task { try await monitor.run() }
    for _ in 0..<5 {
      await clock.waitForSleepers()
      clock.advance(by: .seconds(1))
    }
    await clock.waitForSleepers()
    task.cancel()
    try await task.value
  }

  @Test func run_whenFileIsRemoved_throwsWithinASecond() async throws {
    let files = FakeFiles(["file": .init(device: 1, number: 2)])
    let monitor = try monitor(files)
    let task = Task { try await monitor.run() }
    await clock.waitForSleepers()
    files.files.withLock { $0 = [:] }
    clock.advance(by: .seconds(1))
    await #expect(throws: SQLiteStoreError.removed(path: "file")) { try await task.value }
  }

  @Test(arguments: [FileSystem.Identity(device: 1, number: 3), .init(device: 2, number: 2)])
  func run_whenAnotherFileHasThePath_throwsWithinASecond(_ other: FileSystem.Identity) async throws {
    let files = FakeFiles(["file": .init(device: 1, number: 2)])
    let monitor = try monitor(files)
    let task = Task { try await monitor.run() }
    await clock.waitForSleepers()
    files.files.withLock { $0["file"] = other }
    clock.advance(by: .seconds(1))
    await #expect(throws: SQLiteStoreError.replaced(path: "file", log: nil)) { try await task.value }
  }

  @Test func run_whenPathCannotBeRead_continues() async throws {
    let files = FakeFiles(["file": .init(device: 1, number: 2)])
    let monitor = try monitor(files)
    files.failure.withLock { $0 = .init(code: EACCES) }
    let task = Task { try await monitor.run() }
    await clock.waitForSleepers()
    clock.advance(by: .seconds(1))
    await clock.waitForSleepers()
    task.cancel()
    try await task.value
  }

  @Test func init_whenThereIsNoFile_throws() throws {
    #expect(throws: SQLiteStoreError.removed(path: "file")) { try monitor(FakeFiles([:])) }
  }

  // MARK: In a store

  @Test func waitForFailure_whenFileIsReplaced_rejectsWritesAndSetsTheLogAside() async throws {
    let other = directory.file("other.sqlite")
    let otherStore = try SQLiteToDoItemStore(path: other)
    for number in 1...2 as ClosedRange<UInt64> { try await otherStore.add(.sample(number)) }
    await otherStore.close()
    let store = try SQLiteToDoItemStore(DatabaseFile(path: path), clock: clock)
    try await store.add(.sample(3))
    let failure = Task { try await store.waitForFailure() }
    await clock.waitForSleepers()
    try FileManager.default.moveItem(atPath: path, toPath: path + ".former")
    try FileManager.default.moveItem(atPath: other, toPath: path)
    clock.advance(by: .seconds(1))

    let error = await #expect(throws: SQLiteStoreError.self) { try await failure.value }
    guard case .replaced(_, let log?) = error else {
      Issue.record("\(error as Any)")
      return
    }
    #expect(FileManager.default.fileExists(atPath: log))
    #expect(!FileManager.default.fileExists(atPath: path + "-wal"))
    await #expect(throws: ToDoError.storeUnavailable(detail: "the database file was removed or replaced")) {
      try await store.add(.sample(4))
    }
    await store.close()
    #expect(try DatabaseCheck(path: path).run().itemCount == 2)
  }

  @Test func waitForFailure_whenFileIsMovedBackAfterwards_losesNothing() async throws {
    let store = try SQLiteToDoItemStore(DatabaseFile(path: path), clock: clock)
    try await store.add(.sample(1))
    let failure = Task { try await store.waitForFailure() }
    await clock.waitForSleepers()
    try FileManager.default.moveItem(atPath: path, toPath: path + ".former")
    clock.advance(by: .seconds(1))
    await #expect(throws: SQLiteStoreError.removed(path: path)) { try await failure.value }
    await store.close()
    try FileManager.default.moveItem(atPath: path + ".former", toPath: path)
    #expect(try DatabaseCheck(path: path).run().itemCount == 1)
  }

  @Test func waitForFailure_whenStoreIsClosed_returns() async throws {
    let store = try SQLiteToDoItemStore(DatabaseFile(path: path), clock: clock)
    let failure = Task { try await store.waitForFailure() }
    await clock.waitForSleepers()
    await store.close()
    try await failure.value
  }
}
