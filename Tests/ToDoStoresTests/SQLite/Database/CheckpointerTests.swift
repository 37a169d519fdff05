import Synchronization
import Testing
import ToDoRules
import ToDoSQLite
import ToDoTestSupport

@testable import ToDoStores

/// The division of checkpoints between the writer and a background thread that runs only when a test requests it.
@Suite(.unitTimeLimited) struct CheckpointerTests {
  private typealias Work = @Sendable () -> Void

  private final class ManualThread: Sendable {
    private let waiting = Mutex<[Work]>([])

    var count: Int { waiting.withLock(\.count) }

    func add(_ work: @escaping Work) { waiting.withLock { $0.append(work) } }

    func run() {
      let work = waiting.withLock { waiting in
        defer { waiting.removeAll() }
        return waiting
      }
      for each in work { each() }
    }
  }

  private static let logLength = 160

  /// Opens a store, and gives it to the body with a connection that sees the state of the log.
  private func withStore(
    _ body: (_ store: SQLiteToDoItemStore, _ thread: ManualThread, _ index: LogIndex) async throws -> Void
  ) async throws {
    let directory = try TemporaryDirectory()
    var file = DatabaseFile(path: directory.file("items.sqlite"))
    file.logLength = Self.logLength
    let thread = ManualThread()
    let store = try SQLiteToDoItemStore(file, checkpointing: { thread.add($0) })
    let reader = try file.openForReading()
    _ = try reader.number("SELECT count(*) FROM owner")
    let index = try LogIndex(reader)
    try await body(store, thread, index)
    await store.close()
    try reader.close()
  }

  /// Adds items until a condition holds, and returns their number.
  @discardableResult
  private func fill(
    _ store: SQLiteToDoItemStore, from start: UInt64 = 0, until condition: () -> Bool
  ) async throws -> Int {
    var count = 0
    while count < 2_000, !condition() {
      try await store.add(.sample(start + UInt64(count)))
      count += 1
    }
    try #require(condition())
    return count
  }

  @Test func write_whenLogIsLong_leavesCheckpointToBackground() async throws {
    try await withStore { store, thread, index in
      try await fill(store) { thread.count > 0 }
      #expect(index.log.length >= Self.logLength)
      #expect(index.log.movedLength == 0)
    }
  }

  @Test func write_afterBackgroundCheckpoint_finishesAndStartsLogAgain() async throws {
    try await withStore { store, thread, index in
      let before = try await fill(store) { thread.count > 0 }
      let length = index.log.length
      thread.run()
      #expect(index.log.movedLength == length)
      let after = try await fill(store, from: 10_000) { index.log.length < Self.logLength }
      #expect(try await store.listing().items.count == before + after)
    }
  }

  @Test func write_whenBackgroundDoesNotRun_boundsTheLog() async throws {
    try await withStore { store, thread, index in
      var peak = 0
      try await fill(store) {
        peak = max(peak, index.log.length)
        return index.log.length < peak
      }
      #expect(thread.count == 1)
      #expect((4 * Self.logLength..<5 * Self.logLength).contains(peak))
    }
  }
}
