import Testing
import ToDoTestSupport

@testable import ToDoModel

@Suite struct OccurrencesTests {
  private struct FixedZone: TimeZoneRules {
    var seconds = 0
    func offset(at instant: Timestamp) -> ZoneOffset { ZoneOffset(seconds: seconds, name: "") }
  }

  private func dates(_ rule: String, from start: String, after due: String? = nil, limit: Int = 5) throws -> [String] {
    let repetition = Repetition(.calendar(try RecurrenceRule(parsing: rule)), start: try Self.due(start))
    return repetition.occurrences(after: try Self.due(due ?? start), limit: limit, in: FixedZone()).map(Self.text)
  }

  private static func due(_ text: String) throws -> DueDate {
    try #require(CalendarDate(text).map(DueDate.date) ?? Timestamp(text).map(DueDate.time))
  }

  private static func text(_ due: DueDate) -> String {
    switch due {
    case .date(let date): date.description
    case .time(let time): time.description
    }
  }

  /// Rules from 2026-01-31, a Saturday, with the following occurrences.
  @Test(
    arguments: [
      ("FREQ=MONTHLY", "2026-03-31 2026-05-31 2026-07-31"),
      ("RSCALE=GREGORIAN;FREQ=MONTHLY;SKIP=BACKWARD", "2026-02-28 2026-03-31 2026-04-30"),
      ("RSCALE=GREGORIAN;FREQ=MONTHLY;BYMONTHDAY=31;SKIP=BACKWARD", "2026-02-28 2026-03-31 2026-04-30"),
      ("FREQ=MONTHLY;BYMONTHDAY=-1", "2026-02-28 2026-03-31 2026-04-30"),
      ("FREQ=MONTHLY;BYMONTHDAY=13;BYDAY=FR", "2026-02-13 2026-03-13 2026-11-13"),
      ("FREQ=MONTHLY;BYDAY=1MO,-1FR", "2026-02-02 2026-02-27 2026-03-02"),
      ("FREQ=MONTHLY;BYDAY=5SA;INTERVAL=5", "2028-07-29 2028-12-30 2030-03-30"),
      ("FREQ=WEEKLY", "2026-02-07 2026-02-14 2026-02-21"),
      ("FREQ=WEEKLY;INTERVAL=2;BYDAY=SA,SU", "2026-02-01 2026-02-14 2026-02-15"),
      ("FREQ=WEEKLY;INTERVAL=2;BYDAY=SA,SU;WKST=SU", "2026-02-08 2026-02-14 2026-02-22"),
      ("FREQ=DAILY;INTERVAL=31", "2026-03-03 2026-04-03 2026-05-04"),
      ("FREQ=DAILY;BYMONTH=2;BYDAY=SU", "2026-02-01 2026-02-08 2026-02-15"),
      ("FREQ=YEARLY;BYDAY=20MO", "2026-05-18 2027-05-17 2028-05-15"),
      ("FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29", "2028-02-29 2032-02-29 2036-02-29"),
      ("FREQ=YEARLY;BYMONTHDAY=30", "2026-03-30 2026-04-30 2026-05-30"),
      ("FREQ=YEARLY;BYMONTH=2,3", "2026-03-31 2027-03-31 2028-03-31"),
      ("FREQ=YEARLY", "2027-01-31 2028-01-31 2029-01-31"),
      ("FREQ=DAILY;COUNT=3", "2026-02-01 2026-02-02"),
      ("FREQ=DAILY;UNTIL=20260202", "2026-02-01 2026-02-02"),
      ("FREQ=DAILY;UNTIL=20260202T120000Z", "2026-02-01 2026-02-02"),
      ("FREQ=DAILY;BYMONTH=4;BYMONTHDAY=31", ""), ("FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30", ""),
      ("FREQ=MONTHLY;BYDAY=5MO;BYMONTHDAY=1", ""),
    ] as [(String, String)])
  func occurrences_ofRule_areThoseOfTheRFC(_ rule: String, _ expected: String) throws {
    #expect(try dates(rule, from: "2026-01-31", limit: 3).joined(separator: " ") == expected)
  }

  @Test func occurrences_atTheEndOfTheCalendar_end() throws {
    #expect(try dates("FREQ=DAILY", from: "9999-12-29") == ["9999-12-30", "9999-12-31"])
    #expect(try dates("FREQ=DAILY", from: "9999-12-30T23:00:00Z") == ["9999-12-31T23:00:00Z"])
    #expect(try dates("FREQ=YEARLY;INTERVAL=999", from: "9999-12-31") == [])
  }

  @Test func occurrences_whenDueHasMoved_continueAfterIt() throws {
    #expect(try dates("FREQ=WEEKLY", from: "2026-01-31", after: "2026-02-09", limit: 1) == ["2026-02-14"])
    #expect(try dates("FREQ=WEEKLY", from: "2026-01-31", after: "2026-01-29", limit: 1) == ["2026-01-31"])
    #expect(
      try dates("FREQ=WEEKLY", from: "2026-01-31", after: "2026-02-07T10:00:00Z", limit: 1) == ["2026-02-14"])
    #expect(
      try dates("FREQ=WEEKLY", from: "2026-01-31T09:00:00Z", after: "2026-02-07", limit: 1) == ["2026-02-14T09:00:00Z"])
  }

  @Test func occurrences_whenRuleEndsBeforeItsStart_areNone() throws {
    let start = "2026-01-31T12:00:00Z"
    #expect(try dates("FREQ=DAILY;UNTIL=20260131T115959Z", from: start, after: "2026-01-30") == [])
    #expect(try dates("FREQ=DAILY;UNTIL=20260131T120000Z", from: start, after: "2026-01-30") == [start])
  }

  @Test func count_includesStartThatTheRuleDoesNotDescribe() throws {
    #expect(try dates("FREQ=WEEKLY;BYDAY=MO;COUNT=3", from: "2026-01-31") == ["2026-02-02", "2026-02-09"])
  }

  @Test func next_countsOverdueOccurrences() throws {
    let now = try #require(Timestamp("2026-03-01T12:00:00Z"))
    func next(_ rule: String, _ due: String, _ zone: FixedZone = FixedZone()) throws -> Repetition.Next? {
      let start = try Self.due(due)
      return Repetition(.calendar(try RecurrenceRule(parsing: rule)), start: start).next(
        after: start, now: now, in: zone)
    }
    #expect(try next("FREQ=DAILY", "2026-02-20") == .init(due: Self.due("2026-03-01"), missedCount: 8))
    #expect(try next("FREQ=DAILY", "2026-03-05") == .init(due: Self.due("2026-03-06")))
    #expect(
      try next("FREQ=DAILY", "2026-02-20T12:00:00Z") == .init(due: Self.due("2026-03-01T12:00:00Z"), missedCount: 8))
    #expect(
      try next("FREQ=DAILY", "2026-02-20T11:00:00Z") == .init(due: Self.due("2026-03-02T11:00:00Z"), missedCount: 9))
    #expect(
      try next("FREQ=DAILY", "2026-02-20", FixedZone(seconds: 43_200))
        == .init(due: Self.due("2026-03-02"), missedCount: 9))
    #expect(try next("FREQ=DAILY", "0001-01-01") == .init(due: Self.due("2026-03-01"), missedCount: 739_674))
    #expect(try next("FREQ=DAILY;COUNT=9", "2026-02-20") == nil)
    #expect(try next("FREQ=DAILY;UNTIL=20260228", "2026-02-20") == nil)
  }

  @Test func next_afterDone_countsFromTheDayOfCompletion() throws {
    let now = try #require(Timestamp("2026-01-30T23:30:00Z"))
    func next(_ count: Int, _ unit: RecurrenceRule.Frequency, _ due: String?) throws -> DueDate? {
      let due = try due.map(Self.due)
      return Repetition(.afterDone(.init(count, unit))).next(after: due, now: now, in: FixedZone(seconds: 3600))?.due
    }
    #expect(try next(3, .daily, nil) == Self.due("2026-02-03"))
    #expect(try next(1, .monthly, "2025-12-24") == Self.due("2026-02-28"))
    #expect(try next(2, .weekly, "2025-12-24T09:00:00Z") == Self.due("2026-02-14T09:00:00Z"))
    #expect(try next(999, .yearly, nil) == Self.due("3025-01-31"))
    #expect(try next(9_000, .yearly, nil) == nil)
  }

  @Test func count_ofEveryRule_agreesWithTheOccurrences() throws {
    var generator = SeededGenerator(seed: 9)
    let texts = [
      "FREQ=DAILY;INTERVAL=3", "FREQ=DAILY;INTERVAL=40;BYMONTH=1,2,7", "FREQ=WEEKLY;INTERVAL=3;BYDAY=MO,SU",
      "FREQ=MONTHLY;INTERVAL=7;BYMONTHDAY=31,-1,15", "FREQ=YEARLY;INTERVAL=3;BYMONTH=2;BYDAY=-1MO",
      "FREQ=YEARLY;BYDAY=1MO,-1SU",
      "FREQ=YEARLY;BYMONTHDAY=29;BYDAY=MO",
    ]
    for text in texts {
      let start = CalendarDate(daysSinceEpoch: .random(in: 0...30_000, using: &generator))
      let days = RecurrenceDays(of: try RecurrenceRule(parsing: text), from: start)
      var found: [Int] = []
      var next = days.first(onOrAfter: 0)
      while let day = next, found.count < 300 {
        found.append(day)
        next = days.first(onOrAfter: day + 1)
      }
      for (index, day) in found.enumerated() {
        #expect(days.count(in: start.daysSinceEpoch..<day) == index)
        #expect(days.day(number: index + 1) == day)
      }
    }
  }

  /// Rules without a second occurrence, or with a late one, from Monday, 2026-02-02.
  @Test(arguments: [
    ("FREQ=DAILY;INTERVAL=7;BYDAY=TU", 4_802), ("FREQ=DAILY;INTERVAL=773;BYMONTH=2;BYMONTHDAY=29;BYDAY=MO", 420),
    ("FREQ=DAILY;INTERVAL=999;BYMONTH=2;BYMONTHDAY=29;BYDAY=MO", 3_000), ("FREQ=DAILY;INTERVAL=14;BYDAY=SU", 9_603),
    ("FREQ=WEEKLY;INTERVAL=999;BYMONTH=2;BYDAY=MO", 420), ("FREQ=WEEKLY;INTERVAL=3;BYMONTH=1;BYDAY=TU", 10),
    ("FREQ=MONTHLY;INTERVAL=12;BYMONTHDAY=31", 402), ("FREQ=MONTHLY;INTERVAL=48;BYMONTHDAY=29;BYDAY=MO", 102),
    ("FREQ=YEARLY;INTERVAL=100;BYMONTH=2;BYMONTHDAY=29", 10), ("FREQ=YEARLY;INTERVAL=2;BYDAY=53SU;BYMONTHDAY=1", 4_802),
  ])
  func first_ofRareDays_examinesFewMonths(_ rule: String, _ limit: Int) throws {
    let start = try #require(CalendarDate("2026-02-02"))
    let days = RecurrenceDays(of: try RecurrenceRule(parsing: rule), from: start)
    var examined = 0
    _ = days.first(onOrAfter: start.daysSinceEpoch + 1, examined: &examined)
    #expect(examined <= limit)
  }

  /// The rules that take the longest, with their occurrences in the last years.
  @Test(arguments: [
    "FREQ=MONTHLY;BYDAY=5MO;BYMONTHDAY=1", "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30", "FREQ=DAILY;INTERVAL=2;COUNT=9999",
    "FREQ=DAILY;INTERVAL=999;BYMONTH=2;BYMONTHDAY=29;COUNT=9999", "FREQ=YEARLY;BYDAY=53MO;BYMONTHDAY=1;COUNT=9999",
    "FREQ=WEEKLY;INTERVAL=2;BYDAY=MO;BYMONTH=1;COUNT=9999",
  ])
  func next_ofLongestSearches_ends(_ rule: String) throws {
    let start = try Self.due("0001-01-01T00:00:00Z")
    let now = Timestamp.supportedRange.upperBound
    _ = Repetition(.calendar(try RecurrenceRule(parsing: rule)), start: start).next(
      after: start, now: now, in: FixedZone())
  }
}
