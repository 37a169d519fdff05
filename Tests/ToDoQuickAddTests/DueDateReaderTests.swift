import Testing
import ToDoModel
import ToDoQuickAdd

/// The time is Tuesday, 2026-11-24, 08:41.
@Suite struct DueDateReaderTests {
  private func span(_ text: String, _ locale: String = "") throws -> String? {
    let span = DueDateReader(locale: locale).span(text, today: try #require(Phrase.today), now: Phrase.now)
    return span.map { "\(Self.text($0.start))..<\(Self.text($0.end))" }
  }

  private static func text(_ due: QuickAddReading.Due?) -> String {
    switch due {
    case .day(let day): "\(day)"
    case .time(let day, let minutes): "\(day)T\(minutes)"
    case nil, .fromNow, .exact: ""
    }
  }

  @Test(arguments: [
    ("tomorrow", "2026-11-25..<2026-11-26"), ("weekend", "2026-11-28..<2026-11-30"),
    ("next week", "2026-11-30..<2026-12-07"), ("this week", "2026-11-23..<2026-11-30"),
    ("last week", "2026-11-16..<2026-11-23"), ("week 50", "2026-12-07..<2026-12-14"),
    ("christmas", "2026-12-25..<2026-12-26"), ("next month", "2026-12-01..<2027-01-01"),
    ("this year", "2026-01-01..<2027-01-01"), ("before fri", "..<2026-11-27"), ("before next week", "..<2026-11-30"),
    ("after fri", "2026-11-28..<"), ("after next week", "2026-12-07..<"), ("before fri 17:00", "..<2026-11-27T1020"),
    ("after fri 17:00", "2026-11-27T1020..<"), ("mon..fri", "2026-11-30..<2026-12-05"),
    ("28 dec .. 3 jan", "2026-12-28..<2027-01-04"), ("fri...", "2026-11-27..<"), ("..fri", "..<2026-11-28"),
    ("mon to fri", "2026-11-30..<2026-12-05"), ("weekend..next week", "2026-11-28..<2026-12-07"),
  ])
  func span_isOfAllDays(_ text: String, _ expected: String) throws {
    #expect(try span(text) == expected)
  }

  @Test(arguments: [
    ("de_DE", "Wochenende", "2026-11-28..<2026-11-30"), ("de_DE", "nächste Woche", "2026-11-30..<2026-12-07"),
    ("de_DE", "diesen Monat", "2026-11-01..<2026-12-01"), ("de_DE", "vor Freitag", "..<2026-11-27"),
    ("de_DE", "nach dem 28.11.", "2026-11-29..<"), ("de_DE", "Mo..Fr", "2026-11-30..<2026-12-05"),
    ("de_DE", "mo bis fr", "2026-11-30..<2026-12-05"), ("fr_FR", "la semaine prochaine", "2026-11-30..<2026-12-07"),
    ("fr_FR", "avant vendredi", "..<2026-11-27"), ("es_ES", "antes del viernes", "..<2026-11-27"),
    ("it_IT", "dopo venerdì", "2026-11-28..<"), ("de_DE", "next week", "2026-11-30..<2026-12-07"),
  ])
  func span_inOtherLanguages_isOfAllDays(_ locale: String, _ text: String, _ expected: String) throws {
    #expect(try span(text, locale) == expected)
  }

  @Test(arguments: [
    "", "..", "soon", "17:00", "tomorrow 9:00", "2h", "before", "mon -", "fri..mon..tue", "before soon",
  ])
  func span_whenTextIsNone_isNil(_ text: String) throws {
    #expect(try span(text) == nil)
  }

  @Test(arguments: [
    ("Sat", "weekend", "2026-11-28..<2026-11-30"), ("Sun", "weekend", "2026-11-28..<2026-11-30"),
    ("Sun", "next weekend", "2026-12-05..<2026-12-07"), ("Sat", "this week", "2026-11-23..<2026-11-30"),
  ])
  func weekend_onItsDays_isCurrentOne(_ today: String, _ text: String, _ expected: String) throws {
    let day = try #require(CalendarDate(year: 2026, month: 11, day: today == "Sat" ? 28 : 29))
    let span = try #require(DueDateReader(locale: "").span(text, today: day, now: 0))
    #expect("\(Self.text(span.start))..<\(Self.text(span.end))" == expected)
  }

  @Test(arguments: [
    ("2d", true), ("+2h", true), ("3 days", true), ("in 2d", false), ("fri", false), ("2 days ago", false),
  ])
  func durations_canCountFromOtherTimes(_ text: String, _ expected: Bool) {
    #expect(DueDateReader(locale: "").beginsWithDuration(text) == expected)
  }
}
