import Dispatch
import Synchronization
import Testing
import ToDoModel
import ToDoRules
import ToDoSQLite
import ToDoTestSupport

@testable import ToDoStores

@Suite(.unitTimeLimited) struct ReaderPoolTests {
  private let directory: TemporaryDirectory
  private let file: DatabaseFile

  init() throws {
    directory = try TemporaryDirectory()
    file = DatabaseFile(path: directory.file("items.sqlite"))
    try file.open().close()
  }

  @Test func read_whileReadsOfAnotherOwnerAreSlow_returns() async throws {
    let pool = ReaderPool(label: "Test", count: 2, ownerCount: 1) { [file] in try SQLiteReader(file) }
    let (gate, begun) = (DispatchSemaphore(value: 0), Condition(0))
    let long = (0..<5).map { _ in
      Task {
        try await pool.read(for: OwnerID("busy")) { _ in
          begun.change { $0 += 1 }
          gate.waitForSignal()
        }
      }
    }
    await begun.wait { $0 == 1 }
    for _ in 0..<10 { #expect(try await pool.read(for: .local) { try $0.item(.sample(1), of: .local) } == nil) }
    #expect(begun.value == 1)
    for _ in long { gate.signal() }
    for task in long { try await task.value }
    await pool.close()
  }

  @Test func read_runsOnAPoolThreadAndReturnsToTheCallersExecutor() async throws {
    let pool = ReaderPool(label: "Test", count: 1, ownerCount: 1) { [file] in try SQLiteReader(file) }
    let caller = Caller()
    #expect(try await caller.read(with: pool) == [true, false, true])
    await pool.close()
  }

  @Test func read_whenCancelledWhileItWaits_doesNotRun() async throws {
    let pool = ReaderPool(label: "Test", count: 1, ownerCount: 1) { [file] in try SQLiteReader(file) }
    let (gate, begun) = (DispatchSemaphore(value: 0), Condition(0))
    let first = Task {
      try await pool.read(for: .local) { _ in
        begun.change { $0 += 1 }
        gate.waitForSignal()
      }
    }
    await begun.wait { $0 == 1 }
    let second = Task { try await pool.read(for: .local) { _ in begun.change { $0 += 1 } } }
    second.cancel()
    gate.signal()
    try await first.value
    await #expect(throws: CancellationError.self) { try await second.value }
    #expect(begun.value == 1)
    await pool.close()
  }

  @Test func read_whenQueueOfTheOwnerIsFull_isRejected() async throws {
    let pool = ReaderPool(label: "Test", count: 2, ownerCount: 1, ownerLimit: 1) { [file] in try SQLiteReader(file) }
    let (gate, begun) = (DispatchSemaphore(value: 0), Condition(0))
    let first = Task {
      try await pool.read(for: .local) { _ in
        begun.change { $0 += 1 }
        gate.waitForSignal()
      }
    }
    await begun.wait { $0 == 1 }
    let second = Task { try await pool.read(for: .local) { _ in } }
    await waitUntil("the second read waits") { pool.waitingCount > 0 }
    let rejection = ToDoError.listBusy(retryAfter: .seconds(1))
    await #expect(throws: rejection) { try await pool.read(for: .local) { _ in } }
    // A further list takes the turns of its user.
    await #expect(throws: rejection) {
      try await TurnOwner.$current.withValue(.local) { try await pool.read(for: OwnerID("list:work")) { _ in } }
    }
    try await pool.read(for: OwnerID("other")) { _ in }
    gate.signal()
    try await first.value
    try await second.value
    await pool.close()
  }

  @Test func read_afterClose_isRejected() async throws {
    let pool = ReaderPool(label: "Test", count: 2, ownerCount: 1) { [file] in try SQLiteReader(file) }
    await pool.close()
    await #expect(throws: ToDoError.storeClosed) { try await pool.read(for: .local) { _ in } }
  }
}

/// An actor on its own queue, like an event loop.
private actor Caller {
  private final class Executor: SerialExecutor {
    private let queue = DispatchQueue(label: "caller")
    private let key = DispatchSpecificKey<Bool>()

    init() { queue.setSpecific(key: key, value: true) }

    var isCurrent: Bool { DispatchQueue.getSpecific(key: key) == true }

    func enqueue(_ job: consuming ExecutorJob) {
      let job = UnownedJob(job)
      queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }
  }

  private let executor = Executor()

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  /// Whether the code before, inside and after a read runs on the caller's queue.
  func read(with pool: ReaderPool<SQLiteReader>) async throws -> [Bool] {
    let before = executor.isCurrent
    let inside = try await pool.read(for: .local) { [executor] _ in executor.isCurrent }
    return [before, inside, executor.isCurrent]
  }
}
