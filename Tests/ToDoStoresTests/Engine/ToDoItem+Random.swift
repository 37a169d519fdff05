import ToDoModel

extension ToDoItem {
  /// An item with random optional fields.
  static func random(
    _ id: ItemID, _ revision: Revision, using random: inout some RandomNumberGenerator
  ) -> ToDoItem {
    let description = Bool.random(using: &random) ? text(using: &random) : nil
    let due = [nil, DueDate.time(time(using: &random)), .date(date(using: &random))].randomElement(using: &random)
    var content = ItemContent(
      title: text(using: &random), itemDescription: description, due: due ?? nil, location: place(using: &random))
    if Bool.random(using: &random) {
      content.steps = (0..<Int.random(in: 0..<5, using: &random)).map { _ in
        Step(text(using: &random), isDone: .random(using: &random))
      }
    }
    if Bool.random(using: &random) { content.waitUntil = time(using: &random) }
    if Bool.random(using: &random) { content.repetition = repetition(using: &random) }
    if Bool.random(using: &random) {
      content.reminders = (0..<Int.random(in: 0..<5, using: &random)).map { _ in reminder(using: &random) }
    }
    return ToDoItem(
      id: id, number: ItemNumber(.random(in: 0 ... .max, using: &random)), content: content,
      createdAt: time(using: &random), updatedAt: time(using: &random),
      completedAt: Bool.random(using: &random) ? time(using: &random) : nil, revision: revision)
  }

  private static func repetition(using random: inout some RandomNumberGenerator) -> Repetition {
    let unit = RecurrenceRule.Frequency.allCases.randomElement(using: &random) ?? .daily
    let interval = Int.random(in: 1...RecurrenceRule.Limits.interval, using: &random)
    let starts = [nil, DueDate.time(time(using: &random)), .date(date(using: &random))]
    return Repetition(
      Bool.random(using: &random)
        ? .calendar(RecurrenceRule(unit, interval: interval)) : .afterDone(.init(interval, unit)),
      timeZone: ["", "Europe/Berlin"].randomElement(using: &random) ?? "",
      start: starts.randomElement(using: &random) ?? nil,
      missedCount: .random(in: 0...9, using: &random), occurrence: starts.randomElement(using: &random) ?? nil)
  }

  private static func reminder(using random: inout some RandomNumberGenerator) -> Reminder {
    let day = Reminder.DayTrigger(
      daysBefore: .random(in: 0...366, using: &random), minuteOfDay: .random(in: 0...1439, using: &random),
      timeZone: ["", "Europe/Berlin"].randomElement(using: &random) ?? "")
    let triggers: [Reminder.Trigger] = [
      .time(time(using: &random)), .before(seconds: .random(in: 0...1_000_000, using: &random)), .day(day), .arriving,
      .leaving,
    ]
    return Reminder(
      triggers.randomElement(using: &random) ?? .leaving,
      acknowledged: Bool.random(using: &random) ? time(using: &random) : nil,
      snoozedUntil: Bool.random(using: &random) ? time(using: &random) : nil)
  }

  private static func place(using random: inout some RandomNumberGenerator) -> Location? {
    var place = Location()
    if Bool.random(using: &random) { place.name = text(using: &random) }
    if Bool.random(using: &random) { place.address = text(using: &random) }
    if Bool.random(using: &random) {
      place.coordinate = Coordinate(
        latitude: .random(in: -90...90, using: &random), longitude: .random(in: -180...180, using: &random))
    }
    guard !place.isEmpty else { return nil }
    if Bool.random(using: &random), let granularity = Location.Granularity.allCases.randomElement(using: &random) {
      place.provenance = Location.Provenance(source: text(using: &random), granularity: granularity)
    }
    return place
  }

  private static func text(using random: inout some RandomNumberGenerator) -> String {
    let characters: [Character] = ["a", "Z", " ", "ä", "e\u{301}", "🦊", "\u{0}", "日"]
    let count = Int.random(in: 0..<20, using: &random)
    return String((0..<count).compactMap { _ in characters.randomElement(using: &random) })
  }

  private static func time(using random: inout some RandomNumberGenerator) -> Timestamp {
    let range = Timestamp.supportedRange
    return Timestamp(
      microseconds: .random(in: range.lowerBound.microseconds...range.upperBound.microseconds, using: &random))
  }

  private static func date(using random: inout some RandomNumberGenerator) -> CalendarDate {
    CalendarDate(daysSinceEpoch: .random(in: -719_162...2_932_896, using: &random))
  }
}
