import Testing
import ToDoModel
import ToDoRules
import ToDoTestSupport

@testable import ToDoCalendar

/// Items as calendars. Tests/Interop/calendar reads the same files with Python's icalendar, and compares the occurrences with
/// python-dateutil's.
@Suite(.timeLimit(.minutes(1))) struct ItemCalendarTests {
  private let zones = TimeZoneFiles()

  private func text(
    _ items: [ToDoItem], list: String? = nil, as component: ItemCalendar.Component = .event,
    sizeLimit: Int = ItemCalendar.sizeLimit
  ) async throws -> String {
    let lists = [ItemCalendar.List(name: list, items: items)]
    return String(
      decoding: try await ItemCalendar.text(
        of: lists, named: "To do", as: component, sizeLimit: sizeLimit, rules: zones.rules(of:)), as: UTF8.self)
  }

  private func lines(_ item: ToDoItem, as component: ItemCalendar.Component = .event) async throws -> [String] {
    try await text([item], as: component).replacing("\r\n ", with: "").split(separator: "\r\n").map(String.init)
  }

  // MARK: Golden files

  @Test func events_matchGoldenFile() async throws {
    try GoldenFile("events.ics").expect(try await text(Self.items + [Self.done, Self.undated], list: "Home, sweet"))
  }

  @Test func toDos_matchGoldenFile() async throws {
    try GoldenFile("to-dos.ics").expect(try await text(Self.items + [Self.done, Self.undated], as: .toDo))
  }

  @Test func repetitions_matchGoldenFile() async throws {
    try GoldenFile("repetitions.ics").expect(try await text(Self.repeating))
    try GoldenFile("repetitions.tsv").expect(try Self.repeating.map(occurrences).joined())
  }

  /// The next occurrences of an item in the terms of the rules that the server follows, one a line.
  private func occurrences(_ item: ToDoItem) throws -> String {
    let (repetition, due) = (try #require(item.repetition), try #require(item.due))
    let zone = try #require(zones.rules(of: repetition.timeZone))
    let others = repetition.occurrences(after: due, limit: 40, in: zone)
    return ([repetition.occurrence ?? due] + others).map { occurrence in
      switch occurrence {
      case .date(let date): "\(item.id)\t\(date)\n"
      case .time(let time): "\(item.id)\t\(time)\n"
      }
    }.joined()
  }

  // MARK: Texts

  @Test func longLine_isFoldedBetweenCharacters() {
    var lines = CalendarLines()
    lines.add("SUMMARY", text: String(repeating: "ä", count: 60))
    let text = String(decoding: lines.bytes, as: UTF8.self)
    #expect(text.split(separator: "\r\n").allSatisfy { $0.utf8.count <= 75 })
    #expect(text.replacing("\r\n ", with: "") == "SUMMARY:" + String(repeating: "ä", count: 60) + "\r\n")
    #expect(text.unicodeScalars.allSatisfy { $0 != "\u{FFFD}" })
  }

  @Test func text_endsNoValueOrLine() async throws {
    let item = Self.item(
      1, ItemContent(title: "a;b,c\\d\r\nEND:VEVENT\u{1B}[2J\u{2028}e", due: .date(Self.date(2026, 5, 1))))
    #expect(try await lines(item).contains(#"SUMMARY:a\;b\,c\\d\nEND:VEVENT[2J\ne"#))
    #expect(try await lines(item).filter { $0 == "END:VEVENT" }.count == 1)
  }

  @Test func itemWithoutDueDate_isLeftOut() async throws {
    #expect(try await !text([Self.undated]).contains("BEGIN:VEVENT"))
  }

  @Test func doneItem_isMarked() async throws {
    #expect(try await lines(Self.done).contains("SUMMARY:\u{2713} Renew passport"))
    #expect(try await lines(Self.done, as: .toDo).contains("STATUS:COMPLETED"))
    #expect(try await lines(Self.done, as: .toDo).contains("SUMMARY:Renew passport"))
  }

  @Test func sizeLimit_leavesLaterItemsOut() async throws {
    let text = try await text(Self.items, sizeLimit: 1)
    #expect(text.split(separator: "\r\n").filter { $0 == "BEGIN:VEVENT" }.count == 1)
    #expect(text.hasSuffix("END:VCALENDAR\r\n"))
  }

  @Test func manyZones_areBounded() async throws {
    let rules = TimeZoneFiles().rules(of: "Europe/Berlin")
    let items = (0..<70).map { number in
      Self.repeating(
        UInt64(number), RecurrenceRule(.daily), .time(Self.time("2026-05-01T09:00:00Z")), zone: "Z/\(number)")
    }
    let bytes = try await ItemCalendar.text(of: [.init(items: items)], named: "") { _ in rules }
    let text = String(decoding: bytes, as: UTF8.self)
    #expect(text.split(separator: "\r\n").filter { $0 == "BEGIN:VTIMEZONE" }.count == 64)
    #expect(text.split(separator: "\r\n").filter { $0.hasPrefix("RRULE:") }.count == 64)
    #expect(text.split(separator: "\r\n").filter { $0 == "BEGIN:VEVENT" }.count == 70)
  }

  /// Each examines every month from the year 1 on, in which a rule may start.
  @Test func costlyRules_areBounded() async throws {
    var rule = RecurrenceRule(.monthly)
    rule.end = .count(9999)
    let items = (0..<210).map { Self.repeating($0, rule, .date(Self.date(2026, 5, 1))) }
    let text = try await text(items)
    #expect(text.split(separator: "\r\n").filter { $0.hasPrefix("RRULE:") }.count == 200)
    #expect(text.split(separator: "\r\n").filter { $0 == "BEGIN:VEVENT" }.count == 210)
  }

  @Test func text_whenCanceled_ends() async {
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await text(Self.items)
    }
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  @Test func unknownZone_showsItemOnce() async throws {
    let item = Self.repeating(
      1, RecurrenceRule(.daily), .time(Self.time("2026-05-01T09:00:00Z")), zone: "Nowhere/Town")
    #expect(try await lines(item).contains("DTSTART:20260501T090000Z"))
    #expect(try await !lines(item).contains { $0.hasPrefix("RRULE") })
  }

  // MARK: Repetition

  @Test func movedOccurrence_isAnExceptionOfTheRule() async throws {
    var item = Self.repeating(
      1, RecurrenceRule(.weekly), .time(Self.time("2026-05-05T07:00:00Z")), zone: "Europe/Berlin")
    item.content.repetition?.occurrence = .time(Self.time("2026-05-04T07:00:00Z"))
    let lines = try await lines(item)
    #expect(lines.filter { $0 == "UID:\(item.id)" }.count == 2)
    #expect(lines.filter { $0.hasPrefix("RRULE:") } == ["RRULE:FREQ=WEEKLY"])
    #expect(lines.contains("RECURRENCE-ID;TZID=Europe/Berlin:20260504T090000"))
    #expect(
      lines.filter { $0.hasPrefix("DTSTART;") } == [
        "DTSTART;TZID=Europe/Berlin:20260504T090000", "DTSTART;TZID=Europe/Berlin:20260505T090000",
      ])
  }

  @Test func count_isThatOfTheOccurrencesLeft() async throws {
    var rule = RecurrenceRule(.daily)
    rule.end = .count(5)
    var item = Self.repeating(1, rule, .date(Self.date(2026, 5, 3)))
    item.content.repetition?.start = .date(Self.date(2026, 5, 1))
    #expect(try await lines(item).contains("RRULE:FREQ=DAILY;COUNT=3"))
  }

  @Test func end_hasTheTypeOfTheStart() async throws {
    var rule = RecurrenceRule(.daily)
    rule.end = .until(.date(Self.date(2026, 5, 9)))
    let timed = Self.repeating(1, rule, .time(Self.time("2026-05-01T07:00:00Z")), zone: "Europe/Berlin")
    #expect(try await lines(timed).contains("RRULE:FREQ=DAILY;UNTIL=20260509T215959Z"))
    rule.end = .until(.time(Self.time("2026-05-09T22:30:00Z")))
    let dated = Self.repeating(2, rule, .date(Self.date(2026, 5, 1)), zone: "Europe/Berlin")
    #expect(try await lines(dated).contains("RRULE:FREQ=DAILY;UNTIL=20260510"))
  }

  /// The last local second of a day can be later than what RFC 5545 can say.
  @Test func end_isInTheYearsThatAreSupported() async throws {
    var rule = RecurrenceRule(.daily)
    rule.end = .until(.date(Self.date(9999, 12, 31)))
    let item = Self.repeating(1, rule, .time(Self.time("2026-05-01T07:00:00Z")), zone: "America/New_York")
    #expect(try await lines(item).contains("RRULE:FREQ=DAILY;UNTIL=99991231T235959Z"))
  }

  @Test func repetitionAfterDone_isShownOnce() async throws {
    let content = ItemContent(
      title: "Water plants", due: .date(Self.date(2026, 5, 1)),
      repetition: Repetition(.afterDone(.init(3, .daily))))
    let lines = try await lines(Self.item(1, content))
    #expect(lines.contains("DTSTART;VALUE=DATE:20260501"))
    #expect(!lines.contains { $0.hasPrefix("RRULE") || $0.hasPrefix("RDATE") })
  }
}

// MARK: - Items

extension ItemCalendarTests {
  static func date(_ year: Int, _ month: Int, _ day: Int) -> CalendarDate {
    CalendarDate(year: year, month: month, day: day) ?? CalendarDate(daysSinceEpoch: 0)
  }

  static func time(_ text: String) -> Timestamp { Timestamp(text) ?? Timestamp(microseconds: 0) }

  static func item(_ number: UInt64, _ content: ItemContent, completed: String? = nil) -> ToDoItem {
    ToDoItem(
      id: ItemID(high: 0x0196_8B5E_0000_7000, low: 0x8000_0000_0000_0000 | number), number: .unknown,
      content: content, createdAt: time("2026-04-20T08:00:00Z"), updatedAt: time("2026-04-28T12:30:15.25Z"),
      completedAt: completed.map(time), revision: .initial)
  }

  static func repeating(_ number: UInt64, _ rule: RecurrenceRule, _ due: DueDate, zone: String = "") -> ToDoItem {
    item(
      number,
      ItemContent(
        title: "\(rule)", due: due, repetition: Repetition(.calendar(rule), timeZone: zone, start: due)))
  }

  static let items = [
    item(
      1,
      ItemContent(
        title: "Dinner; with Ann, Bob",
        itemDescription:
          "Bring:\n- wine\\beer\n- \u{1F377} for everybody, because it is a long text that has to be folded",
        due: .time(time("2026-05-01T17:30:00Z")),
        location: Location(
          name: "Rossi", address: "Via Roma 1, 00184 Roma", coordinate: Coordinate(latitude: 41.9, longitude: 12.495_5)),
        tags: ["family", "food"], priority: .high, steps: [Step("Book a table", isDone: true), Step("Buy flowers")])),
    item(2, ItemContent(title: "Tax return", due: .date(date(2026, 5, 31)), priority: .medium)),
    item(
      3,
      ItemContent(
        title: "Penguins", due: .date(date(2026, 6, 1)),
        location: Location(coordinate: Coordinate(latitude: -54.000_000_4, longitude: -0.25)), priority: .low)),
    repeating(
      4, RecurrenceRule(.weekly, weekdays: [.init(0)]), .time(time("2026-05-04T07:00:00Z")), zone: "Europe/Berlin"),
  ]

  static let done = item(
    8, ItemContent(title: "Renew passport", due: .date(date(2026, 4, 27))), completed: "2026-04-26T10:00:00Z")

  static let undated = item(9, ItemContent(title: "Learn Italian"))

  /// Items that repeat in every way that a rule can express.
  static let repeating: [ToDoItem] = {
    let berlin = "Europe/Berlin"
    func timed(_ text: String) -> DueDate { .time(time(text)) }
    let cases: [(RecurrenceRule, DueDate, zone: String)] = [
      (RecurrenceRule(.daily), .date(date(2026, 5, 1)), ""),
      (RecurrenceRule(.daily, interval: 3), timed("2026-03-20T22:30:00Z"), berlin),
      (RecurrenceRule(.daily, end: .count(7)), timed("2026-10-22T06:00:00Z"), "America/New_York"),
      (
        RecurrenceRule(.daily, end: .until(.date(date(2026, 11, 9)))), timed("2026-10-22T06:00:00Z"), "America/New_York"
      ),
      (
        RecurrenceRule(.weekly, interval: 2, weekdays: [.init(1), .init(6)], weekStart: 6),
        timed("2026-05-05T10:15:00Z"), "Australia/Lord_Howe"
      ),
      (RecurrenceRule(.weekly, weekdays: (0..<5).map { .init($0) }), timed("2026-05-01T03:45:00Z"), "Asia/Kathmandu"),
      (RecurrenceRule(.monthly, monthDays: [31], clampsMonthDays: true), .date(date(2026, 1, 31)), berlin),
      (RecurrenceRule(.monthly, monthDays: [30], clampsMonthDays: true), timed("2026-01-30T08:00:00Z"), berlin),
      (RecurrenceRule(.monthly, monthDays: [31]), .date(date(2026, 1, 31)), ""),
      (RecurrenceRule(.monthly, monthDays: [15, 31], clampsMonthDays: true), .date(date(2026, 1, 15)), ""),
      (RecurrenceRule(.monthly, weekdays: [.init(4, ordinal: -1)]), timed("2026-05-29T14:00:00Z"), "Africa/Casablanca"),
      (RecurrenceRule(.monthly, monthDays: [-1]), .date(date(2026, 5, 31)), ""),
      (RecurrenceRule(.yearly, monthDays: [29], months: [2], clampsMonthDays: true), .date(date(2024, 2, 29)), ""),
      (RecurrenceRule(.yearly), timed("2026-07-01T12:00:00Z"), "America/Sao_Paulo"),
      (RecurrenceRule(.yearly, weekdays: [.init(3, ordinal: 4)], months: [11]), .date(date(2026, 11, 26)), ""),
      (RecurrenceRule(.daily), timed("2026-05-01T12:00:00Z"), "UTC"),
    ]
    return cases.enumerated().map { repeating(UInt64($0 + 1), $1.0, $1.1, zone: $1.zone) }
  }()
}
