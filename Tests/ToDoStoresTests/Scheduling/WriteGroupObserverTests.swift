import Synchronization
import Testing
import ToDoModel
import ToDoRules
import ToDoTestSupport

@testable import ToDoStores

/// Tests of what a committer reports to its observer.
@Suite(.unitTimeLimited) struct WriteGroupObserverTests {
  private struct Refusal: Error {}

  private let sink = FakeSink()
  private let observer = RecordingObserver()

  /// Commits concurrent writes, each of which takes 2 ns, and throws the error of one of them.
  private func commit(_ count: Int, groupLimit: Int = 100, throwing error: (any Error)? = nil) async throws {
    let time = Atomic<UInt64>(7)
    let committer = GroupCommitter(
      sink: sink, pendingLimit: 100, ownerLimit: 50, groupLimit: groupLimit, workLimit: .max,
      stopwatch: { time.load(ordering: .relaxed) }, observer: observer)
    let body: @Sendable (String) throws -> Void = { _ in
      time.add(2, ordering: .relaxed)
      if let error { throw error }
    }
    let tasks = (0..<count).map { _ in Task { try await committer.submit(for: .list(.local), body) } }
    await waitUntil("all writes wait") { committer.pendingCount >= count }
    sink.work()
    for task in tasks { try await task.value }
  }

  @Test func observer_receivesSizeAndDurationOfEachGroup() async throws {
    try await commit(5, groupLimit: 3)
    #expect(
      observer.groups == [
        .init(writeCount: 3, duration: .nanoseconds(6), isCommitted: true),
        .init(writeCount: 2, duration: .nanoseconds(4), isCommitted: true),
      ])
  }

  @Test func observer_whenBodyThrows_receivesCommittedGroup() async throws {
    await #expect(throws: Refusal.self) { try await commit(1, throwing: Refusal()) }
    #expect(observer.groups == [.init(writeCount: 1, duration: .nanoseconds(2), isCommitted: true)])
  }

  @Test func observer_whenCommitFails_receivesFailedGroup() async throws {
    sink.fail(with: ToDoError.storeFull)
    await #expect(throws: ToDoError.storeFull) { try await commit(2) }
    #expect(observer.groups == [.init(writeCount: 2, duration: .nanoseconds(4), isCommitted: false)])
  }

  @Test func store_reportsGroupBeforeWriteReturns() async throws {
    let directory = try TemporaryDirectory()
    let store = try SQLiteToDoItemStore(
      path: directory.file("items.sqlite"), observers: StoreObservers(writeGroups: observer))
    try await store.add(.sample(1))
    let group = try #require(observer.groups.first)
    #expect(observer.groups.count == 1)
    #expect(group.writeCount == 1 && group.isCommitted && group.duration > .zero)
    await store.close()
  }
}
