import CoreMetrics
import InMemoryLogging
import Logging
import MetricsTestKit
import Testing
import ToDoModel
import ToDoTestSupport

@testable import ToDoNotifications

/// What the server says about deliveries.
@Suite(.unitTimeLimited) struct DeliveryReportTests {
  private let handler = InMemoryLogHandler()
  private let metrics = TestMetrics()
  private let clock = TestClock()
  private let target = NotificationTarget(kind: .ntfy, url: "https://ntfy.example/secret-topic", secret: "tk_secret")

  private var report: DeliveryReport {
    DeliveryReport(logger: Logger(label: "test") { _ in handler }, metrics: metrics, clock: clock)
  }

  @Test func failures_ofOneTarget_areLoggedOnceAnHour_withoutSecrets() {
    let report = report
    report.record(.failed("Connection refused"), of: target)
    report.record(.failed("Connection refused"), of: target)
    #expect(handler.entries.count == 1)
    clock.advance(by: .seconds(3600))
    report.record(.refused("the target answered with HTTP status 404"), of: target)
    #expect(handler.entries.count == 2)
    for entry in handler.entries { #expect(!"\(entry)".contains("secret")) }
    #expect("\(handler.entries[0].message)".contains("https://ntfy.example"))
  }

  @Test func failures_ofOtherTargets_andThoseAfterSuccess_areLogged() {
    let report = report
    report.record(.failed("a"), of: target)
    report.record(.failed("a"), of: .init(kind: .ntfy, url: "https://other.example/t"))
    report.record(.delivered, of: target)
    report.record(.failed("a"), of: target)
    #expect(handler.entries.count == 3)
  }

  @Test func lastFailure_isKeptUntilDelivery() {
    let report = report
    #expect(report.lastFailure(of: target.id) == nil)
    report.record(.failed("a"), of: target)
    clock.advance(by: .seconds(60))
    report.record(.refused("b\n" + String(repeating: "c", count: 500)), of: target)
    let reason = "b\\u{A}" + String(repeating: "c", count: 194)
    #expect(report.lastFailure(of: target.id) == NotificationFailure(time: clock.now(), reason: reason))
    #expect(report.lastFailure(of: NotificationTargetID()) == nil)
    report.record(.delivered, of: target)
    #expect(report.lastFailure(of: target.id) == nil)
  }

  @Test func errorsOfLists_areLoggedOnceAnHourForEachUser_andCounted() throws {
    let report = report
    for user in ["ann", "ann", "bob"] { report.record(ToDoError.storeFull, in: OwnerID(user), for: [target]) }
    // Nothing that the user could change.
    #expect(report.lastFailure(of: target.id) == nil)
    #expect(handler.entries.count == 2)
    #expect("\(handler.entries[0].message)".contains("a list of ann: \(ToDoError.storeFull)"))
    clock.advance(by: .seconds(3600))
    report.record(ToDoError.storeFull, in: OwnerID("ann"))
    #expect(handler.entries.count == 3)
    #expect(try metrics.expectCounter("todo_notifications", [("result", "failed")]).totalValue == 4)
  }

  @Test func outcomes_areCounted() throws {
    let report = report
    for outcome in [DeliveryOutcome.delivered, .delivered, .failed("a"), .refused("b")] {
      report.record(outcome, of: target)
    }
    report.count(.dropped)
    for (result, count) in [("delivered", 2), ("failed", 1), ("refused", 1), ("dropped", 1)] as [(String, Int64)] {
      let counter = try metrics.expectCounter("todo_notifications", [("result", result)])
      #expect(counter.totalValue == count)
    }
  }
}

/// The limit on lists that send at the same time.
@Suite(.unitTimeLimited) struct DeliverySlotsTests {
  private struct Failure: Error {}

  private let ann = OwnerID("ann")

  /// Starts tasks of a user that wait for a slot, and returns once they do.
  private func start(_ count: Int, of user: OwnerID, _ slots: DeliverySlots, _ order: Condition<[String]>) async {
    for _ in 0..<count {
      let waits = slots.waitingCount
      Task {
        try await slots.run(for: user) { order.change { $0.append(user.name) } }
      }
      await waitUntil("\(user.name) waits") { slots.waitingCount == waits + 1 }
    }
  }

  @Test func slots_arePassedOn_toUsersInTurn() async throws {
    let slots = DeliverySlots(1, userLimit: 1)
    let order = Condition<[String]>([])
    try await slots.run(for: ann) {
      await start(3, of: OwnerID("bob"), slots, order)
      await start(2, of: OwnerID("cat"), slots, order)
    }
    await order.wait { $0.count == 5 }
    #expect(order.value == ["bob", "cat", "bob", "cat", "bob"])
  }

  @Test func slots_ofOneUser_areLimited() async throws {
    let slots = DeliverySlots(2, userLimit: 1)
    let order = Condition<[String]>([])
    try await slots.run(for: ann) {
      await start(1, of: ann, slots, order)
      let seen = try await slots.run(for: OwnerID("bob")) { order.value }
      #expect(seen == [])
    }
    await order.wait { $0 == ["ann"] }
    #expect(slots.waitingCount == 0)
  }

  @Test func slots_arePassedOn_evenIfAWaiterIsCancelledOrFails() async throws {
    let slots = DeliverySlots(1, userLimit: 1)
    let (started, start) = AsyncStream.makeStream(of: Void.self)
    let (gate, open) = AsyncStream.makeStream(of: Void.self)
    let first = Task {
      try await slots.run(for: ann) {
        start.yield()
        for await _ in gate { break }
      }
    }
    for await _ in started { break }
    let cancelled = Task { try await slots.run(for: ann) {} }
    cancelled.cancel()
    await #expect(throws: CancellationError.self) { try await cancelled.value }
    let failing = Task { try await slots.run(for: ann) { throw Failure() } }
    let last = Task { try await slots.run(for: ann) { true } }
    open.yield()
    try await first.value
    await #expect(throws: Failure.self) { try await failing.value }
    #expect(try await last.value)
  }
}
