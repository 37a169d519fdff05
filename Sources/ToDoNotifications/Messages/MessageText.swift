import ToDoModel

/// The texts of a message for readers. Times are local in the time zone of the reminder, or else in UTC.
struct MessageText {
  let title: String
  let body: String

  /// - Parameter zone: returns the rules of a time zone, or `nil` if it is unknown.
  init(_ message: NotificationMessage, zone: (String) -> (any TimeZoneRules)?) {
    guard case .reminder(let reminder) = message.content else {
      (title, body) = ("Test of todo", "Reminders will arrive here.")
      return
    }
    title = reminder.title
    var name = ""
    if case .day(let day) = reminder.trigger { name = day.timeZone }
    let rules = zone(name)
    func text(_ time: Timestamp) -> String {
      guard let rules, let date = rules.localTime(at: time).date else { return time.description }
      let clock = rules.localTime(at: time).time.description
      return "\(date.description) \(clock) \(rules.offset(at: time).name)"
    }
    var parts: [String] = []
    switch reminder.due {
    case .date(let date): parts.append("Due \(date.description)")
    case .time(let time): parts.append("Due \(text(time))")
    case nil: parts.append("Reminder")
    }
    if reminder.isLate { parts.append("late, for \(text(reminder.time))") }
    body = parts.joined(separator: " · ")
  }
}
