import Testing
import ToDoModel
import ToDoTestSupport

@testable import ToDoStores

@Suite(.unitTimeLimited) struct ExternalWriteMonitorTests {
  private let directory: TemporaryDirectory
  private let path: String

  init() throws {
    directory = try TemporaryDirectory()
    path = directory.file("items.sqlite")
  }

  @Test func observeExternalChanges_whenAnotherStoreWrites_reportsOnceAtTheNextCheck() async throws {
    let writer = try SQLiteToDoItemStore(path: path)
    let steps = PollSteps()
    let store = try SQLiteToDoItemStore(DatabaseFile(path: path), pause: steps.pause)
    let task = Task { try await store.observeExternalChanges { _ in steps.noteReport() } }

    #expect(await steps.reportCount() == 1)
    #expect(await steps.reportCountAfterNext() == 1)
    try await writer.add(.sample(1))
    #expect(await steps.reportCountAfterNext() == 2)
    #expect(await steps.reportCountAfterNext() == 2)
    for number in 2...5 as ClosedRange<UInt64> { try await writer.add(.sample(number)) }
    #expect(await steps.reportCountAfterNext() == 3)
    #expect(try await store.changes().count == 5)
    #expect(await steps.reportCountAfterNext() == 3)

    task.cancel()
    try await task.value
    await store.close()
    await writer.close()
  }

  @Test func observeExternalChanges_whenTheStoreWrites_reportsNothing() async throws {
    let steps = PollSteps()
    let store = try SQLiteToDoItemStore(DatabaseFile(path: path), pause: steps.pause)
    let task = Task { try await store.observeExternalChanges { _ in steps.noteReport() } }
    #expect(await steps.reportCount() == 1)
    for number in 1...5 as ClosedRange<UInt64> {
      try await store.add(.sample(number))
      #expect(await steps.reportCountAfterNext() == 1)
    }
    task.cancel()
    try await task.value
    await store.close()
  }

  @Test func observeExternalChanges_whenAnotherStoreWritesBetweenOwnWrites_reports() async throws {
    let other = try SQLiteToDoItemStore(path: path)
    let steps = PollSteps()
    let store = try SQLiteToDoItemStore(DatabaseFile(path: path), pause: steps.pause)
    let task = Task { try await store.observeExternalChanges { _ in steps.noteReport() } }
    var count = await steps.reportCount()
    for number in 1...5 as ClosedRange<UInt64> {
      try await store.add(.sample(3 * number))
      try await other.add(.sample(3 * number + 1))
      try await store.add(.sample(3 * number + 2))
      count += 1
      #expect(await steps.reportCountAfterNext() == count)
      #expect(await steps.reportCountAfterNext() == count)
    }
    task.cancel()
    try await task.value
    await store.close()
    await other.close()
  }

  @Test func observeExternalChanges_whenCancelled_returns() async throws {
    let store = try SQLiteToDoItemStore(path: path)
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      try await store.observeExternalChanges { _ in Issue.record("a cancelled observation reports") }
    }
    try await task.value
    await store.close()
  }

  @Test func observeExternalChanges_whenStoreIsClosed_throws() async throws {
    let steps = PollSteps()
    let store = try SQLiteToDoItemStore(DatabaseFile(path: path), pause: steps.pause)
    let task = Task { try await store.observeExternalChanges { _ in steps.noteReport() } }
    _ = await steps.reportCount()
    await store.close()
    steps.next()
    await #expect(throws: ToDoError.storeUnavailable(detail: "the store is closed")) { try await task.value }
    #expect(try directory.files == ["items.sqlite"])
  }
}
