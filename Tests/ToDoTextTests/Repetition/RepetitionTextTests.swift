import Testing
import ToDoModel
import ToDoTestScreens
import ToDoTestSupport

@testable import ToDoText

/// Repetitions on Wednesday, 2026-04-29, 10:15:42 in Berlin.
@Suite struct RepetitionTextTests {
  private let zone = CentralEuropeanZone()

  private func parse(_ text: String, _ locale: String = "") throws -> ParsedRepetition? {
    try RepetitionParser(dates: DueDateParser(now: Sample.start, zone: zone, locale: locale), locale: locale).parse(
      text)
  }

  @Test(arguments: [
    ("FREQ=DAILY", "every day"), ("FREQ=DAILY;INTERVAL=3", "every 3 days"), ("FREQ=WEEKLY", "every week"),
    ("FREQ=WEEKLY;BYDAY=TU", "every Tuesday"), ("FREQ=WEEKLY;BYDAY=MO,WE,FR", "every Mon, Wed and Fri"),
    ("FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR", "every weekday"),
    ("FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,TH", "every 2 weeks on Mon and Thu"),
    ("FREQ=WEEKLY;INTERVAL=2;BYDAY=FR", "every 2 weeks on Friday"), ("FREQ=MONTHLY", "every month"),
    ("FREQ=MONTHLY;BYMONTHDAY=1,15", "every month on the 1st and 15th"),
    (
      "RSCALE=GREGORIAN;FREQ=MONTHLY;BYMONTHDAY=31;SKIP=BACKWARD", "every month on the 31st (or the last day)"
    ),
    ("FREQ=MONTHLY;BYMONTHDAY=31", "every month on the 31st (if there is one)"),
    ("FREQ=MONTHLY;BYMONTHDAY=-1", "every month on the last day"), ("FREQ=MONTHLY;BYDAY=1MO", "every first Monday"),
    ("FREQ=MONTHLY;BYDAY=1FR,3FR", "every first and third Friday"),
    ("FREQ=MONTHLY;BYDAY=2FR", "every second Friday of the month"), ("FREQ=MONTHLY;BYDAY=-1FR", "every last Friday"),
    ("FREQ=MONTHLY;INTERVAL=3;BYDAY=-1FR", "every 3 months on the last Friday"), ("FREQ=YEARLY", "every year"),
    ("FREQ=YEARLY;BYMONTH=12;BYMONTHDAY=24", "every year on 24 Dec"),
    ("FREQ=YEARLY;INTERVAL=2;BYMONTH=4,10;BYMONTHDAY=1", "every 2 years on 1 Apr and 1 Oct"),
    ("FREQ=YEARLY;BYMONTH=5;BYDAY=1MO", "every year on the first Monday of May"),
    ("FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR;UNTIL=20270301", "every weekday until 1 Mar 2027"),
    ("FREQ=DAILY;COUNT=10", "every day, 10 times in all"), ("FREQ=DAILY;COUNT=1", "every day, 1 time in all"),
    ("FREQ=DAILY;UNTIL=20270301T170000Z", "every day until 1 Mar 2027"),
    ("FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13", "FREQ=MONTHLY;BYMONTHDAY=13;BYDAY=FR"),
  ])
  func words_sayRuleAsPeopleDo(_ text: String, _ expected: String) throws {
    #expect(Repetition.Rule.calendar(try RecurrenceRule(parsing: text)).words(in: zone) == expected)
  }

  @Test func words_ofInterval_sayWhenItBegins() {
    #expect(Repetition.Rule.afterDone(.init(3, .daily)).words(in: zone) == "3 days after it is done")
    #expect(Repetition.Rule.afterDone(.init(1, .monthly)).words(in: zone) == "1 month after it is done")
  }

  @Test func nextDates_ofAnotherZone_followItsClocks() throws {
    struct NewYork: TimeZoneRules {
      func offset(at instant: Timestamp) -> ZoneOffset { ZoneOffset(seconds: -4 * 3600, name: "EDT") }
    }
    let due = DueDate.time(try #require(Timestamp("2026-10-20T18:00:00Z")))
    let repetition = Repetition(.calendar(RecurrenceRule(.weekly)), timeZone: "America/New_York", start: due)
    let today = try #require(CalendarDate("2026-10-19"))
    // Berlin sets its clocks back on 25 October.
    #expect(
      repetition.nextDates(after: due, today: today, in: zone, repeatingIn: NewYork())
        == "Tue 27 Oct 19:00, Tue 3 Nov 19:00, Tue 10 Nov 19:00")
    #expect(
      repetition.nextDates(after: due, today: today, in: zone)
        == "Tue 27 Oct 20:00, Tue 3 Nov 20:00, Tue 10 Nov 20:00")
  }

  @Test func words_ofAnyReadableRule_areReadAsThatRule() throws {
    var generator = SeededGenerator(seed: 29)
    // On the 29th and later, `every month` says the day of the month.
    let now = Timestamp(microseconds: Sample.start.microseconds - 10 * 86_400_000_000)
    let parser = RepetitionParser(dates: DueDateParser(now: now, zone: zone))
    for _ in 0..<2000 {
      let rule = Self.rule(using: &generator)
      let words = rule.words(in: zone)
      let parsed = Result { try parser.parse(words)?.rule }
      #expect((try? parsed.get()) == rule, "\(words): \(parsed)")
    }
  }

  private static func rule(using generator: inout SeededGenerator) -> Repetition.Rule {
    let unit = RecurrenceRule.Frequency.allCases.randomElement(using: &generator) ?? .daily
    let interval = Bool.random(using: &generator) ? 1 : Int.random(in: 2...999, using: &generator)
    if Int.random(in: 0..<8, using: &generator) == 0 { return .afterDone(.init(interval, unit)) }
    var rule = RecurrenceRule(unit, interval: interval)
    let kind = Int.random(in: 0..<4, using: &generator)
    switch unit {
    case .daily: break
    case .weekly:
      if kind > 0 { rule.weekdays = some(0...6, &generator).map { .init($0) } }
      if kind == 3 { rule.months = [[1, 2, 12], [4, 5, 6, 7], [11, 12]].randomElement(using: &generator) ?? [] }
    case .monthly:
      if kind == 1 { rule.monthDays = some(1...31, &generator) }
      if kind == 2 { rule.monthDays = [-1] }
      if kind == 3 { rule.weekdays = counted(&generator) }
      rule.clampsMonthDays = rule.monthDays.contains { $0 > 28 }
    case .yearly:
      if kind == 1 {
        (rule.months, rule.monthDays) = (some(1...12, &generator), [Int.random(in: 1...28, using: &generator)])
      }
      if kind == 2 { (rule.months, rule.weekdays) = ([Int.random(in: 1...12, using: &generator)], counted(&generator)) }
      if kind == 3 { (rule.months, rule.monthDays, rule.clampsMonthDays) = ([2], [29], true) }
    }
    switch Int.random(in: 0..<3, using: &generator) {
    case 1: rule.end = .count(Int.random(in: 1...9999, using: &generator))
    case 2: rule.end = .until(.date(CalendarDate(daysSinceEpoch: Int.random(in: 36_000...40_000, using: &generator))))
    default: break
    }
    return .calendar(rule)
  }

  /// Returns some numbers of a range, in ascending order, at least one.
  private static func some(_ range: ClosedRange<Int>, _ generator: inout SeededGenerator) -> [Int] {
    let count = Int.random(in: 1...min(4, range.count), using: &generator)
    return range.shuffled(using: &generator).prefix(count).sorted()
  }

  private static func counted(_ generator: inout SeededGenerator) -> [RecurrenceRule.Weekday] {
    let day = Int.random(in: 0...6, using: &generator)
    return some(0...5, &generator).map { .init(day, ordinal: $0 == 0 ? -1 : $0) }.sorted { $0.ordinal < $1.ordinal }
  }

  // MARK: Parsing

  @Test(arguments: [
    ("every tuesday 18:00", "every Tuesday | Tue 2026-05-05 18:00 CEST"),
    ("tuesdays", "every Tuesday | Tue 2026-05-05"),
    ("mon, thu", "every Mon and Thu | Thu 2026-04-30"), ("2 weeks", "every 2 weeks | Wed 2026-04-29"),
    ("Every Month On The 31st", "every month on the 31st (or the last day) | Thu 2026-04-30"),
    ("3 days after done", "3 days after it is done | Wed 2026-04-29"), ("weekly", "every week | Wed 2026-04-29"),
    ("first monday of the month", "every first Monday | Mon 2026-05-04"),
    ("rrule:freq=weekly;byday=tu", "every Tuesday | Tue 2026-05-05"),
    ("FREQ=DAILY;COUNT=3", "every day, 3 times in all | Wed 2026-04-29"),
    ("FREQ=WEEKLY;INTERVAL=3;BYDAY=WE", "every 3 weeks on Wednesday | Wed 2026-04-29"),
    ("FREQ=MONTHLY;BYMONTHDAY=-1", "every month on the last day | Thu 2026-04-30"),
    ("FREQ=YEARLY;BYDAY=20MO", "FREQ=YEARLY;BYDAY=20MO | Mon 2026-05-18"),
    ("FREQ=WEEKLY;BYMONTH=6,7,8;BYDAY=SA", "every Saturday from Jun to Aug every year | Sat 2026-06-06"),
    ("FREQ=DAILY;INTERVAL=2;BYMONTH=1,11,12", "every 2 days from Nov to Jan every year | Sun 2026-11-01"),
    ("FREQ=WEEKLY;BYMONTH=3,10", "FREQ=WEEKLY;BYMONTH=3,10 | Wed 2026-10-07"),
    ("weekdays", "every weekday | Wed 2026-04-29"), ("weekdays 9:00", "every weekday | Thu 2026-04-30 09:00 CEST"),
    ("weekends", "every Sat and Sun | Sat 2026-05-02"),
    ("alternate wednesdays", "every 2 weeks on Wednesday | Wed 2026-04-29"),
    ("every mo, we", "every Mon and Wed | Wed 2026-04-29"),
    ("weekly every mon 8:00", "every Monday | Mon 2026-05-04 08:00 CEST"),
    (
      "every 2 weeks from may to september every year",
      "every 2 weeks from May to Sep every year | Fri 2026-05-01"
    ),
    ("alternate fridays", "every 2 weeks on Friday | Fri 2026-05-01"),
    ("first monday every 3 months", "every 3 months on the first Monday | Mon 2026-05-04"),
    ("every saturday from april to october every year", "every Saturday from Apr to Oct every year | Sat 2026-05-02"),
    ("every saturday from may 2026 to july 2026", "every Saturday until 31 Jul 2026 | Sat 2026-05-02"),
  ])
  func parse_readsWordsAndRules(_ text: String, _ expected: String) throws {
    let parsed = try #require(try parse(text))
    #expect("\(parsed.rule.words(in: zone)) | \(parsed.due?.absoluteText(in: zone) ?? "-")" == expected)
  }

  @Test(arguments: [
    ("monthly", "2026-05-31", "every month on the 31st (or the last day)"),
    ("every 2 months", "2026-05-30", "every 2 months on the 30th (or the last day)"),
    ("every month", "2026-05-28", "every month"),
    ("yearly", "2028-02-29", "every year on 29 Feb (or the last day)"), ("yearly", "2026-05-31", "every year"),
    ("monthly until 1 dec", "2026-05-31", "every month on the 31st (or the last day) until 1 Dec 2026"),
    ("every month on the 15th", "2026-05-31", "every month on the 15th"), ("weekly", "2026-05-31", "every week"),
    ("2 months after done", "2026-05-31", "2 months after it is done"), ("FREQ=MONTHLY", "2026-05-31", "every month"),
    ("rrule:freq=yearly", "2028-02-29", "every year"),
  ])
  func rule_fromADayThatNotAllMonthsHave_isTheirLastDay(_ text: String, _ first: String, _ words: String) throws {
    let parsed = try #require(try parse(text))
    let due = DueDate.date(try #require(CalendarDate(first)))
    #expect(parsed.rule(from: due, in: zone).words(in: zone) == words)
    #expect(parsed.rule(from: nil, in: zone) == parsed.rule)
  }

  @Test func parse_inGerman_readsBothLanguages() throws {
    #expect(try parse("jeden Montag", "de_DE")?.rule.words(in: zone) == "every Monday")
    #expect(try parse("montags", "de_DE")?.rule.words(in: zone) == "every Monday")
    #expect(try parse("every monday", "de_DE")?.rule.words(in: zone) == "every Monday")
  }

  @Test func parse_ofNone_isNil() throws {
    #expect(try parse(" None ") == nil)
  }

  @Test(arguments: [
    ("soon", "'soon' is not a repetition; use \(RepetitionParser.acceptedForms)"),
    ("every tuesday foo", "'foo' in 'every tuesday foo' is not a repetition; use \(RepetitionParser.acceptedForms)"),
    ("every 6 hours", "'every 6 hours' repeats within a day; items repeat by days, weeks, months or years"),
    ("twice a week", "'twice a week' happens more than once; add an item for each"),
    ("every second friday", "'every second friday' can mean more than one repetition, or more than one time"),
    (
      "every saturday from april to october",
      "'every saturday from april to october' can mean more than one repetition, or more than one time"
    ),
    (
      "every monday and every 2 weeks",
      "'every monday … every 2 weeks' is more than one repetition; add an item for each"
    ),
    (
      "FREQ=WEEKLY;BYDAY=MO;UNTIL=20260503",
      "'FREQ=WEEKLY;BYDAY=MO;UNTIL=20260503' ends before its first day, 2026-05-04"
    ),
    (
      "every day in december",
      "'every day in december' can mean more than one repetition, or more than one time"
    ),
    ("every monday 5 times until 1 july", "'5 times … until 1 july' are two ends; leave out one of them"),
    ("every monday, until 1 july, 5 times", "'until 1 july … 5 times' are two ends; leave out one of them"),
    ("every day until yesterday", "'every day until yesterday' begins or ends in the past"),
    ("FREQ=HOURLY", "'FREQ=HOURLY' has FREQ=HOURLY; FREQ must be DAILY, WEEKLY, MONTHLY or YEARLY"),
  ])
  func parse_whenTextIsNone_saysWhy(_ text: String, _ expected: String) throws {
    let error = #expect(throws: InvalidText.self) { try parse(text) }
    #expect(error?.description == expected)
  }

  // MARK: Waiting

  @Test(arguments: [
    ("fri", "Fri 2026-05-01 00:00 CEST"), ("fri 9:00", "Fri 2026-05-01 09:00 CEST"),
    ("+2h", "Wed 2026-04-29 12:15 CEST"),
  ])
  func moment_ofDay_isItsStart(_ text: String, _ expected: String) throws {
    let time = try DueDateParser(now: Sample.start, zone: zone).parseMoment(text)
    #expect(DueDate.time(time).absoluteText(in: zone) == expected)
  }
}
