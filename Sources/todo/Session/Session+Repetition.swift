import ToDoModel
import ToDoRules
import ToDoText

/// How an item is to repeat, as a user typed it.
struct TypedRepetition: Equatable {
  /// The repetition, or `nil` for `none`.
  var repetition: Repetition?
  /// The first occurrence from now on, for an item without a due date.
  var due: DueDate?

  /// Returns the due date of an item that had another one: at the time that the user typed, if it had none.
  func due(completing due: DueDate?, in zone: any TimeZoneRules) -> DueDate? {
    guard let due else { return self.due }
    guard case .date(let date) = due, case .time(let first) = self.due else { return due }
    return .time(zone.instant(at: LocalTime(date, zone.localTime(at: first).time)))
  }
}

extension Session {
  /// Parses the value of `--repeat`. Prints a notice if the user's time zone has no name.
  ///
  /// - Throws: `Failure`.
  func repetition(_ text: String) throws -> TypedRepetition {
    let locale = ItemSentenceReader.locale(context.environment) ?? ""
    let parsed = try Failure.naming("--repeat") {
      try RepetitionParser(dates: dueDateParser, locale: locale).parse(text)
    }
    guard let parsed else { return TypedRepetition() }
    let name = LocalZoneName(context.environment)
    name.notice.map(printNotice)
    return TypedRepetition(repetition: Repetition(parsed.rule, timeZone: name.name), due: parsed.due)
  }

  /// Returns the rules of a repetition's time zone, or those of the user's if it is the same or unknown.
  func rules(of repetition: Repetition) -> any TimeZoneRules {
    if repetition.timeZone == LocalZoneName(context.environment).name { return zone }
    return TimeZoneFiles().rules(of: repetition.timeZone) ?? zone
  }

  /// Returns the next occurrence of an item that was checked or skipped, such as `Water plants · next Tue 1 Dec (2 missed)`, or
  /// `nil` if it has none.
  func nextText(before: ToDoItem, after: ToDoItem) -> String? {
    guard let repetition = before.repetition, !after.isDone, let due = after.due else { return nil }
    // A skip leaves the count as it is.
    let passed = repetition.next(after: before.due, now: clock.now(), in: rules(of: repetition))?.missedCount ?? 0
    let missed = max(passed, (after.repetition?.missedCount ?? 0) - repetition.missedCount)
    return "\(after.title.escapingControls()) · next \(due.confirmationText(today: context.today, in: zone))"
      + (missed > 0 ? " (\(missed) missed)" : "")
  }
}
