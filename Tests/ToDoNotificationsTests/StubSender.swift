import Synchronization
import ToDoModel
import ToDoSupport

@testable import ToDoNotifications

/// A sender that records messages, and has the outcomes that a test says.
final class StubSender: NotificationSender {
  private struct State {
    var sent: [(message: NotificationMessage, target: NotificationTarget)] = []
    var outcome: @Sendable (NotificationTarget) -> DeliveryOutcome = { _ in .delivered }
    var gate: CancellableWaiter<Void>?
    /// The messages that wait; `nil` if none does.
    var stalled: [CancellableWaiter<Void>]?

    /// Returns what the next message waits for; `nil` for nothing.
    mutating func takeGate() -> CancellableWaiter<Void>? {
      defer { gate = nil }
      guard stalled != nil else { return gate }
      let waiter = CancellableWaiter<Void>()
      stalled?.append(waiter)
      return waiter
    }
  }

  private let state = Mutex(State())

  /// The messages that were sent, and to which target.
  var sent: [(message: NotificationMessage, target: NotificationTarget)] { state.withLock(\.sent) }

  /// The titles of the reminders that were sent.
  var titles: [String] {
    sent.map { sent in
      guard case .reminder(let reminder) = sent.message.content else { return "" }
      return reminder.title
    }
  }

  /// The list names of the sent reminders.
  var lists: [String?] {
    sent.map { sent in
      guard case .reminder(let reminder) = sent.message.content else { return nil }
      return reminder.list
    }
  }

  /// Sets the outcome of later messages.
  func setOutcome(_ outcome: @escaping @Sendable (NotificationTarget) -> DeliveryOutcome) {
    state.withLock { $0.outcome = outcome }
  }

  /// Lets the next message wait until the result is resumed.
  func stall() -> CancellableWaiter<Void> {
    let gate = CancellableWaiter<Void>()
    state.withLock { $0.gate = gate }
    return gate
  }

  /// Lets all messages wait until `resumeAll`.
  func stallAll() { state.withLock { $0.stalled = [] } }

  /// Lets the messages that wait, and later ones, go on.
  func resumeAll() {
    let stalled = state.withLock { state in
      defer { state.stalled = nil }
      return state.stalled ?? []
    }
    for gate in stalled { gate.resume() }
  }

  func send(_ message: NotificationMessage, to target: NotificationTarget) async -> DeliveryOutcome {
    let (outcome, gate) = state.withLock { state in
      state.sent.append((message, target))
      return (state.outcome, state.takeGate())
    }
    do { try await gate?.value() } catch { return .failed("cancelled") }
    return outcome(target)
  }
}
