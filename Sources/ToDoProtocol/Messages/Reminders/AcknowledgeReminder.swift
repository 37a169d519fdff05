import CToDoProtos
import ToDoModel
import ToDoProtobuf
import ToDoRPC

extension Codec where Value == ReminderAcknowledgment {
  static var acknowledgeReminderRequest: Codec {
    Codec(todo__v1__acknowledge_reminder_request__init) { message in
      let (key, reminder) = try ReminderKey.read(request: message.reference, at: "reference")
      var violations: [FieldViolation] = []
      let snoozeTime = message.snooze_time.flatMap { Timestamp($0.pointee, at: "snooze_time", &violations) }
      guard violations.isEmpty else { throw ToDoError.invalidRequest(violations) }
      return ReminderAcknowledgment(
        key, snoozingUntil: snoozeTime, onlyIfDue: message.only_if_due != 0, confirming: reminder.snoozedUntil)
    } encode: { request, message, arena in
      let state = Reminder(request.key.trigger, snoozedUntil: request.leaseEnd)
      message.pointee.reference = request.key.message(state, in: arena)
      message.pointee.snooze_time = request.snoozeTime?.message(in: arena)
      message.pointee.only_if_due = request.onlyIfDue ? 1 : 0
    }
  }
}

extension Codec where Value == AcknowledgedReminder {
  static var acknowledgeReminderResponse: Codec {
    Codec(todo__v1__acknowledge_reminder_response__init) { message in
      AcknowledgedReminder(
        isAcknowledged: message.acknowledged != 0,
        reminder: try Reminder(response: message.reminder, at: "reminder"))
    } encode: { response, message, arena in
      message.pointee.acknowledged = response.isAcknowledged ? 1 : 0
      message.pointee.reminder = response.reminder.message(in: arena)
    }
  }
}
