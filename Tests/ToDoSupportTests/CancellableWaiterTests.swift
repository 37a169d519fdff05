import Testing
import ToDoSupport
import ToDoTestSupport

/// Every order of waiting, resuming and canceling.
@Suite(.unitTimeLimited) struct CancellableWaiterTests {
  private struct Failure: Error, Equatable {}

  @Test func value_whenResumedBefore_returnsImmediately() async throws {
    let waiter = CancellableWaiter<Int>()
    #expect(waiter.resume(returning: 1))
    #expect(try await waiter.value() == 1)
  }

  @Test func value_whenFailedBefore_throws() async {
    let waiter = CancellableWaiter<Int>()
    waiter.resume(throwing: Failure())
    await #expect(throws: Failure.self) { try await waiter.value() }
  }

  @Test func value_whenResumedWhileWaiting_returns() async throws {
    let waiter = CancellableWaiter<Int>()
    let task = Task.immediate { try await waiter.value() }
    #expect(waiter.resume(returning: 2))
    #expect(try await task.value == 2)
  }

  @Test func value_whenFailedWhileWaiting_throws() async {
    let waiter = CancellableWaiter<Int>()
    let task = Task.immediate { try await waiter.value() }
    waiter.resume(throwing: Failure())
    await #expect(throws: Failure.self) { try await task.value }
  }

  @Test func value_whenTaskWasCancelledBefore_throwsCancellationError() async {
    let waiter = CancellableWaiter<Int>()
    let task = Task.immediate {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await waiter.value()
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(!waiter.resume(returning: 1))
  }

  @Test func value_whenTaskIsCancelledWhileWaiting_throwsCancellationError() async {
    let waiter = CancellableWaiter<Int>()
    let task = Task.immediate { try await waiter.value() }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(!waiter.resume(returning: 1))
  }

  @Test func value_whenResumedAndThenCancelledBeforeWaiting_returnsTheValue() async throws {
    let waiter = CancellableWaiter<Int>()
    waiter.resume(returning: 3)
    let task = Task.immediate {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await waiter.value()
    }
    #expect(try await task.value == 3)
  }

  @Test func resume_whenCalledTwice_keepsTheFirstOutcome() async throws {
    let before = CancellableWaiter<Int>()
    #expect(before.resume(returning: 1))
    #expect(!before.resume(returning: 2))
    #expect(try await before.value() == 1)
    #expect(!before.resume(throwing: Failure()))

    let during = CancellableWaiter<Int>()
    let task = Task.immediate { try await during.value() }
    #expect(during.resume(returning: 1))
    #expect(!during.resume(returning: 2))
    #expect(try await task.value == 1)
  }

  /// Resumes and cancels from other threads while the wait begins.
  @Test func value_whenResumedAndCancelledConcurrently_hasExactlyOneOutcome() async throws {
    for number in 0..<2_000 {
      let waiter = CancellableWaiter<Int>()
      let task = Task { try await waiter.value() }
      let canceller = Task { task.cancel() }
      let resumers = (0..<2).map { _ in Task { waiter.resume(returning: number) } }
      let result = await task.result
      await canceller.value
      var accepted = 0
      for resumer in resumers where await resumer.value { accepted += 1 }
      switch result {
      case .success(let value):
        #expect(value == number)
        #expect(accepted == 1)
      case .failure(let error):
        #expect(error is CancellationError)
        #expect(accepted == 0)
      }
    }
  }

  @Test func resume_whenValueIsVoid_endsTheWait() async throws {
    let waiter = CancellableWaiter<Void>()
    let task = Task.immediate { try await waiter.value() }
    waiter.resume()
    try await task.value
  }
}
