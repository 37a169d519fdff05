import ToDoModel
import ToDoText

/// The reminders of the input form, as they would be saved.
struct FormReminders {
  private let parsed: [ParsedReminder]
  private let due: DueDate?

  /// - Parameter due: the due date that would be saved, if any.
  /// - Throws: `InvalidText` if the text is not a list of reminders.
  init(_ text: String, due: DueDate?, _ environment: ScreenEnvironment) throws {
    parsed = try ReminderParser(dates: environment.dates).parseList(text)
    self.due = due
  }

  /// The need of a reminder that the due date does not meet, such as a time; `nil` if there is none.
  var problem: String? {
    for reminder in parsed {
      switch reminder.trigger(due: due, timeZone: "") {
      case .day where due == nil: return "needs a due date"
      case .before:
        if case .time = due { continue }
        if due == nil, case .days = reminder { return "needs a due date" }
        return "needs a due time, such as tomorrow 17:00"
      default: continue
      }
    }
    return nil
  }

  /// The reminders with commas between them.
  func text(_ environment: ScreenEnvironment) -> String {
    parsed.map { reminder in
      let trigger = reminder.trigger(due: due, timeZone: environment.zoneName)
      return ReminderText.text(of: trigger, today: environment.today, in: environment.zone)
    }.joined(separator: ", ")
  }

  /// Returns the reminders, with the states of an item's that have the same triggers.
  func reminders(keepingStatesOf item: ToDoItem?, _ environment: ScreenEnvironment) -> [Reminder] {
    parsed.map { Reminder($0.trigger(due: due, timeZone: environment.zoneName)) }.keepingStates(
      of: item?.reminders ?? [])
  }
}

extension FormScreen {
  /// Returns the reminders. They count from the due date in the title, in its field or in the repetition.
  ///
  /// - Throws: `InvalidText`.
  func reminders(_ environment: ScreenEnvironment) throws -> FormReminders {
    try FormReminders(texts[.remind].text.oneLine, due: due(environment), environment)
  }

  private func due(_ environment: ScreenEnvironment) -> DueDate? {
    if let due = currentReading(environment)?.due { return due }
    let text = texts[.due].text.oneLine
    guard text.isEmpty else { return try? environment.dates.parse(text) }
    let parser = RepetitionParser(dates: environment.dates, locale: environment.locale)
    return (try? parser.parse(texts[.repetition].text.oneLine))??.due
  }
}
