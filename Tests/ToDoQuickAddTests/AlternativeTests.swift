import Testing
import ToDoModel
import ToDoQuickAdd

/// What a writer can choose from, on Tuesday, 2026-11-24, 08:41.
@Suite struct AlternativeTests {
  @Test(arguments: [
    ("Meeting thursday 27 november", ["Meeting: 2026-11-26", "Meeting: 2026-11-27"]),
    ("Call Eve tomorrow or friday", ["Call Eve: 2026-11-25", "Call Eve: 2026-11-27"]),
    ("Physio tue thu 9:15", ["Physio: 2026-12-01T9:15", "Physio: 2026-11-26T9:15"]),
    ("Meeting tomorrow 10am - 11am", ["Meeting: 2026-11-25T10:00", "Meeting: 2026-11-25T11:00"]),
    ("Workshop tomorrow 14:00-16:00 @Annex", ["Workshop: 2026-11-25T14:00", "Workshop: 2026-11-25T16:00"]),
    ("Night shift 22:00 - 6:00", ["Night shift: 2026-11-24T22:00", "Night shift: 2026-11-25T6:00"]),
    ("Meeting tomorrow 9-10am", ["Meeting: 2026-11-25T9:00", "Meeting: 2026-11-25T10:00"]),
    ("Meeting tomorrow 9–10am", ["Meeting: 2026-11-25T9:00", "Meeting: 2026-11-25T10:00"]),
    ("Lunch tomorrow 11-1pm", ["Lunch: 2026-11-25T11:00", "Lunch: 2026-11-25T13:00"]),
    ("Workshop 14-16h tomorrow", ["Workshop: 2026-11-25T14:00", "Workshop: 2026-11-25T16:00"]),
    ("Yoga 14:00-16 tomorrow", ["Yoga: 2026-11-25T14:00", "Yoga: 2026-11-25T16:00"]),
    ("Night shift tomorrow 10pm-6am", ["Night shift: 2026-11-25T22:00", "Night shift: 2026-11-26T6:00"]),
    ("Gym 9-10 pm", ["Gym: 2026-11-24T21:00", "Gym: 2026-11-24T22:00"]),
    ("Class from 2 to 4pm mon", ["Class: 2026-11-30T14:00", "Class: 2026-11-30T16:00"]),
    ("Conference 7-11 dec", ["Conference: 2026-12-07", "Conference: 2026-12-11"]),
    ("Return the books last friday", ["Return the books: 2026-11-20"]),
    ("Return the books today 7:30", ["Return the books: 2026-11-24T7:30"]),
    ("Sunday brunch 11am", ["Sunday brunch: 2026-11-29T11:00", "Sunday brunch: 2026-11-24T11:00"]),
    (
      "New Year's Eve party 20:00",
      ["New Year's Eve party: 2026-12-31T20:00", "New Year's Eve party: 2026-11-24T20:00"]
    ),
    ("Buy milk tomorrow", []),
    ("Rent every 1st", []),
  ])
  func alternatives_areTheReadingsOfAmbiguousOrPastDates(_ sentence: String, _ expected: [String]) throws {
    let reading = QuickAddReader(locale: "en_US")
      .read(sentence, today: try #require(Phrase.today), now: Phrase.now)
    #expect(reading.alternatives.map { "\($0.title): \(text($0.due))" } == expected)
  }

  @Test(arguments: [
    ("Leave dec 24-31", 26, ["Leave: 2026-12-31"]),
    ("Leave dec 24-31", 20, ["Leave: 2026-12-24", "Leave: 2026-12-31"]),
    ("Leave 28 dec - 3 jan", 30, ["Leave: 2027-01-03"]),
  ])
  func alternatives_ofRangeThatHasBegun_areInTheSameYear(_ sentence: String, _ day: Int, _ expected: [String]) throws {
    let reading = QuickAddReader(locale: "en_US")
      .read(sentence, today: try #require(CalendarDate(year: 2026, month: 12, day: day)), now: Phrase.now)
    #expect(reading.alternatives.map { "\($0.title): \(text($0.due))" } == expected)
  }

  @Test(arguments: [("Send it eod", 521, "2026-11-24T17:00"), ("Send it eod", 1100, "2026-11-24")])
  func read_ofEndOfDay_isToday(_ sentence: String, _ now: Int, _ expected: String) throws {
    let reading = QuickAddReader(locale: "en_US").read(sentence, today: try #require(Phrase.today), now: now)
    #expect(reading.due.map(text) == expected)
  }

  /// A part of the day that has begun doesn't count as a past time.
  @Test(arguments: [
    ("Text Tom tonight", 1140, "2026-11-24T20:00"), ("Text Tom tonight", 1395, "2026-11-24"),
    ("Email Eve this evening", 1395, "2026-11-24"), ("Call Eve tomorrow evening", 1395, "2026-11-25T18:00"),
    ("Call Eve in the morning", 500, "2026-11-24T9:00"), ("Call Eve in the morning", 600, "2026-11-24"),
    ("Call Eve in the morning", 900, "2026-11-25T9:00"), ("Call Eve in the evening", 1140, "2026-11-24"),
    ("Call Eve in the evening", 1350, "2026-11-25T18:00"), ("Gym every evening", 1350, "2026-11-25T18:00"),
  ])
  func read_ofPartOfDay_isNotPast(_ sentence: String, _ now: Int, _ expected: String) throws {
    let reading = QuickAddReader(locale: "en_US").read(sentence, today: try #require(Phrase.today), now: now)
    #expect(reading.due.map(text) == expected)
  }

  @Test func read_ofHourWhenBothAreOver_isPast() throws {
    let reading = QuickAddReader(locale: "en_US").read("Gym today at 6", today: try #require(Phrase.today), now: 1110)
    #expect(reading.due == nil)
    #expect(reading.notice == .past)
    #expect(reading.alternatives.map { text($0.due) } == ["2026-11-24T18:00"])
  }

  /// Nobody chooses among more, and the combinations of a long sentence are too many to compute.
  @Test func alternatives_ofManyDaysAndTimes_areTheFirstTwenty() throws {
    let days = (1...30).map { "dec \($0)" } + ["or"] + (6...22).map { "\($0):15" }
    let reading = QuickAddReader(locale: "en_US").read(
      "Call " + days.joined(separator: " "), today: try #require(Phrase.today), now: Phrase.now)
    #expect(reading.notice == .ambiguous)
    #expect(reading.alternatives.count == 20)
  }

  @Test(arguments: [
    ("Termin morgen 9-10 Uhr", ["Termin: 2026-11-25T9:00", "Termin: 2026-11-25T10:00"]),
    ("Messe 7.-11. Dezember", ["Messe: 2026-12-07", "Messe: 2026-12-11"]),
  ])
  func alternatives_inGerman_areBothEndsOfRange(_ sentence: String, _ expected: [String]) throws {
    let reading = QuickAddReader(locale: "de_DE")
      .read(sentence, today: try #require(Phrase.today), now: Phrase.now)
    #expect(reading.alternatives.map { "\($0.title): \(text($0.due))" } == expected)
  }

  @Test func read_whenDueIsNotWanted_keepsItsWords() throws {
    let today = try #require(Phrase.today)
    let reader = QuickAddReader(locale: "en_US")
    let withoutDue = reader.read("Milk tomorrow @Shop", today: today, now: Phrase.now, readsDue: false)
    #expect((withoutDue.title, withoutDue.due, withoutDue.place) == ("Milk tomorrow", nil, "Shop"))
    let withoutPlace = reader.read("Milk @Shop tomorrow", today: today, now: Phrase.now, readsPlace: false)
    #expect((withoutPlace.title, withoutPlace.place) == ("Milk @Shop", nil))
    #expect(withoutPlace.due == .day(try #require(today.addingOne)))
  }

  private func text(_ due: QuickAddReading.Due) -> String {
    switch due {
    case .day(let day): "\(day)"
    case .time(let day, let minutes): "\(day)T\(minutes / 60):\(minutes % 60 < 10 ? "0" : "")\(minutes % 60)"
    case .fromNow(let minutes): "\(minutes)"
    case .exact(let day, let microseconds, _): "\(day)T\(microseconds)"
    }
  }
}

extension CalendarDate {
  fileprivate var addingOne: CalendarDate? { CalendarDate(year: year, month: month, day: day + 1) }
}
