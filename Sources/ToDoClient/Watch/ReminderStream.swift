import ToDoModel
import ToDoProtocol
import ToDoRPC

/// A watch of reminders that reconnects: attempts, one after another, each of which begins with all reminders that are due.
final class ReminderStream {
  private let retryLimit: Int
  private let backoff: Backoff
  private let timing: ClientTiming
  private let makeAttempt: () async throws -> () async throws -> ReminderMessage
  /// Returns the next message of the current attempt.
  private var attempt: (() async throws -> ReminderMessage)?
  /// The reminders that are due for the consumer.
  private var due: [ReminderKey: DueReminder] = [:]
  /// The reminders that this attempt has sent; `nil` once it has sent all that are due.
  private var sent: Set<ReminderKey>? = []
  /// Events that the consumer has not taken yet, the last one first.
  private var pending: [ReminderEvent] = []
  /// Whether the consumer knows what is due.
  private var hasCaughtUp = false
  /// The number of consecutive failures without any event.
  private var failures = 0
  private var hasEnded = false

  /// Creates a watch that begins with the first call of `next`.
  ///
  /// - Parameters:
  ///   - retryLimit: The maximum number of retries before the first set of due reminders is complete.
  ///   - makeAttempt: Starts an attempt, and returns the function that returns its messages.
  init(
    retryLimit: Int, backoff: Backoff, timing: ClientTiming,
    makeAttempt: @escaping () async throws -> () async throws -> ReminderMessage
  ) {
    self.retryLimit = retryLimit
    self.backoff = backoff
    self.timing = timing
    self.makeAttempt = makeAttempt
  }

  /// Returns the next event that changes what the consumer knows, or `nil` after the end.
  ///
  /// - Throws: `ToDoError`, `RPCError`, `CancellationError`. An error ends the watch.
  func next() async throws -> ReminderEvent? {
    while !hasEnded {
      if let event = pending.popLast() { return event }
      do {
        let message = try await nextMessage()
        failures = 0
        if case .event(let event) = message { apply(event) }
      } catch {
        attempt = nil
        do { try await recover(from: error) } catch {
          hasEnded = true
          throw error
        }
      }
    }
    return nil
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
      // What was due before the interruption, and no longer is.
      let ended = due.keys.filter { !(sent?.contains($0) ?? true) }
      for key in ended { due[key] = nil }
      (sent, pending) = (nil, ended.map(ReminderEvent.removed))
      guard !hasCaughtUp else { return }
      hasCaughtUp = true
    @unknown default: break
    }
    pending.insert(event, at: 0)
  }

  private func nextMessage() async throws -> ReminderMessage {
    if let attempt { return try await attempt() }
    let attempt = try await makeAttempt()
    self.attempt = attempt
    sent = []
    return try await attempt()
  }

  /// Waits until the next attempt is due, or throws the error that ends the watch.
  private func recover(from error: any Error) async throws {
    try Task.checkCancellation()
    let rejection = (error as? ToDoError) ?? (error as? RPCError).flatMap(ToDoError.init)
    let isUnavailable =
      switch rejection {
      case .storeUnavailable: true
      case nil: (error as? RPCError)?.code == .unavailable
      default: false
      }
    failures += 1
    guard isUnavailable, hasCaughtUp || failures <= retryLimit else { throw rejection ?? error }
    try await timing.sleep(for: backoff.delay(afterFailures: failures, jitter: timing.jitter()))
  }
}
