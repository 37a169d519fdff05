package import ToDoModel

extension ItemContent {
  /// Returns the set fields other than the title and the note, as facts beside a title, such as `tomorrow, Fri 1 May, 17:00` and
  /// `at Corner shop`.
  package func facts(today: CalendarDate, in zone: any TimeZoneRules) -> [String] {
    let due = due.map { [$0.confirmationText(today: today, in: zone)] } ?? []
    let place = location.map { ["at \($0.label.escapingControls())"] } ?? []
    let wait = waitUntil.map { [$0.waitText(today: today, in: zone)] } ?? []
    let repetition = repetition.map { [$0.rule.words(in: zone)] } ?? []
    let reminders = ReminderText.facts(reminders, today: today, in: zone)
    return due + repetition + wait + reminders + place + TagText.facts(tags, priority) + StepText.facts(steps)
  }
}
