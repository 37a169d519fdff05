import Synchronization
package import ToDoModel
package import ToDoRules
import ToDoSupport

/// Sends the reminders that a user's positions have triggered to the user's own targets, and to nobody else's.
///
/// They were acknowledged before. A message contains the item's title, and no position. At most `limit` messages wait, in memory
/// only: a restart drops them, because a message that is late tells where the user was, not where the user is.
package final class PlaceNotifier: Sendable {
  private struct Reminder: Sendable {
    let user: OwnerID
    let message: NotificationMessage
  }

  private let targets: any NotificationTargetStore
  private let sender: any NotificationSender
  private let report: DeliveryReport
  private let clock: any Clock<Duration>
  private let queue = AsyncStream<Reminder>.makeStream(bufferingPolicy: .bufferingOldest(limit))
  private let slots = DeliverySlots(width, userLimit: 2)
  /// The number of messages to each user's targets that are being sent, or sent again.
  private let pending = Mutex<[OwnerID: Int]>([:])

  /// The maximum number of reminders that wait, and of messages that are being sent or sent again.
  static let limit = 256
  /// The maximum number of one user's messages that are being sent or sent again.
  static let userLimit = 32
  /// The maximum number of messages that are sent at the same time.
  static let width = 16

  /// Creates a notifier.
  ///
  /// - Parameter clock: the clock that measures the time until another attempt.
  package init(
    _ targets: any NotificationTargetStore, sender: any NotificationSender, report: DeliveryReport,
    clock: any Clock<Duration> = ContinuousClock()
  ) {
    (self.targets, self.sender, self.report, self.clock) = (targets, sender, report, clock)
  }

  /// Begins to send a reminder. If too many wait, it is dropped and counted.
  package func send(_ item: ToDoItem, _ event: PlaceReminder.Event, at time: Timestamp, to user: OwnerID) {
    let reminder = NotificationMessage.Reminder(
      item: item.id, title: item.title, due: item.due, priority: item.priority, trigger: event.trigger, time: time,
      isLate: false)
    let id = "\(item.id)-\(event.rawValue)-\(time.microseconds)-\(NotificationMessage.mark(of: user))"
    let message = NotificationMessage(id: id, time: time, content: .reminder(reminder))
    if case .enqueued = queue.continuation.yield(Reminder(user: user, message: message)) { return }
    report.count(.dropped)
  }

  /// Sends reminders until the task is canceled.
  package func run() async {
    await withDiscardingTaskGroup { group in
      for await reminder in queue.stream {
        guard let targets = try? await targets(of: reminder.user) else {
          report.count(.dropped)
          continue
        }
        for target in targets {
          guard begin(reminder.user) else {
            report.count(.dropped)
            continue
          }
          group.addTask {
            await self.send(reminder, to: target)
            self.end(reminder.user)
          }
        }
      }
      group.cancelAll()
    }
  }

  /// Returns the targets of a user, without addresses that are not confirmed.
  private func targets(of user: OwnerID) async throws -> [NotificationTarget] {
    try await targets.notificationTargets(of: user).filter(\.isConfirmed)
  }

  /// Counts a message, unless too many are pending.
  private func begin(_ user: OwnerID) -> Bool {
    pending.withLock { pending in
      let count = pending[user, default: 0]
      guard count < Self.userLimit, pending.values.reduce(0, +) < Self.limit else { return false }
      pending[user] = count + 1
      return true
    }
  }

  private func end(_ user: OwnerID) {
    pending.withLock { pending in
      let count = pending[user, default: 1] - 1
      pending[user] = count > 0 ? count : nil
    }
  }

  /// Sends a message, up to five times, as long as the user has the target.
  private func send(_ reminder: Reminder, to target: NotificationTarget) async {
    for failures in 1...DeliveryAttempts.limit {
      if failures > 1 {
        let targets = try? await targets(of: reminder.user)
        guard targets?.contains(target) ?? true else { return }
      }
      let outcome = try? await slots.run(for: reminder.user) { await sender.send(reminder.message, to: target) }
      guard let outcome else { return }
      report.record(outcome, of: target)
      guard case .failed = outcome else { return }
      guard failures < DeliveryAttempts.limit,
        (try? await clock.sleep(for: DeliveryRetries.delay(after: failures))) != nil
      else { break }
    }
    report.count(.dropped)
  }
}
