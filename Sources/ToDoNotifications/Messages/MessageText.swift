import ToDoModel

/// A message's texts for readers. Times are local in the reminder's time zone; without one, they are in UTC, and the text also says
/// how long it is until then.
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
    case .time(let time) where name.isEmpty && !reminder.isLate:
      parts.append("Due \(Self.distance(from: reminder.time, to: time)) (\(text(time)))")
    case .time(let time): parts.append("Due \(text(time))")
    case nil:
      switch reminder.trigger {
      case .arriving: parts.append("On arriving")
      case .leaving: parts.append("On leaving")
      default: parts.append("Reminder")
      }
    }
    if reminder.isLate { parts.append("late, for \(text(reminder.time))") }
    if let list = reminder.list { parts.append(list) }
    body = parts.joined(separator: " · ")
  }

  /// Returns `in 1 h 30 min`, `2 days ago` or `now`: the two largest units, in whole minutes.
  private static func distance(from start: Timestamp, to end: Timestamp) -> String {
    let minutes = (end.microseconds - start.microseconds) / 60_000_000
    let (size, days) = (minutes.magnitude, minutes.magnitude / 1_440)
    let parts = [(days, days == 1 ? "day" : "days"), (size / 60 % 24, "h"), (size % 60, "min")]
    let text = parts.filter { $0.0 > 0 }.prefix(2).map { "\($0.0) \($0.1)" }.joined(separator: " ")
    if text.isEmpty { return "now" }
    return minutes > 0 ? "in \(text)" : "\(text) ago"
  }
}
