package import ToDoModel

/// A reminder as a user typed it, which can depend on the due date.
package enum ParsedReminder: Equatable, Sendable {
  /// A trigger that does not depend on the due date.
  case trigger(Reminder.Trigger)
  /// Seconds before the due time.
  case before(seconds: Int)
  /// Whole days before the due date: at the due time, or at `ReminderParser.minuteOfDays` before a due day.
  case days(Int)
  /// A time of day on the due day or before it.
  case day(daysBefore: Int, minuteOfDay: Int)

  /// Returns the trigger for an item.
  ///
  /// - Parameter timeZone: the name of the user's time zone.
  package func trigger(due: DueDate?, timeZone: String) -> Reminder.Trigger {
    switch self {
    case .trigger(let trigger): return trigger
    case .before(let seconds): return .before(seconds: seconds)
    case .days(let days):
      if case .date = due {
        return .day(
          .init(daysBefore: days, minuteOfDay: ReminderParser.minuteOfDays, timeZone: timeZone))
      }
      return .before(seconds: days * 86_400)
    case .day(let days, let minute):
      return .day(.init(daysBefore: days, minuteOfDay: minute, timeZone: timeZone))
    }
  }

  /// Whether the trigger has a local time of day.
  package func isLocal(due: DueDate?) -> Bool {
    if case .day = trigger(due: due, timeZone: "") { true } else { false }
  }
}

/// Parses the values of `--remind`, in English or German.
///
/// | form | meaning |
/// | --- | --- |
/// | `1h`, `1h 30min before`, `due` | before the due time, or at it |
/// | `2d`, `1 week before` | before the due time; at 9:00 that many days before a due day |
/// | `day before 18:00`, `2 days before at 9:00`, `same day 8:00` | a time on a day before the due date, or on its day |
/// | `arriving`, `leaving` | at the item's place |
/// | `in 2h`, `tomorrow 17:00`, `fri` | a time; 9:00 of a day |
package struct ReminderParser {
  /// The time of reminders for a day without a time, in minutes: 9:00.
  package static let minuteOfDays = 9 * 60

  /// The accepted forms, one per line.
  package static let acceptedForms = """
      1h, 1h 30min, due             before the due time, or at it
      2d, 1 week                    before the due time; at 9:00 before a due day
      day before 18:00              a time on the day before the due date
      same day 8:00                 a time on the due day
      arriving, leaving             at the place: see 'todo here --help'
      in 2h, tomorrow 17:00         a time; 9:00 of a day
    """

  private let dates: DueDateParser

  /// - Parameter dates: parses times that don't depend on the due date.
  package init(dates: DueDateParser) { self.dates = dates }

  /// Parses a reminder.
  ///
  /// - Throws: `InvalidText`.
  package func parse(_ text: String) throws -> ParsedReminder {
    let words = Self.words(text)
    switch words {
    case ["arriving"], ["on", "arriving"], ["ankommen"], ["beim", "ankommen"]: return .trigger(.arriving)
    case ["leaving"], ["on", "leaving"], ["verlassen"], ["beim", "verlassen"]: return .trigger(.leaving)
    case ["due"], ["when", "due"], ["fällig"], ["wenn", "fällig"]: return .before(seconds: 0)
    default: break
    }
    if let reminder = day(words) ?? Self.duration(words) { return try checked(reminder, text) }
    // A duration counts back from the due time, unless 'in' precedes it.
    if let time = timeFromNow(words) { return .trigger(.time(time)) }
    guard !dates.beginsWithDuration(text), let due = try? dates.parse(text) else { throw Self.error(text) }
    switch due {
    case .time(let time): return .trigger(.time(time))
    case .date(let date):
      let local = LocalTime(date, TimeOfDay(hour: 0, minute: Self.minuteOfDays))
      return .trigger(.time(dates.zone.instant(at: local)))
    }
  }

  /// Parses reminders with commas between them.
  ///
  /// - Throws: `InvalidText`.
  package func parseList(_ text: String) throws -> [ParsedReminder] {
    try parse(text.split(separator: ",").map { String($0).trimmed }.filter { !$0.isEmpty })
  }

  /// Parses reminders, and omits those that are the same as an earlier one.
  ///
  /// - Throws: `InvalidText`.
  package func parse(_ texts: [String]) throws -> [ParsedReminder] {
    try texts.reduce(into: []) { parsed, text in
      let reminder = try parse(text)
      if !parsed.contains(reminder) { parsed.append(reminder) }
    }
  }

  private func checked(_ reminder: ParsedReminder, _ text: String) throws -> ParsedReminder {
    let isAllowed =
      switch reminder {
      case .before(let seconds): seconds <= Reminder.Limits.seconds
      case .days(let days), .day(let days, _): days <= Reminder.Limits.days
      case .trigger: true
      }
    guard isAllowed else {
      throw InvalidText(
        reason: "INVALID_REMINDER",
        description: "'\(text.escapingControls())' is too early; at most \(Reminder.Limits.days) days are allowed")
    }
    return reminder
  }

  private static func error(_ text: String) -> InvalidText {
    InvalidText(
      reason: "INVALID_REMINDER",
      description: "'\(text.escapingControls())' is not a reminder; write one such as 1h, 'day before 18:00' or 'in 2h'"
    )
  }

  /// Returns the words in lower case, with numbers apart from the letters after them.
  private static func words(_ text: String) -> [String] {
    text.lowercased().split(whereSeparator: \.isWhitespace).flatMap { word -> [String] in
      var (parts, isNumber) = ([String](), false)
      // A time of day such as 18:00 or 6pm stays whole.
      guard !word.contains(":"), !word.hasSuffix("am"), !word.hasSuffix("pm") else { return [String(word)] }
      for character in word {
        let isDigit = character.isASCII && character.isNumber
        if parts.isEmpty || isDigit != isNumber { parts.append("") }
        parts[parts.count - 1].append(character)
        isNumber = isDigit
      }
      return parts
    }
  }

  /// Parses days before the due date with a time of day.
  private func day(_ words: [String]) -> ParsedReminder? {
    var rest = words[...]
    for article in ["on", "am", "the"] where rest.first == article { rest = rest.dropFirst() }
    let isDay = rest.dropFirst().first.map { ["day", "tag"].contains($0) } == true
    let days: Int
    if let word = rest.first, ["same", "that", "due", "selben"].contains(word), isDay {
      (days, rest) = (0, rest.dropFirst(2))
    } else if let word = rest.first, ["day", "tag"].contains(word), rest.dropFirst().first.map(Self.isBefore) == true {
      (days, rest) = (1, rest.dropFirst(2))
    } else if let count = rest.first.flatMap(Self.number), let unit = rest.dropFirst().first.flatMap(Self.days),
      rest.dropFirst(2).first.map(Self.isBefore) == true, rest.count > 3
    {
      guard count <= Reminder.Limits.days else { return .days(count) }
      (days, rest) = (count * unit, rest.dropFirst(3))
    } else {
      return nil
    }
    if let word = rest.first, ["at", "um"].contains(word) { rest = rest.dropFirst() }
    guard !rest.isEmpty else { return .day(daysBefore: days, minuteOfDay: Self.minuteOfDays) }
    return time(rest.joined(separator: " ")).map { .day(daysBefore: days, minuteOfDay: $0) }
  }

  /// Returns a time of day as minutes after midnight.
  private func time(_ text: String) -> Int? {
    let isTime = text.first?.isNumber == true && !text.contains(" ") || ["noon", "midnight"].contains(text)
    guard isTime, case .time(let time) = try? dates.parse(text) else { return nil }
    return Int(dates.zone.localTime(at: time).time.microseconds / 60_000_000)
  }

  /// Returns the time of `in` with hours or minutes: the next full minute, so that it has not passed yet.
  private func timeFromNow(_ words: [String]) -> Timestamp? {
    guard words.first == "in", words.last.map(Self.isBefore) == false,
      case .before(let seconds) = Self.duration(Array(words.dropFirst())), seconds <= Reminder.Limits.seconds
    else { return nil }
    let (minutes, rest) = (dates.now.microseconds + Int64(seconds) * 1_000_000).flooredDivision(by: 60_000_000)
    return Timestamp(microseconds: (minutes + (rest == 0 ? 0 : 1)) * 60_000_000)
  }

  private static func duration(_ words: [String]) -> ParsedReminder? {
    var rest = words[...]
    if rest.last.map(isBefore) == true { rest = rest.dropLast() }
    guard !rest.isEmpty, rest.count.isMultiple(of: 2) else { return nil }
    var (days, seconds) = (0, 0)
    while let word = rest.popFirst() {
      guard let unit = rest.popFirst(), let count = number(word) else { return nil }
      if let unit = Self.days(unit) {
        days += count * unit
      } else if let unit = Self.seconds(unit) {
        seconds += count * unit
      } else {
        return nil
      }
    }
    return seconds == 0 && days > 0 ? .days(days) : .before(seconds: days * 86_400 + seconds)
  }

  private static func isBefore(_ word: String) -> Bool { ["before", "vorher", "davor"].contains(word) }

  /// Returns a number of at most six digits, or the 1 of an article.
  private static func number(_ word: String) -> Int? {
    if ["a", "an", "one", "ein", "eine", "einen", "einer"].contains(word) { return 1 }
    return word.utf8.count <= 6 ? Int(word) : nil
  }

  private static func days(_ unit: String) -> Int? {
    switch unit {
    case "d", "day", "days", "tag", "tage", "tagen": 1
    case "w", "week", "weeks", "woche", "wochen": 7
    default: nil
    }
  }

  /// Unlike in a due date, `m` can only be minutes.
  private static func seconds(_ unit: String) -> Int? {
    switch unit {
    case "m", "min", "min.", "mins", "minute", "minutes", "minuten": 60
    case "h", "hour", "hours", "std", "std.", "stunde", "stunden": 3600
    default: nil
    }
  }
}
