import Testing
import ToDoModel
import ToDoTestScreens

@testable import ToDoText

/// Sentences on Wednesday, 2026-04-29, 10:15:42 in Berlin.
@Suite struct ItemSentenceTests {
  private func read(_ text: String, locale: String = "C") -> ItemSentence {
    ItemSentenceReader(zone: CentralEuropeanZone()) { $0 == "LANG" ? locale : nil }
      .read(text, at: Sample.start)
  }

  @Test(arguments: [
    ("Buy oat milk", "Buy oat milk"),
    ("Buy oat milk tomorrow 17:00", "Buy oat milk | Thu 2026-04-30 17:00 CEST"),
    ("Buy milk tomorrow, 5pm", "Buy milk | Thu 2026-04-30 17:00 CEST"),
    ("tomorrow buy milk", "buy milk | Thu 2026-04-30"),
    ("Dinner tomorrow @Rossi 19:00", "Dinner | Thu 2026-04-30 19:00 CEST @ Rossi"),
    ("Call Ann in 2 hours", "Call Ann | Wed 2026-04-29 12:15 CEST"),
    ("Log on tomorrow", "Log on | Thu 2026-04-30"),
    ("Read 1984", "Read 1984"),
    ("tomorrow", "tomorrow"),
    ("", ""),
  ])
  func sentence_hasTitleDueAndPlace(_ text: String, _ expected: String) {
    let sentence = read(text)
    let due = sentence.due.map { " | " + $0.absoluteText(in: CentralEuropeanZone()) } ?? ""
    #expect(sentence.title + due + (sentence.place.map { " @ " + $0 } ?? "") == expected)
  }

  @Test func sentence_thatRepeats_hasRuleAndZone() {
    let reader = ItemSentenceReader(zone: CentralEuropeanZone(), zoneName: "Europe/Berlin") { _ in nil }
    let sentence = reader.read("Water plants every tuesday evening", at: Sample.start)
    #expect(sentence.title == "Water plants")
    #expect(sentence.due?.absoluteText(in: CentralEuropeanZone()) == "Tue 2026-05-05 18:00 CEST")
    let rule = RecurrenceRule(.weekly, weekdays: [RecurrenceRule.Weekday(1)])
    #expect(sentence.repetition == Repetition(.calendar(rule), timeZone: "Europe/Berlin"))
  }

  @Test func sentence_whenLocaleIsGerman_hasGermanDays() {
    #expect(read("Milch kaufen morgen", locale: "de_DE.UTF-8").title == "Milch kaufen")
    #expect(read("Milch kaufen morgen").title == "Milch kaufen morgen")
  }

  @Test func sentence_whenTimeIsInGapOfClockChange_isMovedBehindIt() {
    let due = read("Wake up 2027-03-28 02:30").due
    #expect(due?.absoluteText(in: CentralEuropeanZone()) == "Sun 2027-03-28 03:30 CEST")
  }

  @Test(arguments: [
    ("Call mum", nil),
    ("Meeting thursday 28 november", "No date was read, because the days or times don't combine."),
    ("Rent every 1st", nil),
    (
      "Meds every 8h",
      "No date was read, because 'every 8h' repeats within a day; items repeat by days, weeks, months or years."
    ),
    ("Gym twice a week", "No date was read, because 'twice a week' happens more than once; add an item for each."),
    ("Repot every now and then", "No date was read, because 'every now and then' doesn't say when."),
    ("Books yesterday", "No date was read, because it is in the past."),
    ("Call Ann at 5", "The hour has no 'am' or 'pm'; read as today 17:00."),
    ("Mow on the weekend", "Due on the first day, Sat 2 May."),
    ("Milk tmrw", "No date was read; 'tmrw' only looks like one."),
  ])
  func notice_saysHowSentenceWasRead(_ text: String, _ expected: String?) {
    #expect(read(text).notice == expected)
  }
}
