import Testing
import ToDoModel
import ToDoTestSupport

@testable import ToDoServer

/// Operations that wait for the turn of their owner.
@Suite(.timeLimited) struct OwnerTurnsTests {
  private let mallory = OwnerID("mallory")
  private let turns = OwnerTurns(concurrency: 1, waitingLimit: 1)

  @Test func run_duringWorkOfOwner_beginsAfterIt() async throws {
    let order = Condition<[Int]>([])
    let second = try await turns.run(for: mallory) {
      let second = Task.immediate { try await turns.run(for: mallory) { order.change { $0.append(2) } } }
      order.change { $0.append(1) }
      return second
    }
    try await second.value
    await order.wait { $0 == [1, 2] }
  }

  @Test func run_duringWorkOfAnotherOwner_begins() async throws {
    let value = try await turns.run(for: mallory) { try await turns.run(for: OwnerID("ann")) { 1 } }
    #expect(value == 1)
  }

  @Test func run_whenTooMuchWaits_isRejected() async throws {
    let waiting = try await turns.run(for: mallory) {
      let waiting = Task.immediate { try await turns.run(for: mallory) {} }
      await #expect(throws: ToDoError.listBusy(retryAfter: .seconds(1))) { try await turns.run(for: mallory) {} }
      return waiting
    }
    try await waiting.value
  }

  @Test func run_whenCancelledWhileWaiting_doesNotRun() async throws {
    try await turns.run(for: mallory) {
      let waiting = Task.immediate { try await turns.run(for: mallory) { Issue.record("the operation runs") } }
      waiting.cancel()
      await #expect(throws: CancellationError.self) { try await waiting.value }
    }
    #expect(try await turns.run(for: mallory) { 1 } == 1)
  }

  @Test func run_whenWorkFails_endsTurn() async throws {
    await #expect(throws: ToDoError.listFull(limit: 1)) {
      try await turns.run(for: mallory) { throw ToDoError.listFull(limit: 1) }
    }
    #expect(try await turns.run(for: mallory) { 1 } == 1)
  }
}
