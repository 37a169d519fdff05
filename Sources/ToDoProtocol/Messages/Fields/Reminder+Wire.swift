import CToDoProtos
import ToDoModel
import ToDoProtobuf

extension [Reminder] {
  /// Decodes the reminders of an item, unless there are too many.
  ///
  /// - Throws: `RPCError` with the field's name if a text is not UTF-8.
  init(_ item: Todo__V1__Item, at path: @autoclosure () -> String, _ violations: inout [FieldViolation]) throws {
    self.init()
    let limit = ItemContent.Limits.reminders
    guard item.n_reminders <= limit else {
      violations.append(FieldViolation(path(), "has \(item.n_reminders) elements; at most \(limit) are allowed"))
      return
    }
    for (index, message) in UnsafeBufferPointer(start: item.reminders, count: item.n_reminders).enumerated() {
      guard let message = message?.pointee,
        let reminder = try Reminder(message, at: "\(path())[\(index)]", &violations)
      else { continue }
      append(reminder)
    }
  }

  func message(in arena: Arena) -> (UnsafeMutablePointer<UnsafeMutablePointer<Todo__V1__Reminder>?>?, Int) {
    isEmpty ? (nil, 0) : (arena.array(map { Optional($0.message(in: arena)) }), count)
  }
}

extension Reminder {
  /// Decodes a reminder, or returns `nil` after adding a violation.
  init?(
    _ message: Todo__V1__Reminder, at path: @autoclosure () -> String, _ violations: inout [FieldViolation]
  ) throws {
    guard let trigger = try Trigger(message, at: path(), &violations) else { return nil }
    self.init(
      trigger,
      acknowledged: message.acknowledged_time.flatMap {
        Timestamp($0.pointee, at: "\(path()).acknowledged_time", &violations)
      },
      snoozedUntil: message.snooze_time.flatMap { Timestamp($0.pointee, at: "\(path()).snooze_time", &violations) })
  }

  func message(in arena: Arena) -> UnsafeMutablePointer<Todo__V1__Reminder> {
    let message = arena.make(todo__v1__reminder__init)
    switch trigger {
    case .time(let time):
      message.pointee.trigger_case = TODO__V1__REMINDER__TRIGGER_TIME
      message.pointee.time = time.message(in: arena)
    case .before(let seconds):
      message.pointee.trigger_case = TODO__V1__REMINDER__TRIGGER_SECONDS_BEFORE
      message.pointee.seconds_before = Int64(seconds)
    case .day(let day):
      message.pointee.trigger_case = TODO__V1__REMINDER__TRIGGER_DAY
      message.pointee.day = day.message(in: arena)
    case .arriving: message.pointee.set(TODO__V1__PLACE_TRIGGER__PLACE_TRIGGER_ARRIVING)
    case .leaving: message.pointee.set(TODO__V1__PLACE_TRIGGER__PLACE_TRIGGER_LEAVING)
    }
    message.pointee.acknowledged_time = acknowledged?.message(in: arena)
    message.pointee.snooze_time = snoozedUntil?.message(in: arena)
    return message
  }
}

extension Todo__V1__Reminder {
  fileprivate mutating func set(_ event: Todo__V1__PlaceTrigger) {
    trigger_case = TODO__V1__REMINDER__TRIGGER_PLACE
    place = event
  }
}

extension Reminder.Trigger {
  fileprivate init?(
    _ message: Todo__V1__Reminder, at path: @autoclosure () -> String, _ violations: inout [FieldViolation]
  ) throws {
    switch message.trigger_case {
    case TODO__V1__REMINDER__TRIGGER_TIME:
      guard let time = message.time.flatMap({ Timestamp($0.pointee, at: "\(path()).time", &violations) }) else {
        return nil
      }
      self = .time(time)
    case TODO__V1__REMINDER__TRIGGER_SECONDS_BEFORE: self = .before(seconds: Int(message.seconds_before))
    case TODO__V1__REMINDER__TRIGGER_DAY:
      guard let day = message.day?.pointee else { return nil }
      self = .day(
        Reminder.DayTrigger(
          daysBefore: Int(day.days_before), minuteOfDay: Int(day.minute_of_day),
          timeZone: try day.time_zone.text("\(path()).day.time_zone")))
    case TODO__V1__REMINDER__TRIGGER_PLACE:
      switch message.place {
      case TODO__V1__PLACE_TRIGGER__PLACE_TRIGGER_ARRIVING: self = .arriving
      case TODO__V1__PLACE_TRIGGER__PLACE_TRIGGER_LEAVING: self = .leaving
      default:
        violations.append(FieldViolation("\(path()).place", "must be set to a known event"))
        return nil
      }
    default:
      violations.append(FieldViolation(path(), "must have a time, seconds_before, a day or a place"))
      return nil
    }
  }
}

extension Reminder.DayTrigger {
  fileprivate func message(in arena: Arena) -> UnsafeMutablePointer<Todo__V1__DayTrigger> {
    let message = arena.make(todo__v1__day_trigger__init)
    message.pointee.days_before = Int32(clamping: daysBefore)
    message.pointee.minute_of_day = Int32(clamping: minuteOfDay)
    message.pointee.time_zone = arena.bytes(timeZone)
    return message
  }
}
