import Testing
import ToDoModel

@testable import ToDoNotifications

/// The attempts to deliver the reminders of a list.
@Suite struct DeliveryAttemptsTests {
  private var attempts = DeliveryAttempts()

  private func key(_ number: UInt64) -> DeliveryAttempts.Key {
    let time = Timestamp(microseconds: 5)
    return .init(ItemID(high: 1, low: number), ReminderSchedule.Entry(index: 0, time: time, tellTime: time))
  }

  private func message(_ id: String = "m") -> NotificationMessage {
    NotificationMessage(id: id, time: Timestamp(microseconds: 5), content: .test)
  }

  private func minute(_ minutes: Int64) -> Timestamp { Timestamp(microseconds: minutes * 60_000_000) }

  @Test mutating func attempts_endAfterFive_withinAnHour() {
    var minutes: Int64 = 0
    var times: [Int64] = []
    repeat {
      times.append(minutes)
      minutes += attempts.lease(of: key(1)).components.seconds / 60
    } while attempts.fail(key(1), message(), at: minute(times[times.count - 1]))
    #expect(times == [0, 1, 5, 21, 53])
    #expect(attempts.count == 0 && attempts.lease(of: key(1)) == .seconds(60))
  }

  @Test mutating func furtherAttempts_haveTheFirstMessage() {
    #expect(attempts.message(of: key(1)) == nil)
    for (id, time) in [("first", minute(0)), ("second", minute(1))] { _ = attempts.fail(key(1), message(id), at: time) }
    #expect(attempts.message(of: key(1))?.id == "first")
  }

  @Test mutating func reminders_beyondTheLimit_doNotWait() {
    var isWaiting: [Bool] = []
    for number in (1...UInt64(DeliveryAttempts.waitingLimit)) + [100, 1] {
      isWaiting.append(attempts.fail(key(number), message(), at: minute(0)))
    }
    #expect(isWaiting.enumerated().filter { !$0.element }.map(\.offset) == [DeliveryAttempts.waitingLimit])
    #expect(attempts.count == DeliveryAttempts.waitingLimit)
    // Reminders that others have changed meanwhile make room.
    let isWaitingLater = attempts.fail(key(100), message(), at: minute(61))
    #expect(isWaitingLater && attempts.count == 1)
  }

  @Test mutating func takenReminder_isRemembered_untilAcknowledged() {
    attempts.take(key(1), message(), at: minute(0))
    #expect(attempts.isTaken(key(1)) && !attempts.isTaken(key(2)))
    attempts.remove(key(1))
    #expect(!attempts.isTaken(key(1)) && attempts.count == 0)
  }
}

/// The messages that another target has taken.
@Suite struct DeliveryRetriesTests {
  private var retries = DeliveryRetries()
  private let item = ItemID(high: 1, low: 1)
  private let target = NotificationTargetID(high: 1, low: 2)

  private func message(_ id: Int) -> NotificationMessage {
    NotificationMessage(id: "\(id)", time: Timestamp(microseconds: 5), content: .test)
  }

  private func minute(_ minutes: Int64) -> Timestamp { Timestamp(microseconds: minutes * 60_000_000) }

  @Test mutating func message_isDueAfterTheDelay_once() {
    let isDropped = retries.add(message(1), of: item, for: target, failures: 2, at: minute(1))
    #expect(!isDropped && retries.nextTime == minute(5))
    let early = retries.takeNext(at: Timestamp(microseconds: minute(5).microseconds - 1))
    let (due, again) = (retries.takeNext(at: minute(5)), retries.takeNext(at: minute(5)))
    #expect(early == nil && due?.message == message(1) && again == nil && retries.nextTime == nil)
  }

  @Test mutating func message_afterTheLastAttempt_isDropped() {
    let isDropped = retries.add(message(1), of: item, for: target, failures: 5, at: minute(0))
    #expect(isDropped && retries.count == 0)
  }

  @Test mutating func oldestMessage_isDropped_whenTooManyWait() {
    let drops = (0...DeliveryAttempts.waitingLimit).map {
      retries.add(message($0), of: item, for: target, failures: 1, at: minute(0))
    }
    #expect(drops == Array(repeating: false, count: DeliveryAttempts.waitingLimit) + [true])
    #expect(retries.count == DeliveryAttempts.waitingLimit)
    let due = retries.takeNext(at: minute(1))
    #expect(due?.message == message(1))
  }
}
