import TestSupport
import Testing
import ToDoModel
import ToDoRules

@testable import ToDoStores

@Suite struct ForeignWritesTests {
  private let directory: TemporaryDirectory
  private let path: String

  init() throws {
    directory = try TemporaryDirectory()
    path = directory.file("items.sqlite")
  }

  @Test func writeOfAnotherStore_isReportedByTheNextLook_andOnlyOnce() async throws {
    let writer = try SQLiteToDoItemStore(path: path)
    let looks = Looks()
    let store = try SQLiteToDoItemStore(DatabaseFile(path: path), pause: looks.pause)
    let task = Task { try await store.observeExternalChanges { looks.noteReport() } }

    #expect(await looks.reportCount() == 1)
    #expect(await looks.reportCountAfterNext() == 1)
    try await writer.add(.sample(1))
    #expect(await looks.reportCountAfterNext() == 2)
    #expect(await looks.reportCountAfterNext() == 2)
    for number in 2...5 as ClosedRange<UInt64> { try await writer.add(.sample(number)) }
    #expect(await looks.reportCountAfterNext() == 3)
    #expect(try await store.changes().count == 5)
    #expect(await looks.reportCountAfterNext() == 3)

    task.cancel()
    try await task.value
    await store.close()
    await writer.close()
  }

  @Test func ownWrites_areNotReported() async throws {
    let looks = Looks()
    let store = try SQLiteToDoItemStore(DatabaseFile(path: path), pause: looks.pause)
    let task = Task { try await store.observeExternalChanges { looks.noteReport() } }
    #expect(await looks.reportCount() == 1)
    for number in 1...5 as ClosedRange<UInt64> {
      try await store.add(.sample(number))
      #expect(await looks.reportCountAfterNext() == 1)
    }
    task.cancel()
    try await task.value
    await store.close()
  }

  @Test func writesOfAnotherStoreBetweenOwnOnes_areReported() async throws {
    let other = try SQLiteToDoItemStore(path: path)
    let looks = Looks()
    let store = try SQLiteToDoItemStore(DatabaseFile(path: path), pause: looks.pause)
    let task = Task { try await store.observeExternalChanges { looks.noteReport() } }
    var count = await looks.reportCount()
    for number in 1...5 as ClosedRange<UInt64> {
      try await store.add(.sample(3 * number))
      try await other.add(.sample(3 * number + 1))
      try await store.add(.sample(3 * number + 2))
      count += 1
      #expect(await looks.reportCountAfterNext() == count)
      #expect(await looks.reportCountAfterNext() == count)
    }
    task.cancel()
    try await task.value
    await store.close()
    await other.close()
  }

  @Test func cancelledTask_returns() async throws {
    let store = try SQLiteToDoItemStore(path: path)
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      try await store.observeExternalChanges { Issue.record("nothing is to be told any more") }
    }
    try await task.value
    await store.close()
  }

  @Test func closedStore_endsIt() async throws {
    let looks = Looks()
    let store = try SQLiteToDoItemStore(DatabaseFile(path: path), pause: looks.pause)
    let task = Task { try await store.observeExternalChanges { looks.noteReport() } }
    _ = await looks.reportCount()
    await store.close()
    looks.next()
    await #expect(throws: ToDoError.storeUnavailable(detail: "the store is closed")) { try await task.value }
    #expect(try directory.files == ["items.sqlite"])
  }
}
