package import CoreMetrics
package import Logging
import Synchronization
package import ToDoModel
import ToDoRules

/// Counts deliveries, and logs failures: of each target, at most one an hour. Holds the last failure of each target, unless a later
/// message was delivered.
package final class DeliveryReport: NotificationFailures, Sendable {
  private let logger: Logger
  private let clock: any WallClock
  private let counters: [Result: Counter]
  /// The time of the last line about each target and each user's lists.
  private let lines = Mutex<[Subject: Timestamp]>([:])

  private let failures = Mutex<[NotificationTargetID: NotificationFailure]>([:])

  private enum Subject: Hashable {
    case target(NotificationTargetID)
    case list(OwnerID)
  }

  /// The result of an attempt, as the metric's label.
  package enum Result: String, CaseIterable, Sendable {
    /// The target took the message.
    case delivered
    /// Another attempt follows, unless another target took the message.
    case failed
    /// No other attempt can succeed.
    case refused
    /// The attempts ended without success.
    case dropped
  }

  /// Creates a report.
  ///
  /// - Parameter metrics: the backend of `todo_notifications`; `nil` for none.
  package init(logger: Logger, metrics: (any MetricsFactory)?, clock: any WallClock = SystemWallClock()) {
    self.logger = logger
    self.clock = clock
    guard let metrics else {
      counters = [:]
      return
    }
    let pairs = Result.allCases.map { result in
      (result, Counter(label: "todo_notifications", dimensions: [("result", result.rawValue)], factory: metrics))
    }
    counters = Dictionary(uniqueKeysWithValues: pairs)
  }

  /// Counts an outcome.
  func count(_ result: Result) { counters[result]?.increment() }

  package func lastFailure(of target: NotificationTargetID) -> NotificationFailure? { failures.withLock { $0[target] } }

  /// Counts the outcome of an attempt, and logs a failure.
  func record(_ outcome: DeliveryOutcome, of target: NotificationTarget) {
    switch outcome {
    case .delivered:
      count(.delivered)
      failures.withLock { _ = $0.removeValue(forKey: target.id) }
      lines.withLock { _ = $0.removeValue(forKey: .target(target.id)) }
    case .failed(let reason):
      count(.failed)
      log(target, reason, "the server tries again")
    case .refused(let reason):
      count(.refused)
      log(target, reason, "the reminder is not sent there again")
    }
  }

  /// Logs why the reminders in a user's list cannot be claimed. If that is a limit, it is the last failure of the user's targets, so that
  /// the user sees it.
  func record(_ error: any Error, in list: OwnerID, for targets: [NotificationTarget] = []) {
    count(.failed)
    if let error = error as? ToDoError, error.isOfLimit {
      for target in targets { setFailure("a reminder waits, because it can't be marked as sent: \(error)", of: target) }
    }
    guard isDue(.list(list)) else { return }
    logger.warning(
      "no reminder was sent for a list of \(list.name): \(error); the server tries again, and this is logged once an hour"
    )
  }

  private func log(_ target: NotificationTarget, _ reason: String, _ consequence: String) {
    setFailure(reason, of: target)
    guard isDue(.target(target.id)) else { return }
    logger.warning(
      "a reminder was not delivered to \(target) (\(target.id)): \(reason); \(consequence), and this target's failures are logged once an hour"
    )
  }

  private func setFailure(_ reason: String, of target: NotificationTarget) {
    let line = reason.escapingControls().truncated(toUTF8Count: Self.reasonLength)
    let failure = NotificationFailure(time: clock.now(), reason: line)
    failures.withLock { failures in
      if failures.count >= Self.limit, failures[target.id] == nil { failures = [:] }
      failures[target.id] = failure
    }
  }

  /// Whether the last line about a subject was an hour ago.
  private func isDue(_ subject: Subject) -> Bool {
    let now = clock.now()
    return lines.withLock { lines in
      if let last = lines[subject], now.microseconds - last.microseconds < Self.interval { return false }
      if lines.count >= Self.limit {
        lines = lines.filter { now.microseconds - $0.value.microseconds < Self.interval }
        // So many fail that their lines say nothing further.
        guard lines.count < Self.limit else { return false }
      }
      lines[subject] = now
      return true
    }
  }

  private static let interval: Int64 = 3_600_000_000
  /// The maximum length of a last failure's reason, in bytes.
  private static let reasonLength = 200
  /// The maximum number of last lines, and of last failures.
  private static let limit = 10_000
}

extension ToDoError {
  /// Whether a user's limit has refused a change.
  fileprivate var isOfLimit: Bool {
    switch self {
    case .quotaExceeded, .writeRateExceeded, .invalidRequest: true
    default: false
    }
  }
}
