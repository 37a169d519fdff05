import ToDoModel

/// Extreme values.
enum Samples {
  static let ids = [
    ItemID(high: 0, low: 0), ItemID(high: .max, low: .max), ItemID(high: 0x0198_c0de_7000_7abc, low: 1),
  ]

  static let times = [
    Timestamp.supportedRange.lowerBound, Timestamp.supportedRange.upperBound, Timestamp(microseconds: -1),
    Timestamp(microseconds: 0), Timestamp(microseconds: 999_999), Timestamp(microseconds: -1_000_000),
  ]

  static let dates = [
    CalendarDate(year: 1, month: 1, day: 1), CalendarDate(year: 9999, month: 12, day: 31),
    CalendarDate(year: 2024, month: 2, day: 29),
  ].compactMap(\.self)

  static let coordinates = [
    Coordinate(latitude: 90, longitude: 180), Coordinate(latitude: -90, longitude: -180),
    Coordinate(latitude: 0, longitude: 0), Coordinate(latitude: 48.148_347_2, longitude: 11.570_083_3),
  ].compactMap(\.self)

  static let texts = ["a", "Grüße, 世界 👋🏽", "\u{0}", "a\u{0}b", "\n\r\t", "\u{1b}[31m", "\u{10FFFF}", "e\u{301}"]

  static let contents: [ItemContent] =
    [
      ItemContent(title: ""),
      ItemContent(
        title: String(repeating: "t", count: 1024), itemDescription: String(repeating: "d", count: 65_536),
        location: Location(
          name: String(repeating: "n", count: 1024), address: String(repeating: "a", count: 1024),
          coordinate: coordinates[0])),
      ItemContent(title: "too long all the same: " + String(repeating: "t", count: 100_000)),
      ItemContent(title: "no place", location: Location()),
      ItemContent(title: "half a place", location: Location(address: "Markt 1")),
    ]
    + texts.map {
      ItemContent(title: $0, itemDescription: $0, location: Location(name: $0, address: $0))
    }
    + times.map { ItemContent(title: "due then", due: .time($0)) }
    + dates.map { ItemContent(title: "due that day", due: .date($0)) }
    + coordinates.map { ItemContent(title: "there", location: Location(coordinate: $0)) }
    + Priority.allCases.map { ItemContent(title: "marked", tags: ["a", "é/\($0)"], priority: $0) }
    + texts.map { ItemContent(title: "steps", steps: [Step($0), Step($0, isDone: true)]) }
    + times.map { ItemContent(title: "waits", waitUntil: $0) }
    + repetitions.map { ItemContent(title: "repeats", due: .date(dates[0]), repetition: $0) }
    + reminders.map {
      ItemContent(title: "reminds", due: .time(times[1]), location: Location(name: "a"), reminders: $0)
    }

  static let reminders: [[Reminder]] =
    times.map { [Reminder(.time($0), acknowledged: $0), Reminder(.before(seconds: 1), snoozedUntil: $0)] }
    + [
      [Reminder(.before(seconds: 0)), Reminder(.before(seconds: Reminder.Limits.seconds))],
      [Reminder(.day(.init(daysBefore: 366, minuteOfDay: 1439, timeZone: "Europe/Berlin")))],
      [Reminder(.day(.init(daysBefore: 0, minuteOfDay: 0))), Reminder(.arriving), Reminder(.leaving)],
    ]

  static let repetitions: [Repetition] =
    RecurrenceRule.Frequency.allCases.flatMap { unit in
      [
        Repetition(
          .calendar(RecurrenceRule(unit, interval: 999)), timeZone: "Europe/Berlin", start: .time(times[0]),
          missedCount: .max, occurrence: .time(times[1])),
        Repetition(
          .calendar(RecurrenceRule(unit, end: .count(1))), start: .date(dates[1]), occurrence: .date(dates[2])),
        Repetition(.afterDone(.init(999, unit))), Repetition(.afterDone(.init(1, unit)), timeZone: "UTC"),
      ]
    }

  /// Items of responses, which satisfy the rules for items.
  static let items: [ToDoItem] =
    contents.filter { $0.violations(at: "item").isEmpty }.map {
      ToDoItem(
        id: ids[1], number: ItemNumber(.max), content: $0, createdAt: times[0], updatedAt: times[1],
        completedAt: times[2],
        revision: Revision(.max))
    }
    + Location.Granularity.allCases.map {
      ToDoItem(
        id: ids[0], number: .unknown,
        content: ItemContent(
          title: "found",
          location: Location(
            address: "Markt 1", coordinate: coordinates[3], provenance: .init(source: "gazetteer", granularity: $0))),
        createdAt: times[3], updatedAt: times[3], revision: Revision(.max))
    }

  static let edits: [ItemEdit] =
    [ItemEdit()]
    + contents.flatMap { content in
      [
        edit { $0.title = content.title },
        edit { $0.itemDescription = content.itemDescription.map(FieldEdit.set) ?? .clear },
        edit { $0.due = content.due.map(FieldEdit.set) ?? .clear },
        edit { $0.location = content.location.map(LocationEdit.set) ?? .clear },
        edit { $0.steps = content.steps },
        edit { $0.reminders = content.reminders },
        edit { $0.waitUntil = content.waitUntil.map(FieldEdit.set) ?? .clear },
        edit { $0.repetition = content.repetition.map(FieldEdit.set) ?? .clear },
        edit {
          $0.location = .edit(
            name: content.location?.name.map(FieldEdit.set) ?? .clear,
            address: content.location?.address.map(FieldEdit.set) ?? .keep,
            coordinate: content.location?.coordinate.map(FieldEdit.set) ?? .clear)
        },
      ]
    }

  private static func edit(_ body: (inout ItemEdit) -> Void) -> ItemEdit {
    var edit = ItemEdit()
    body(&edit)
    return edit
  }
}
