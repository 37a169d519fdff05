import InMemoryLogging
import Logging
import MetricsTestKit
import Testing
import ToDoModel
import ToDoRules
import ToDoStores
import ToDoTestSupport

@testable import ToDoNotifications

/// Reminders that positions have triggered, on their way to targets.
@Suite(.unitTimeLimited) struct PlaceNotifierTests {
  private let clock = ManualClock()
  private let accounts = MemoryAccountStore()
  private let sender = StubSender()
  private let metrics = TestMetrics()
  private let log = InMemoryLogHandler()
  private let ann = User.sample("ann").list
  private let time = Timestamp(microseconds: 1_767_225_600_000_000)

  init() async throws {
    for name in ["ann", "bob"] { try await accounts.addUser(.sample(name)) }
    try await accounts.addNotificationTarget(.sample(1), of: ann)
    try await accounts.addNotificationTarget(.sample(2), of: User.sample("bob").list)
  }

  private func notifier() -> PlaceNotifier {
    let report = DeliveryReport(logger: Logger(label: "test") { [log] _ in log }, metrics: metrics)
    return PlaceNotifier(accounts, sender: sender, report: report, clock: clock)
  }

  private func item(_ title: String = "Milk") -> ToDoItem {
    let place = Location(name: "Shop", coordinate: Coordinate(latitude: 48.137, longitude: 11.575))
    return ToDoItem(
      id: ItemID(high: 0, low: 1), number: ItemNumber(1),
      content: ItemContent(title: title, location: place, reminders: [Reminder(.arriving)]), createdAt: time,
      updatedAt: time, revision: .initial)
  }

  private func withRunning(_ notifier: PlaceNotifier, _ body: () async throws -> Void) async throws {
    let task = Task { await notifier.run() }
    defer { task.cancel() }
    try await body()
    task.cancel()
    await task.value
  }

  private func eventually(
    sourceLocation: SourceLocation = #_sourceLocation, _ condition: () throws -> Bool
  ) async throws {
    let end = ContinuousClock.now + TestLimits.wait
    while try !condition() {
      guard ContinuousClock.now < end else {
        Issue.record("not within \(TestLimits.wait)", sourceLocation: sourceLocation)
        return
      }
      await Task.yield()
    }
  }

  private func count(_ result: DeliveryReport.Result) throws -> Int64 {
    try metrics.expectCounter("todo_notifications", [("result", result.rawValue)]).totalValue
  }

  @Test func reminder_goesToTheUsersOwnTargets_withoutThePosition() async throws {
    let notifier = notifier()
    try await withRunning(notifier) {
      notifier.send(item(), .arriving, at: time, to: ann)
      try await eventually { sender.sent.count == 1 }
    }
    #expect(sender.sent.map(\.target) == [.sample(1)])
    guard case .reminder(let reminder) = sender.sent[0].message.content else { throw WrongContent() }
    #expect(reminder.title == "Milk" && reminder.trigger == .arriving && reminder.time == time && !reminder.isLate)
    let texts = "\(sender.sent[0].message)"
    #expect(!texts.contains("48.1") && !texts.contains("11.5") && !texts.contains("Shop"))
  }

  @Test func reminder_goesToNoUnconfirmedAddress() async throws {
    try await accounts.addNotificationTarget(.sample(3, .email, secret: "unconfirmed:0123456789:0"), of: ann)
    let notifier = notifier()
    try await withRunning(notifier) {
      notifier.send(item(), .arriving, at: time, to: ann)
      notifier.send(item("Bread"), .arriving, at: time, to: User.sample("bob").list)
      try await eventually { sender.titles.contains("Bread") }
    }
    #expect(!sender.sent.map(\.target.kind).contains(.email))
  }

  @Test func failedDelivery_isTriedFiveTimes_thenDropped() async throws {
    sender.setOutcome { _ in .failed("busy") }
    let notifier = notifier()
    try await withRunning(notifier) {
      notifier.send(item(), .arriving, at: time, to: ann)
      for (number, minutes) in zip(1..., [1, 4, 16, 32]) {
        await clock.waitForSleepers(1)
        #expect(sender.sent.count == number)
        clock.advance(by: .seconds(60 * minutes))
      }
      try await eventually { try count(.dropped) == 1 }
    }
    #expect(sender.sent.count == 5 && Set(sender.sent.map(\.message.id)).count == 1)
    #expect(try count(.failed) == 5)
    #expect(!log.entries.isEmpty)
    #expect(log.entries.allSatisfy { !"\($0.message)".contains("48.1") && !"\($0.message)".contains("Milk") })
  }

  @Test func removedTarget_getsNoOtherAttempt() async throws {
    sender.setOutcome { _ in .failed("busy") }
    let notifier = notifier()
    try await withRunning(notifier) {
      notifier.send(item(), .arriving, at: time, to: ann)
      await clock.waitForSleepers(1)
      _ = try await accounts.removeNotificationTarget(NotificationTarget.sample(1).id, of: ann)
      clock.advance(by: .seconds(60))
      sender.setOutcome { _ in .delivered }
      notifier.send(item("Bread"), .arriving, at: time, to: User.sample("bob").list)
      try await eventually { sender.sent.count == 2 }
    }
    #expect(sender.titles == ["Milk", "Bread"])
  }

  @Test func remindersBeyondTheLimit_areDropped() async throws {
    let notifier = notifier()
    for _ in 0..<300 { notifier.send(item(), .arriving, at: time, to: ann) }
    #expect(try count(.dropped) == 44)
  }

  /// One user with a slow target does not use up what all have.
  @Test func messagesOfOneUser_areBounded() async throws {
    sender.stallAll()
    let notifier = notifier()
    for _ in 0..<40 { notifier.send(item(), .arriving, at: time, to: ann) }
    try await withRunning(notifier) {
      try await eventually { try count(.dropped) == 8 }
      sender.resumeAll()
      try await eventually { sender.sent.count == 32 }
    }
  }

  private struct WrongContent: Error {}
}
