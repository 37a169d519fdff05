import CToDoProtos
package import ToDoModel
import ToDoProtobuf
import ToDoRPC

/// A message of a reminder watch.
package enum ReminderMessage: Equatable, Sendable {
  case event(ReminderEvent)
  /// An event that was added in a later schema version.
  case unknown
}

/// The maximum number of lists in a watch: the user's own, and those that others share.
package let maximumRemindedLists = UserList.Limits.readable

extension Codec where Value == [ListID] {
  static var watchRemindersRequest: Codec {
    Codec(todo__v1__watch_reminders_request__init) { message in
      guard message.n_lists <= maximumRemindedLists else {
        let reason = "has \(message.n_lists) elements; at most \(maximumRemindedLists) are allowed"
        throw ToDoError.invalidRequest([FieldViolation("lists", reason)])
      }
      return try UnsafeBufferPointer(start: message.lists, count: message.n_lists).enumerated().map { index, list in
        try ListID(list, at: "lists[\(index)]")
      }
    } encode: { lists, message, arena in
      message.pointee.n_lists = lists.count
      message.pointee.lists = arena.array(lists.map { $0.bytes(in: arena) })
    }
  }
}

extension Codec where Value == ReminderMessage {
  static var watchRemindersResponse: Codec {
    Codec(todo__v1__watch_reminders_response__init) { message in
      switch message.event_case {
      case TODO__V1__WATCH_REMINDERS_RESPONSE__EVENT_DUE:
        guard let due = message.due?.pointee else { return .unknown }
        return .event(.due(try DueReminder(response: due)))
      case TODO__V1__WATCH_REMINDERS_RESPONSE__EVENT_REMOVED:
        return .event(.removed(try ReminderKey.read(message.removed, at: "removed").key))
      case TODO__V1__WATCH_REMINDERS_RESPONSE__EVENT_CAUGHT_UP:
        guard let outlook = message.caught_up?.pointee else { return .unknown }
        guard outlook.count >= 0 else {
          throw RPCError.malformedResponse("caught_up.count", "is \(outlook.count); it must not be negative")
        }
        let next = try outlook.next_time.map { try Timestamp(response: $0, at: "caught_up.next_time") }
        return .event(.caughtUp(pending: Int(outlook.count), next: next))
      default: return .unknown
      }
    } encode: { value, message, arena in
      guard case .event(let event) = value else { return }
      switch event {
      case .due(let due):
        message.pointee.event_case = TODO__V1__WATCH_REMINDERS_RESPONSE__EVENT_DUE
        message.pointee.due = due.message(in: arena)
      case .removed(let key):
        message.pointee.event_case = TODO__V1__WATCH_REMINDERS_RESPONSE__EVENT_REMOVED
        message.pointee.removed = key.message(Reminder(key.trigger), in: arena)
      case .caughtUp(let pending, let next):
        let outlook = arena.make(todo__v1__reminder_outlook__init)
        outlook.pointee.count = Int32(clamping: pending)
        outlook.pointee.next_time = next?.message(in: arena)
        message.pointee.event_case = TODO__V1__WATCH_REMINDERS_RESPONSE__EVENT_CAUGHT_UP
        message.pointee.caught_up = outlook
      @unknown default: break
      }
    }
  }
}

extension ReminderKey {
  /// Decodes the reference of a request with its reminder.
  ///
  /// - Throws: `ToDoError.invalidRequest`.
  static func read(
    request message: UnsafeMutablePointer<Todo__V1__ReminderReference>?, at path: String
  ) throws -> (key: ReminderKey, reminder: Reminder) {
    guard let message = message?.pointee else { throw ToDoError.missing(path) }
    var violations: [FieldViolation] = []
    let list = try ListID(message.list, at: "\(path).list")
    let item = try ItemID(message.item_id, at: "\(path).item_id", &violations)
    if message.reminder == nil { violations.append(FieldViolation("\(path).reminder", "must be set")) }
    let reminder = try message.reminder.flatMap { try Reminder($0.pointee, at: "\(path).reminder", &violations) }
    if message.time == nil { violations.append(FieldViolation("\(path).time", "must be set")) }
    let time = message.time.flatMap { Timestamp($0.pointee, at: "\(path).time", &violations) }
    guard let item, let reminder, let time, violations.isEmpty else { throw ToDoError.invalidRequest(violations) }
    return (ReminderKey(list: list, item: item, trigger: reminder.trigger, time: time), reminder)
  }

  /// Decodes the reference of a response with its reminder.
  ///
  /// - Throws: `RPCError.malformedResponse`.
  fileprivate static func read(
    _ message: UnsafeMutablePointer<Todo__V1__ReminderReference>?, at path: String
  ) throws -> (key: ReminderKey, reminder: Reminder) {
    guard let message = message?.pointee else { throw RPCError.malformedResponse(path, "must be set") }
    var violations: [FieldViolation] = []
    let item = try ItemID(message.item_id, at: "\(path).item_id", &violations)
    guard let item else { throw RPCError.malformedResponse(violations) }
    let reminder = try Reminder(response: message.reminder, at: "\(path).reminder")
    let key = ReminderKey(
      list: try ListID(response: message.list, at: "\(path).list"), item: item, trigger: reminder.trigger,
      time: try Timestamp(response: message.time, at: "\(path).time"))
    return (key, reminder)
  }

  func message(_ reminder: Reminder, in arena: Arena) -> UnsafeMutablePointer<Todo__V1__ReminderReference> {
    let message = arena.make(todo__v1__reminder_reference__init)
    message.pointee.list = list.bytes(in: arena)
    message.pointee.item_id = item.bytes(in: arena)
    message.pointee.reminder = reminder.message(in: arena)
    message.pointee.time = time.message(in: arena)
    return message
  }
}

extension Reminder {
  /// Decodes the reminder of a response.
  ///
  /// - Throws: `RPCError.malformedResponse`.
  init(response message: UnsafeMutablePointer<Todo__V1__Reminder>?, at path: String) throws {
    guard let message = message?.pointee else { throw RPCError.malformedResponse(path, "must be set") }
    var violations: [FieldViolation] = []
    let reminder = try Reminder(message, at: path, &violations)
    guard let reminder, violations.isEmpty else { throw RPCError.malformedResponse(violations) }
    self = reminder
  }
}

extension DueReminder {
  /// - Throws: `RPCError.malformedResponse`.
  fileprivate init(response message: Todo__V1__DueReminder) throws {
    let (key, reminder) = try ReminderKey.read(message.reference, at: "due.reference")
    guard message.number >= 0 else { throw RPCError.malformedResponse("due.number", "must be at least 0") }
    self.init(
      key: key, number: ItemNumber(message.number), title: try message.title.text("due.title"),
      acknowledged: reminder.acknowledged, snoozedUntil: reminder.snoozedUntil,
      tellTime: try Timestamp(response: message.tell_time, at: "due.tell_time"))
  }

  fileprivate func message(in arena: Arena) -> UnsafeMutablePointer<Todo__V1__DueReminder> {
    let message = arena.make(todo__v1__due_reminder__init)
    let state = Reminder(key.trigger, acknowledged: acknowledged, snoozedUntil: snoozedUntil)
    message.pointee.reference = key.message(state, in: arena)
    message.pointee.number = number.value
    message.pointee.title = arena.bytes(title)
    message.pointee.tell_time = tellTime.message(in: arena)
    message.pointee.kind =
      isSnoozed
      ? TODO__V1__REMINDER_KIND__REMINDER_KIND_SNOOZE : TODO__V1__REMINDER_KIND__REMINDER_KIND_TIME
    return message
  }
}
