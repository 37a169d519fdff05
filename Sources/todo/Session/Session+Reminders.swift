import ToDoModel
import ToDoRules
import ToDoText

/// The reminders of an item, as a user typed them.
struct TypedReminders: Equatable {
  /// The reminders that were typed; empty for `none`.
  var parsed: [ParsedReminder] = []
  /// The name of the user's time zone.
  var timeZone = ""

  /// Returns an item's reminders.
  ///
  /// - Parameters:
  ///   - due: the due date of the item.
  ///   - old: the item's former reminders; reminders with the same triggers keep their states.
  func reminders(due: DueDate?, keepingStatesOf old: [Reminder] = []) -> [Reminder] {
    parsed.map { Reminder($0.trigger(due: due, timeZone: timeZone)) }.keepingStates(of: old)
  }
}

extension Session {
  /// Parses the values of `--remind`. Prints a notice if the user's time zone has no name.
  ///
  /// - Throws: `Failure`.
  func reminders(_ values: [UserText]) throws -> TypedReminders {
    guard !values.isEmpty else { return TypedReminders() }
    let isNone = values.contains { $0.text.lowercased() == "none" }
    guard !isNone || values.count == 1 else { throw Failure.usage("'--remind none' excludes other reminders") }
    if isNone { return TypedReminders() }
    let parser = ReminderParser(dates: dueDateParser)
    let parsed = try Failure.naming("--remind") { try parser.parse(values.map(\.text)) }
    let name = LocalZoneName(context.environment)
    name.notice.map(printNotice)
    return TypedReminders(parsed: parsed, timeZone: name.name)
  }

  /// The schedule of reminders. The user's time zone stands in for an unknown one, but not for a zone that is named in its
  /// place: other clients would compute other times.
  var reminderSchedule: ReminderSchedule {
    let (local, files) = (LocalZoneName(context.environment), TimeZoneFiles())
    let isNamed = local.notice == nil
    return ReminderSchedule { [zone] name in isNamed && name == local.name ? zone : files.rules(of: name) ?? zone }
  }

  /// Returns notices about the wait and the reminders of an item that was saved.
  func notices(of item: ItemContent) -> [String] {
    [lateWait(of: item), pastReminder(of: item), placeReminder(of: item)].compactMap(\.self)
  }

  /// Returns a notice if a reminder's time has passed, or `nil`.
  private func pastReminder(of item: ItemContent) -> String? {
    guard item.hasMarks, !item.reminders.isEmpty else { return nil }
    let (schedule, now) = (reminderSchedule, clock.now())
    let past = item.reminders.first { reminder in
      guard let time = schedule.time(of: reminder, due: item.due), time != reminder.acknowledged else { return false }
      return time <= now
    }
    return past.map {
      let text = ReminderText.text(of: $0.trigger, today: context.today, in: zone)
      let isWaiting = item.waitUntil.map { $0 > now } ?? false
      let moment = isWaiting ? "when the wait ends" : "at once"
      return "The time of the reminder '\(text)' has passed: 'todo remind\(PrintedList.option)' tells you \(moment)."
    }
  }

  /// Returns a notice on what a reminder at the item's place needs, or `nil`.
  private func placeReminder(of item: ItemContent) -> String? {
    guard item.reminders.contains(where: { [.arriving, .leaving].contains($0.trigger) }) else { return nil }
    if item.location?.coordinate != nil {
      return "You are reminded at the place when 'todo here' or a phone says where you are."
    }
    guard item.location?.address == nil, let name = item.location?.name else {
      return "The place has no coordinate yet, and reminds of nothing until it has one."
    }
    return
      "\(name.escapingControls()) has no coordinate, so you are reminded wherever other items of the list give it one; "
      + "'--at' or '--address' sets it."
  }
}
