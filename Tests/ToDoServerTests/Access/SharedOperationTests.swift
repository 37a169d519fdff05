import Testing
import ToDoTestSupport

@testable import ToDoServer

/// An operation that several callers share.
@Suite(.timeLimited) struct SharedOperationTests {
  private let shared = SharedOperation<Int>()
  private let runs = Condition(0)
  private let permits = Condition(0)

  /// Returns the number of the run, once there is a permit for it.
  private func run() async throws -> Int {
    try await shared.run {
      let number = runs.change { count -> Int in
        count += 1
        return count
      }
      await permits.wait { $0 >= number }
      try Task.checkCancellation()
      return number
    }
  }

  @Test func request_duringRun_waitsForNextRun() async throws {
    async let first = run()
    await runs.wait { $0 == 1 }
    async let second = run()
    async let third = run()
    permits.change { $0 = 100 }
    #expect(try await first == 1)
    let later = [try await second, try await third]
    #expect(later.allSatisfy { $0 > 1 })
  }

  @Test func request_afterRun_runsAgain() async throws {
    permits.change { $0 = 100 }
    #expect(try await run() == 1)
    #expect(try await run() == 2)
  }

  @Test func request_whenRunningTaskIsCancelled_isServedByAnotherRun() async throws {
    let first = Task { try await run() }
    await runs.wait { $0 == 1 }
    let second = Task { try await run() }
    let third = Task { try await run() }
    first.cancel()
    permits.change { $0 = 100 }
    await #expect(throws: CancellationError.self) { try await first.value }
    #expect(try await second.value > 1)
    #expect(try await third.value > 1)
  }
}
