import ToDoModel
import ToDoProtocol

/// A watch of reminders that reconnects. Each attempt begins with all reminders that are due.
final class ReminderStream {
  private let attempts: WatchAttempts<ReminderMessage>
  /// The reminders that are due for the consumer.
  private var due: [ReminderKey: DueReminder] = [:]
  /// The reminders that this attempt has sent; `nil` once it has sent all that are due.
  private var sent: Set<ReminderKey>? = []
  /// Events that the consumer has not taken yet, the last one first.
  private var pending: [ReminderEvent] = []
  /// Whether the consumer knows what is due.
  private var hasCaughtUp = false

  /// Creates a watch that begins when `next` is first called.
  init(_ attempts: WatchAttempts<ReminderMessage>) { self.attempts = attempts }

  /// Returns the next event that changes what the consumer knows, or `nil` after the end.
  ///
  /// - Throws: `ToDoError`, `RPCError`, `CancellationError`. An error ends the watch.
  func next() async throws -> ReminderEvent? {
    while true {
      if let event = pending.popLast() { return event }
      guard let (message, isFirst) = try await attempts.next(hasBegun: hasCaughtUp) else { return nil }
      if isFirst { sent = [] }
      if case .event(let event) = message { apply(event) }
    }
  }

  private func apply(_ event: ReminderEvent) {
    switch event {
    case .due(let reminder):
      sent?.insert(reminder.key)
      guard due.updateValue(reminder, forKey: reminder.key) != reminder else { return }
    case .removed(let key):
      sent?.remove(key)
      guard due.removeValue(forKey: key) != nil else { return }
    case .caughtUp:
      // Reminders that were due before the interruption, and no longer are.
      let ended = due.keys.filter { !(sent?.contains($0) ?? true) }
      for key in ended { due[key] = nil }
      (sent, pending) = (nil, ended.map(ReminderEvent.removed))
      guard !hasCaughtUp else { return }
      hasCaughtUp = true
    @unknown default: break
    }
    pending.insert(event, at: 0)
  }
}
