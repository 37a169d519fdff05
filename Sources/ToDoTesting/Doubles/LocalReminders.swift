package import ToDoModel
package import ToDoRules

/// The reminders of a user in the process, as a client has them.
package struct LocalReminders: ReminderService {
  private let reminders: UserReminders

  /// Creates a service of a user's reminders.
  package init(_ reminders: UserReminders) { self.reminders = reminders }

  package func watchReminders(in lists: [ListID]) -> ReminderEvents {
    ReminderEvents { [reminders] in
      let (stream, continuation) = AsyncThrowingStream.makeStream(of: ReminderEvent.self)
      let task = Task {
        do {
          try await reminders.watch(in: lists) { continuation.yield($0) }
          continuation.finish()
        } catch { continuation.finish(throwing: error) }
      }
      continuation.onTermination = { _ in task.cancel() }
      var iterator = stream.makeAsyncIterator()
      return { try await iterator.next() }
    }
  }

  package func acknowledgeReminder(_ acknowledgment: ReminderAcknowledgment) async throws -> AcknowledgedReminder {
    try await reminders.acknowledge(acknowledgment)
  }
}
