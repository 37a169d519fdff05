import Synchronization
import Testing
import ToDoModel
import ToDoProtocol
import ToDoRPC
import ToDoTestSupport

@testable import ToDoClient

/// The attempts of a watch of reminders, and what its consumer receives.
@Suite(.timeLimited) struct ReminderStreamTests {
  private static let lost = RPCError.unavailable("the connection was closed", isUnsent: false)
  private static let refused = ToDoError.unauthenticated

  private let clock = ManualClock()
  private let attempts = Condition(0)

  private static func due(_ number: UInt64) -> DueReminder {
    let time = Timestamp.sample(Int64(number))
    let key = ReminderKey(item: ItemID(high: 1, low: number), trigger: .time(time), time: time)
    return DueReminder(key: key, number: .unknown, title: "Milk", tellTime: time)
  }

  /// What an attempt receives: events, and the error that ends it.
  private static func script(
    _ events: [ReminderEvent], _ error: any Error
  ) -> [Result<ReminderMessage, any Error>] {
    events.map { .success(.event($0)) } + [.success(.unknown), .failure(error)]
  }

  private static let caughtUp = ReminderEvent.caughtUp(pending: 3, next: nil)

  /// Runs a watch over a script for each of its attempts, and returns the events until it ends.
  private func watch(
    retryLimit: Int = 1, _ scripts: [[Result<ReminderMessage, any Error>]]
  ) -> Task<[ReminderEvent], any Error> {
    Task { [clock, attempts] in
      let made = WatchAttempts(retryLimit: retryLimit, backoff: .inSeconds, timing: .manual(clock)) {
        let number = attempts.change { number in
          number += 1
          return number - 1
        }
        let steps = Mutex(ArraySlice(scripts[number]))
        return { try #require(steps.withLock { $0.popFirst() }).get() }
      }
      let watch = ReminderStream(made)
      var events: [ReminderEvent] = []
      do {
        while let event = try await watch.next() { events.append(event) }
      } catch let error as ToDoError where error == Self.refused {
        // The end of every script.
        #expect(try await watch.next() == nil)
      }
      return events
    }
  }

  @Test func watch_whenConnectionIsLost_reconnectsAndEmitsOnlyChanges() async throws {
    let (first, second, third) = (Self.due(1), Self.due(2), Self.due(3))
    let events = watch(
      retryLimit: 0,
      [
        Self.script([.due(first), .due(second), Self.caughtUp], Self.lost),
        // The first one was acknowledged, and the third one is new.
        Self.script([.due(second), .due(third), Self.caughtUp, .removed(second.key)], Self.refused),
      ])
    await attempts.wait { $0 == 1 }
    await clock.waitForSleepers()
    clock.advance(by: .seconds(1))
    #expect(
      try await events.value == [
        .due(first), .due(second), Self.caughtUp, .due(third), .removed(first.key), .removed(second.key),
      ])
  }

  @Test func reminder_thatIsDueAgain_isEmittedAgain() async throws {
    let first = Self.due(1)
    var again = first
    again.tellTime = .sample(9)
    let events = watch([Self.script([.due(first), Self.caughtUp, .due(again), .due(again)], Self.refused)])
    #expect(try await events.value == [.due(first), Self.caughtUp, .due(again)])
  }

  @Test func watch_beforeItHasCaughtUp_isRetriedUpToLimit() async throws {
    let events = watch([[.failure(Self.lost)], [.failure(Self.lost)]])
    await clock.waitForSleepers()
    clock.advance(by: .seconds(1))
    let error = await #expect(throws: RPCError.self) { try await events.value }
    #expect(error?.code == .unavailable)
    #expect(attempts.value == 2)
  }
}
