import TestSupport
import Testing
import ToDoModel

@testable import ToDoServer

/// The limits of each owner's work.
@Suite struct TurnScheduleTests {
  private final class Waiter {}

  private let first = Waiter()
  private let second = Waiter()
  private let third = Waiter()
  private var schedule = TurnSchedule<String, Waiter>(concurrency: 2, waitingLimit: 2)

  /// Begins work of an owner as often as it may run.
  private mutating func fill(_ owner: String) {
    for _ in 0..<2 { _ = schedule.begin(owner, Waiter()) }
  }

  @Test mutating func begin_ofOwnerWithFullConcurrency_waits() {
    #expect(schedule.begin("mallory", first) == .run)
    #expect(schedule.begin("mallory", second) == .run)
    #expect(schedule.begin("mallory", third) == .wait)
  }

  @Test mutating func begin_ofAnotherOwner_runs() {
    fill("mallory")
    _ = schedule.begin("mallory", first)
    #expect(schedule.begin("ann", second) == .run)
  }

  @Test mutating func begin_whenQueueOfOwnerIsFull_isRejected() {
    fill("mallory")
    fill("mallory")
    #expect(schedule.begin("mallory", first) == .reject)
    #expect(schedule.begin("ann", first) == .run)
  }

  @Test mutating func end_returnsWaitersInOrder() {
    fill("mallory")
    _ = schedule.begin("mallory", first)
    _ = schedule.begin("mallory", second)
    #expect(schedule.end("mallory") === first)
    #expect(schedule.end("mallory") === second)
    #expect(schedule.end("mallory") == nil)
    #expect(schedule.begin("mallory", third) == .run)
  }

  @Test mutating func cancel_ofWaiter_removesIt() {
    fill("mallory")
    _ = schedule.begin("mallory", first)
    _ = schedule.begin("mallory", second)
    #expect(schedule.cancel("mallory", first) == nil)
    #expect(schedule.end("mallory") === second)
  }

  @Test mutating func cancel_ofWaiterWhoseTurnItIs_returnsNext() {
    fill("mallory")
    _ = schedule.begin("mallory", first)
    _ = schedule.begin("mallory", second)
    _ = schedule.end("mallory")
    #expect(schedule.cancel("mallory", first) === second)
  }

  @Test mutating func owners_withoutWork_areForgotten() {
    fill("mallory")
    _ = schedule.end("mallory")
    #expect(!schedule.isIdle)
    _ = schedule.end("mallory")
    #expect(schedule.isIdle)
  }
}

/// Work that waits for the turn of its owner.
@Suite(.timeLimit(.minutes(15))) struct OwnerTurnsTests {
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
      let waiting = Task.immediate { try await turns.run(for: mallory) { Issue.record("the work runs") } }
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
