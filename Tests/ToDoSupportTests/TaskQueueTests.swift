import Testing
import ToDoSupport
import ToDoTestSupport

@Suite(.unitTimeLimited) struct TaskQueueTests {
  private let queue = TaskQueue(label: "test")

  @Test func run_returnsTheValueOrTheErrorOfTheWork() async throws {
    #expect(try await queue.run { _ in 1 } == 1)
    await #expect(throws: Breakage.self) { try await queue.run { _ in throw Breakage() } }
  }

  @Test func run_whenItsTaskIsCancelledBefore_doesNotBegin() async throws {
    let hasBegun = Condition(false)
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      try await queue.run { _ in hasBegun.change { $0 = true } }
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(!hasBegun.value)
  }

  @Test func work_whenItsTaskIsCancelled_seesThat() async throws {
    let hasBegun = Condition(false)
    let task = Task {
      try await queue.run { cancellation in
        hasBegun.change { $0 = true }
        while !cancellation.hasOccurred {}
        try cancellation.check()
      }
    }
    await hasBegun.wait { $0 }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  @Test func runAndWait_runsAfterEarlierWork() async throws {
    let work = Condition<[Int]>([])
    async let first: Void = queue.run { _ in
      work.change { $0.append(1) }
      while work.value.count < 2 {}
    }
    await work.wait { $0 == [1] }
    work.change { $0.append(2) }
    queue.runAndWait { work.change { $0.append(3) } }
    try await first
    #expect(work.value == [1, 2, 3])
  }
}

private struct Breakage: Error {}
