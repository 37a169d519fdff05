import Testing
import ToDoModel
import ToDoRules

extension StoreContract {
  static var roundTripRules: [Rule] {
    [
      Rule("every field is read back as it was stored, including extreme values") { store async throws in
        for content in contents {
          for (created, updated, completed) in times {
            let item = try await store.add(
              ToDoItem(
                id: nextID(), number: .unknown, content: content, createdAt: created, updatedAt: updated,
                completedAt: completed,
                revision: .initial))
            let read = try #require(try await store.item(item.id, of: .local))
            expectIdentical(read, item)
          }
        }
        #expect(try await store.allItems().count == contents.count * times.count)
      },
      Rule("an update stores every field, regardless of its previous value") { store async throws in
        let contents = contents
        for (before, after) in zip(contents, contents.dropFirst() + contents.prefix(1)) {
          for (before, after) in [(before, after), (after, before)] {
            var item = try await store.add(
              ToDoItem(
                id: nextID(), number: .unknown, content: before, createdAt: times[0].0, updatedAt: times[0].1,
                revision: .initial))
            item.content = after
            item.createdAt = times[1].0
            item.updatedAt = times[1].1
            item.completedAt = times[1].2
            item = try await store.update(item)
            expectIdentical(try #require(try await store.item(item.id, of: .local)), item)
          }
        }
      },
      Rule("any 16 bytes are a valid ID") { store async throws in
        let ids = [(0, 0), (0, UInt64.max), (.max, 0), (.max, .max), (1 << 63, 1 << 63), (0x2700_2700, 0x0022_0D0A)]
          .map { ItemID(high: $0, low: $1) }
        for id in ids { try await store.add(ToDoItem.sample(1).with(id: id)) }
        for id in ids { #expect(try await store.item(id, of: .local)?.id == id) }
        let listed = try await store.items(ItemSelection(order: .created, limit: 10), of: .local).items
        #expect(listed.map(\.id) == ids.sorted())
      },
    ]
  }

  private static let times: [(Timestamp, Timestamp, Timestamp?)] = [
    (Timestamp(microseconds: 0), Timestamp(microseconds: -1), nil),
    (
      Timestamp.supportedRange.lowerBound, Timestamp.supportedRange.upperBound,
      Timestamp(microseconds: -62_135_596_799_999_999)
    ),
    (
      Timestamp.supportedRange.upperBound, Timestamp.supportedRange.lowerBound,
      Timestamp(microseconds: 253_402_300_799_999_999)
    ),
  ]

  private static let contents: [ItemContent] = dues.map { ItemContent(title: "Due", due: $0) } + texts + places + marks

  private static let dues: [DueDate?] = [
    nil, .time(Timestamp.supportedRange.lowerBound), .time(Timestamp.supportedRange.upperBound),
    .time(Timestamp(microseconds: -1)), .time(Timestamp(microseconds: 0)),
    .date(CalendarDate(daysSinceEpoch: -719_162)), .date(CalendarDate(daysSinceEpoch: 2_932_896)),
    .date(CalendarDate(daysSinceEpoch: 0)), .date(CalendarDate(daysSinceEpoch: -1)),
  ]

  private static let texts: [ItemContent] = [
    ItemContent(title: "👩‍👩‍👧‍👦 \u{1F1EB}\u{1F1EE} e\u{301} é \u{202E}", itemDescription: ""),
    ItemContent(title: "'; DROP TABLE item; --\n\t\"\\", itemDescription: "\u{FEFF}\u{10FFFF}\u{1}\u{7F}\r\n"),
    ItemContent(
      title: String(repeating: "t", count: ItemContent.Limits.title),
      itemDescription: String(repeating: "ä", count: ItemContent.Limits.itemDescription / 2)),
    // Texts that look like numbers must remain texts.
    ItemContent(title: "007", itemDescription: "1e3", location: Location(name: "0", address: "-0.0")),
  ]

  private static let places: [ItemContent] =
    ([
      Location(name: "Corner shop"), Location(address: "1 High Street"), Location(name: "", address: ""),
      Location(coordinate: Coordinate(latitude: -90, longitude: -180)),
      Location(coordinate: Coordinate(latitude: 90, longitude: 180)),
      Location(coordinate: Coordinate(latitude: 0, longitude: 0)),
      Location(coordinate: Coordinate(latitude: 60.169_856_123_456_78, longitude: -1e-300)),
    ]
    + Location.Granularity.allCases.map {
      Location(
        name: "🏠", address: "Jl. \u{62D}", coordinate: Coordinate(latitude: 1.0 / 3, longitude: 0.1),
        provenance: Location.Provenance(source: "gazetteer \($0)", granularity: $0))
    }).map { ItemContent(title: "Place", location: $0) }

  private static let marks: [ItemContent] =
    Priority.allCases.map { ItemContent(title: "Priority", priority: $0) } + [
      ItemContent(title: "Tag", tags: ["errands"]),
      // A space after this letter is a part of its character.
      ItemContent(title: "Tag", tags: ["a\u{0D4E}", "b"]),
      ItemContent(
        title: "Tags", tags: (1...ItemContent.Limits.tags).map { "ä/\($0)" + String(repeating: "x", count: 100) },
        priority: .high),
    ] + steps + repetitions + reminders

  private static let steps: [ItemContent] =
    [
      [Step("Go")], [Step("", isDone: true)], [Step("e\u{301}"), Step("é"), Step("\n", isDone: true)],
      (1...ItemContent.Limits.steps).map {
        Step(String(repeating: "ä", count: ItemContent.Limits.step / 2), isDone: $0 % 3 == 0)
      },
    ].map { ItemContent(title: "Steps", steps: $0) }
    + [Timestamp.supportedRange.lowerBound, Timestamp.supportedRange.upperBound, Timestamp(microseconds: 0)].map {
      ItemContent(title: "Wait", waitUntil: $0)
    }

  private static let repetitions: [ItemContent] =
    RecurrenceRule.Frequency.allCases.flatMap { unit in
      [
        Repetition(
          .calendar(RecurrenceRule(unit)), timeZone: "Europe/Berlin", start: dues[4], missedCount: .max,
          occurrence: dues[6]),
        Repetition(.afterDone(.init(RecurrenceRule.Limits.interval, unit)), start: dues[5]),
        Repetition(
          .calendar(RecurrenceRule(unit, interval: 2, end: .count(7))), start: dues[6], missedCount: 1,
          occurrence: dues[4]),
      ]
    }.map { ItemContent(title: "Repeat", repetition: $0) }

  private static let reminders: [ItemContent] =
    [
      Reminder(.time(Timestamp.supportedRange.lowerBound)), Reminder(.before(seconds: 0)),
      Reminder(.day(.init(daysBefore: 366, minuteOfDay: 1439, timeZone: "Europe/Berlin"))),
      Reminder(.day(.init(daysBefore: 0, minuteOfDay: 0))), Reminder(.arriving), Reminder(.leaving),
    ].flatMap { reminder in
      let bounds = Timestamp.supportedRange
      let states = [
        reminder, Reminder(reminder.trigger, acknowledged: bounds.lowerBound),
        Reminder(reminder.trigger, acknowledged: bounds.upperBound, snoozedUntil: bounds.lowerBound),
        Reminder(reminder.trigger, snoozedUntil: bounds.upperBound),
      ]
      return [
        ItemContent(title: "Remind", reminders: states),
        ItemContent(title: "Steps too", steps: [Step("Go", isDone: true), Step("")], reminders: states.reversed()),
      ]
    }

  /// Compares all bits, because texts in different normal forms and coordinates within a tolerance are equal.
  private static func expectIdentical(_ read: ToDoItem, _ stored: ToDoItem) {
    #expect(read == stored)
    func utf8(_ item: ToDoItem) -> [[UInt8]?] {
      let place = item.location
      return
        ([item.title, item.itemDescription, place?.name, place?.address, place?.provenance?.source] + item.tags
        + item.steps.map(\.text))
        .map { $0.map { Array($0.utf8) } }
    }
    #expect(utf8(read) == utf8(stored))
    #expect(read.location?.coordinate?.latitude == stored.location?.coordinate?.latitude)
    #expect(read.location?.coordinate?.longitude == stored.location?.coordinate?.longitude)
  }

  private static func nextID() -> ItemID { ItemID(time: Timestamp(microseconds: 1_767_225_600_000_000)) }
}

extension ToDoItem {
  fileprivate func with(id: ItemID) -> ToDoItem {
    ToDoItem(
      id: id, number: number, content: content, createdAt: createdAt, updatedAt: updatedAt, completedAt: completedAt,
      revision: revision)
  }
}
