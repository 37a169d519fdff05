import Synchronization
import Testing
import ToDoModel
import ToDoTestSupport

@testable import ToDoStores

@Suite(.unitTimeLimited) struct GroupCommitterTests {
  private let sink = FakeSink()

  /// Returns a committer whose time stands still by default. Otherwise a slow machine would use up an owner's time.
  private func makeCommitter(
    pendingLimit: Int = 100, ownerLimit: Int = 50, groupLimit: Int = 100, workLimit: UInt64 = .max,
    stopwatch: @escaping @Sendable () -> UInt64 = { 0 }
  ) -> GroupCommitter<FakeSink> {
    GroupCommitter(
      sink: sink, pendingLimit: pendingLimit, ownerLimit: ownerLimit, groupLimit: groupLimit, workLimit: workLimit,
      stopwatch: stopwatch)
  }

  @Test func submit_whenIdle_isScheduledImmediatelyAndReturnsTheValue() async throws {
    let committer = makeCommitter()
    async let value = committer.submit(for: .list(.local)) { "value of \($0)" }
    await sink.waitForWork()
    sink.work()
    #expect(try await value == "value of group 1")
    #expect(sink.log == ["1 write", "commit"])
  }

  @Test func submit_whenWritesAreConcurrent_sharesOneCommitInOrder() async throws {
    let committer = makeCommitter()
    let order = Mutex<[Int]>([])
    let tasks = try await submitting(5, to: committer) { number, _ in order.withLock { $0.append(number) } }
    sink.work()
    for task in tasks { try await task.value }
    #expect(sink.log == ["5 writes", "commit"])
    #expect(order.withLock(\.self) == [0, 1, 2, 3, 4])
  }

  @Test func submit_whenWritesExceedAGroup_commitsSeveralGroups() async throws {
    let committer = makeCommitter(groupLimit: 2)
    let tasks = try await submitting(5, to: committer) { _, _ in }
    sink.work()
    for task in tasks { try await task.value }
    #expect(sink.log == ["2 writes", "commit", "2 writes", "commit", "1 write", "commit"])
  }

  @Test func submit_whenBodyThrows_returnsAfterTheCommit() async throws {
    let committer = makeCommitter()
    let sink = sink
    let tasks = (0..<2).map { number in
      Task {
        do {
          try await committer.submit(for: .list(.local)) { _ in if number == 1 { throw Refusal() } }
        } catch {
          sink.append("\(error)")
        }
      }
    }
    await waitUntil("two writes wait") { committer.pendingCount >= 2 }
    sink.work()
    for task in tasks { await task.value }
    #expect(sink.log == ["2 writes", "commit", "Refusal()"])
  }

  @Test func submit_whenCommitFails_failsEveryWriteOfTheGroup() async throws {
    let committer = makeCommitter()
    sink.fail(with: ToDoError.storeFull)
    let tasks = try await submitting(3, to: committer) { number, _ in if number == 1 { throw Refusal() } }
    sink.work()
    for task in tasks { await #expect(throws: ToDoError.storeFull) { try await task.value } }
  }

  @Test func submit_whenLimitIsReached_isRejected() async throws {
    let committer = makeCommitter(pendingLimit: 2, ownerLimit: 2)
    let tasks = try await submitting(2, to: committer) { _, _ in }
    await #expect(throws: ToDoError.storeUnavailable(detail: "too many writes are waiting")) {
      try await committer.submit(for: .list(.local)) { _ in }
    }
    sink.work()
    for task in tasks { try await task.value }
  }

  @Test func submit_whenOtherOwnersFillTheQueue_isAccepted() async throws {
    let committer = makeCommitter(pendingLimit: 8, ownerLimit: 2)
    var tasks: [Task<Void, any Error>] = []
    for owner in 1...4 { tasks += try await submitting(2, of: OwnerID("\(owner)"), to: committer) { _, _ in } }
    let newcomer = Task { try await committer.submit(for: .list(OwnerID("newcomer"))) { _ in } }
    tasks.append(newcomer)
    await waitUntil("nine writes wait") { committer.pendingCount >= 9 }
    #expect(committer.pendingCount == 9)
    sink.work()
    for task in tasks { try await task.value }
  }

  @Test func submit_whenAnotherOwnerHasManyWaiting_runsNext() async throws {
    let committer = makeCommitter()
    let order = Mutex<[String]>([])
    var tasks = try await submitting(20, of: OwnerID("busy"), to: committer) { number, _ in
      order.withLock { $0.append("busy \(number)") }
    }
    tasks += try await submitting(1, of: OwnerID("other"), to: committer) { _, _ in
      order.withLock { $0.append("other") }
    }
    sink.work()
    for task in tasks { try await task.value }
    #expect(order.withLock(\.self).prefix(2) == ["busy 0", "other"])
    #expect(sink.log == ["21 writes", "commit"])
  }

  @Test func submit_whenWritesAreSlow_commitsSeveralGroups() async throws {
    let time = Atomic<UInt64>(0)
    let committer = makeCommitter(workLimit: 5, stopwatch: { time.load(ordering: .relaxed) })
    let tasks = try await submitting(5, to: committer) { _, _ in time.add(3, ordering: .relaxed) }
    sink.work()
    for task in tasks { try await task.value }
    #expect(sink.log == ["2 writes", "commit", "2 writes", "commit", "1 write", "commit"])
  }

  @Test func submit_whenWritesOfOneOwnerAreSlow_interleavesThoseOfAnother() async throws {
    let time = Atomic<UInt64>(0)
    let committer = makeCommitter(stopwatch: { time.load(ordering: .relaxed) })
    let order = Mutex("")
    var tasks = try await submitting(3, of: OwnerID("slow"), to: committer) { _, _ in
      order.withLock { $0 += "S" }
      time.add(10_000_000, ordering: .relaxed)
    }
    tasks += try await submitting(6, of: OwnerID("quick"), to: committer) { _, _ in
      order.withLock { $0 += "q" }
      time.add(100_000, ordering: .relaxed)
    }
    sink.work()
    for task in tasks { try await task.value }
    // A slow write leaves a debt of ten rounds, in which all quick writes run.
    #expect(order.withLock(\.self) == "SqqqqqqSS")
  }

  @Test func submit_whenQueueOfTheOwnerIsFull_isRejected() async throws {
    let committer = makeCommitter(ownerLimit: 2)
    var tasks = try await submitting(2, to: committer) { _, _ in }
    await #expect(throws: ToDoError.listBusy(retryAfter: .seconds(1))) {
      try await committer.submit(for: .list(.local)) { _ in }
    }
    tasks += try await submitting(1, of: OwnerID("other"), to: committer) { _, _ in }
    sink.work()
    for task in tasks { try await task.value }
  }

  @Test func cancel_whileWaiting_throwsImmediatelyWithoutRunningTheBody() async throws {
    let committer = makeCommitter()
    let ran = Mutex<[Int]>([])
    let tasks = try await submitting(3, to: committer) { number, _ in ran.withLock { $0.append(number) } }
    tasks[1].cancel()
    await #expect(throws: CancellationError.self) { try await tasks[1].value }
    sink.work()
    for task in [tasks[0], tasks[2]] { try await task.value }
    #expect(ran.withLock(\.self) == [0, 2])
  }

  @Test func cancel_beforeSubmit_throwsWithoutScheduling() async throws {
    let committer = makeCommitter()
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      try await committer.submit(for: .list(.local)) { _ in }
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(!sink.hasWork)
  }

  @Test func close_whenWritesArePending_waitsThenRejects() async throws {
    let committer = makeCommitter()
    let tasks = try await submitting(2, to: committer) { _, _ in }
    let sink = sink
    let closing = Task {
      await committer.close()
      sink.append("closed")
    }
    await waitUntil("the committer closes") { committer.isClosed }
    await #expect(throws: ToDoError.storeClosed) { try await committer.submit(for: .list(.local)) { _ in } }
    sink.work()
    for task in tasks { try await task.value }
    await closing.value
    #expect(sink.log == ["2 writes", "commit", "closed"])
    await committer.close()
  }

  /// Submits bodies one after the other, without committing them.
  private func submitting(
    _ count: Int, of owner: OwnerID = .local, to committer: GroupCommitter<FakeSink>,
    _ body: @escaping @Sendable (Int, String) throws -> Void
  ) async throws -> [Task<Void, any Error>] {
    var tasks: [Task<Void, any Error>] = []
    let waiting = committer.pendingCount
    for number in 0..<count {
      tasks.append(Task { try await committer.submit(for: .list(owner)) { try body(number, $0) } })
      await waitUntil("the write waits") { committer.pendingCount > waiting + number }
      // The first one is added before its work is scheduled.
      if waiting + number == 0 { await sink.waitForWork() }
    }
    return tasks
  }
}

private struct Refusal: Error {}
