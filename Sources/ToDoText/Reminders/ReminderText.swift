package import ToDoModel

/// Reminders as people read them. `ReminderParser` reads the text of a trigger as the same trigger.
package enum ReminderText {
  /// Returns a trigger such as `1h before`, `day before 18:00` or `on arriving`.
  package static func text(
    of trigger: Reminder.Trigger, today: CalendarDate, in zone: any TimeZoneRules
  ) -> String {
    switch trigger {
    case .time(let time): DueDate.time(time).shortText(today: today, in: zone)
    case .before(0): "when due"
    case .before(let seconds): duration(seconds) + " before"
    case .day(let day):
      switch day.daysBefore {
      case 0: "same day \(TimeOfDay(hour: 0, minute: day.minuteOfDay))"
      case 1: "day before \(TimeOfDay(hour: 0, minute: day.minuteOfDay))"
      default: "\(day.daysBefore) days before \(TimeOfDay(hour: 0, minute: day.minuteOfDay))"
      }
    case .arriving: "on arriving"
    case .leaving: "on leaving"
    }
  }

  /// Returns all triggers as a fact beside a title, such as `reminds 1h before, day before 18:00`, or nothing if there are none.
  package static func facts(
    _ reminders: [Reminder], today: CalendarDate, in zone: any TimeZoneRules
  ) -> [String] {
    guard !reminders.isEmpty else { return [] }
    return ["reminds " + reminders.map { text(of: $0.trigger, today: today, in: zone) }.joined(separator: ", ")]
  }

  /// Returns the triggers with commas between them, and times that mean the same on any day. `ReminderParser.parseList` reads them.
  static func list(_ reminders: [Reminder], in zone: any TimeZoneRules) -> String {
    reminders.map { reminder in
      if case .time(let time) = reminder.trigger { return DueDate.time(time).absoluteText(in: zone) }
      return text(of: reminder.trigger, today: .epoch, in: zone)
    }.joined(separator: ", ")
  }

  /// Returns a trigger with its state, such as `1h before (snoozed until today 15:00)`.
  package static func details(
    of reminder: Reminder, today: CalendarDate, in zone: any TimeZoneRules
  ) -> String {
    let text = text(of: reminder.trigger, today: today, in: zone)
    if let time = reminder.snoozedUntil {
      return text + " (snoozed until \(DueDate.time(time).shortText(today: today, in: zone)))"
    }
    guard let time = reminder.acknowledged else { return text }
    return text + " (told: \(DueDate.time(time).shortText(today: today, in: zone)))"
  }

  /// Returns the reminders in a text of the history, such as `PT1H; P1D 18:00`, with their states. A reminder that an excerpt cuts,
  /// or that has an unknown form, stays as it is.
  static func summary(_ text: String, today: CalendarDate, in zone: any TimeZoneRules) -> String {
    text.split(separator: ";").map { part in
      let part = part.drop(while: \.isWhitespace)
      guard !part.hasPrefix("…"), !part.hasSuffix("…"), let reminder = reminder(part) else { return String(part) }
      return details(of: reminder, today: today, in: zone)
    }.joined(separator: ", ")
  }

  /// Parses a reminder of the history.
  private static func reminder(_ text: Substring) -> Reminder? {
    let (rest, snoozed) = splitTime(text, after: " snoozed to ")
    let (trigger, acknowledged) = splitTime(rest, after: " acknowledged ")
    return Reminder.Trigger(String(trigger)).map {
      Reminder($0, acknowledged: acknowledged, snoozedUntil: snoozed)
    }
  }

  /// Returns the text before a mark, and the time after it. A text without both is returned as a whole.
  private static func splitTime(_ text: Substring, after mark: String) -> (rest: Substring, time: Timestamp?) {
    guard let range = text.firstRange(of: mark), let time = Timestamp(String(text[range.upperBound...])) else {
      return (text, nil)
    }
    return (text[..<range.lowerBound], time)
  }

  private static func duration(_ seconds: Int) -> String {
    let units = [(seconds / 86_400, "d"), (seconds / 3600 % 24, "h"), (seconds / 60 % 60, "min"), (seconds % 60, "s")]
    return units.filter { $0.0 > 0 }.map { "\($0)\($1)" }.joined(separator: " ")
  }
}
