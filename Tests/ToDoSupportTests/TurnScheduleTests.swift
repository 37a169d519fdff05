import Testing
import ToDoSupport

/// The limits on the operations of each owner, and of all.
@Suite struct TurnScheduleTests {
  private final class Waiter {}

  private let first = Waiter()
  private let second = Waiter()
  private let third = Waiter()
  private var schedule = TurnSchedule<String, Waiter>(.init(runningPerOwner: 2, waitingPerOwner: 2))

  /// Begins as many operations of an owner as may run.
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

  @Test mutating func end_whenOwnersWait_returnsTheirWaitersInTurn() {
    schedule = TurnSchedule(.init(running: 1))
    _ = schedule.begin("mallory", Waiter())
    for (owner, waiter) in [("mallory", first), ("mallory", second), ("ann", third)] {
      #expect(schedule.begin(owner, waiter) == .wait)
    }
    #expect(schedule.waitingCount == 3)
    #expect(schedule.end("mallory") === first)
    #expect(schedule.end("mallory") === third)
    #expect(schedule.end("ann") === second)
    #expect(schedule.end("mallory") == nil)
    #expect(schedule.isIdle)
  }

  @Test mutating func end_passesOverOwnersWithFullConcurrency() {
    schedule = TurnSchedule(.init(running: 2, runningPerOwner: 1))
    _ = schedule.begin("mallory", Waiter())
    _ = schedule.begin("ann", Waiter())
    #expect(schedule.begin("mallory", first) == .wait)
    #expect(schedule.begin("bob", second) == .wait)
    #expect(schedule.end("ann") === second)
    // A free turn is not for an owner who waits for its own.
    #expect(schedule.end("bob") == nil)
    #expect(schedule.begin("bob", third) == .run)
    #expect(schedule.end("mallory") === first)
  }

  @Test mutating func cancel_ofTheOnlyWaiterOfAnOwner_takesItsTurnAway() {
    schedule = TurnSchedule(.init(running: 1))
    _ = schedule.begin("mallory", Waiter())
    _ = schedule.begin("ann", first)
    _ = schedule.begin("bob", second)
    #expect(schedule.cancel("ann", first) == nil)
    #expect(schedule.waitingCount == 1)
    #expect(schedule.end("mallory") === second)
    #expect(schedule.end("bob") == nil)
    #expect(schedule.isIdle)
  }
}
