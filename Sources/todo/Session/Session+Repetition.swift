import ToDoModel
import ToDoRules
import ToDoText

/// The repetition of an item, as a user typed it.
struct TypedRepetition: Equatable {
  /// The repetition that was typed, or `nil` for `none`.
  var parsed: ParsedRepetition?
  /// The name of the user's time zone.
  var timeZone = ""

  /// Returns the repetition of an item that is first due on a date, or `nil` for `none`.
  func repetition(from due: DueDate?, in zone: any TimeZoneRules) -> Repetition? {
    parsed.map { Repetition($0.rule(from: due, in: zone), timeZone: timeZone) }
  }

  /// Returns the time of day that was typed.
  func time(in zone: any TimeZoneRules) -> TimeOfDay? {
    guard case .time(let first) = parsed?.due else { return nil }
    return zone.localTime(at: first).time
  }

  /// Returns an item's due date, at the time that was typed. Without a due date, returns the first occurrence from now on.
  func due(on due: DueDate?, in zone: any TimeZoneRules) -> DueDate? {
    guard let due else { return parsed?.due }
    guard let time = time(in: zone), let date = due.date(in: zone) else { return due }
    return .time(zone.instant(at: LocalTime(date, time)))
  }

  /// Checks that a due date has no time that contradicts the one that was typed.
  ///
  /// - Parameter source: the option that has the due date, such as `'--due'`.
  /// - Throws: `Failure`.
  func check(_ due: DueDate?, of source: String, in zone: any TimeZoneRules) throws {
    guard case .time(let instant) = due, let typed = time(in: zone) else { return }
    let time = zone.localTime(at: instant).time
    guard time != typed else { return }
    throw Failure.usage("'--repeat' has the time \(typed), but \(source) has \(time); leave out one of them")
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
    return TypedRepetition(parsed: parsed, timeZone: name.name)
  }

  /// Returns the rules of a repetition's time zone, or the user's if it is the same or unknown.
  func rules(of repetition: Repetition) -> any TimeZoneRules {
    if repetition.timeZone == LocalZoneName(context.environment).name { return zone }
    return TimeZoneFiles().rules(of: repetition.timeZone) ?? zone
  }

  /// Returns a notice if lists hide an item until after it is due, or `nil`.
  func lateWait(of item: ItemContent) -> String? {
    guard let wait = item.waitUntil, wait > clock.now(), let due = item.due else { return nil }
    let day = zone.localTime(at: wait).date
    let isLate =
      switch due {
      case .time(let time): wait > time
      case .date(let date): day.map { $0 > date } ?? false
      }
    guard isLate else { return nil }
    return "It \(wait.waitText(today: context.today, in: zone)), after it is due: lists hide it until then."
  }

  /// Returns a notice if an occurrence of an item was checked before its day, or `nil`.
  func earlyCheck(before: ToDoItem, after: ToDoItem) -> String? {
    guard before.repetition != nil, before.revision != after.revision, let due = before.due,
      let day = due.date(in: zone), day > context.today
    else { return nil }
    let text = due.confirmationText(today: context.today, in: zone)
    return
      "You checked the occurrence of \(text), which is yet to come; 'todo undo\(PrintedList.option)' takes it back."
  }

  /// Returns the next occurrence of an item that was checked or skipped, such as `Water plants · next Tue 1 Dec (2 missed)`, or
  /// that it was the last one. `nil` if the item does not repeat.
  func nextText(before: ToDoItem, after: ToDoItem) -> String? {
    guard let repetition = before.repetition else { return nil }
    guard !after.isDone, let due = after.due else {
      return "\(after.title.escapingControls()) · that was the last occurrence"
    }
    // A skip leaves the count as it is.
    let passed = repetition.next(after: before.due, now: clock.now(), in: rules(of: repetition))?.missedCount ?? 0
    let missed = max(passed, (after.repetition?.missedCount ?? 0) - repetition.missedCount)
    return "\(after.title.escapingControls()) · next \(due.confirmationText(today: context.today, in: zone))"
      + (missed > 0 ? " (\(missed) missed)" : "")
  }
}
