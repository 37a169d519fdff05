import CToDoSodium
package import ToDoModel

/// A message that leaves the server.
package struct NotificationMessage: Hashable, Sendable {
  /// A reminder of an item, as it was when the message was made.
  package struct Reminder: Hashable, Sendable {
    /// The item.
    package var item: ItemID
    /// The item's title.
    package var title: String
    /// The item's due date.
    package var due: DueDate?
    /// The item's priority.
    package var priority: Priority?
    /// The trigger.
    package var trigger: ToDoModel.Reminder.Trigger
    /// The time that the trigger gives.
    package var time: Timestamp
    /// Whether the message is sent a minute after its time or later.
    package var isLate: Bool
    /// The name of the item's list; `nil` for a user's default list.
    package var list: String?

    /// Creates a reminder.
    package init(
      item: ItemID, title: String, due: DueDate?, priority: Priority?, trigger: ToDoModel.Reminder.Trigger,
      time: Timestamp, isLate: Bool, list: String? = nil
    ) {
      (self.item, self.title, self.due, self.priority) = (item, title, due, priority)
      (self.trigger, self.time, self.isLate, self.list) = (trigger, time, isLate, list)
    }
  }

  /// The subject of a message.
  package enum Content: Hashable, Sendable {
    /// A reminder.
    case reminder(Reminder)
    /// A message by which a user tests a target.
    case test
  }

  /// Identifies the message. Further attempts to deliver it keep the ID.
  package let id: String
  /// The event's time.
  package let time: Timestamp
  /// The subject.
  package let content: Content

  /// Creates a message.
  package init(id: String, time: Timestamp, content: Content) {
    (self.id, self.time, self.content) = (id, time, content)
  }
}

extension NotificationMessage {
  /// The lateness from which a message says that it is late, in microseconds.
  static let lateness: Int64 = 60_000_000

  /// Creates the message of a reminder.
  ///
  /// - Parameters:
  ///   - list: the name of the item's list; `nil` for a user's default list.
  ///   - member: the user of a shared list to whom alone it is sent, and who does not own the list; `nil` for all others.
  ///   - former: the message of an earlier attempt, whose ID and time this one has.
  package init(
    _ item: ToDoItem, _ entry: ReminderSchedule.Entry, of list: String? = nil, for member: OwnerID? = nil,
    at now: Timestamp, continuing former: NotificationMessage? = nil
  ) {
    let time = former?.time ?? entry.tellTime
    let isLate = now.microseconds - time.microseconds >= Self.lateness
    let reminder = Reminder(
      item: item.id, title: item.title, due: item.due, priority: item.priority,
      trigger: item.reminders[entry.index].trigger, time: entry.time, isLate: isLate, list: list)
    let mark = DeliveryMark(entry.tellTime).microseconds
    let id = "\(item.id)-\(entry.index)-\(entry.time.microseconds)-\(mark)"
    self.init(
      id: former?.id ?? id + (member.map { "-\(Self.mark(of: $0))" } ?? ""), time: time, content: .reminder(reminder))
  }

  /// Returns what tells a user's messages apart from those of others, without the name: hexadecimal digits of its SHA-256.
  package static func mark(of user: OwnerID) -> String {
    let name = Array(user.name.utf8)
    var hash = [UInt8](repeating: 0, count: Int(crypto_hash_sha256_BYTES))
    crypto_hash_sha256(&hash, name, UInt64(name.count))
    return hash.prefix(8).map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
  }

  /// Whether an item is still the one that the message is about: it has the same title, due date and reminder.
  func describes(_ item: ToDoItem) -> Bool {
    guard case .reminder(let reminder) = content else { return false }
    return item.title == reminder.title && item.due == reminder.due
      && item.reminders.contains { $0.trigger == reminder.trigger }
  }
}
