import Testing
import ToDoModel
import ToDoTestScreens
import ToDoText

@testable import ToDoScreens

/// The form of an item that repeats every two weeks on Tuesday, from 2026-05-05.
@Suite struct FormRepetitionTests {
  private static let tuesday = CalendarDate(daysSinceEpoch: 20_578)

  private static func date(_ day: Int) -> DueDate { .date(CalendarDate(daysSinceEpoch: tuesday.daysSinceEpoch + day)) }

  private static let repetition = Repetition(
    .calendar(RecurrenceRule(.weekly, interval: 2, weekdays: [RecurrenceRule.Weekday(1)])), start: date(0))

  /// Returns an item whose first occurrence is due a number of days after its original date.
  private static func item(movedBy days: Int = 0, _ repetition: Repetition = repetition) -> ToDoItem {
    var repetition = repetition
    if days != 0 { repetition.occurrence = date(0) }
    return FormBench.item(ItemContent(title: "Water", due: date(days), repetition: repetition))
  }

  /// The third row of the repetition: its next dates.
  private func dates(_ bench: FormBench) throws -> String {
    let texts = bench.drawing.texts
    let row = try #require(texts.firstIndex { $0.hasPrefix("  repeat ") || $0.hasPrefix("> repeat ") })
    return String(texts[row + 2].drop { $0 == " " })
  }

  /// Replaces the due date.
  private func setDue(_ text: String, in bench: inout FormBench) {
    while bench.screen.focus != .due { bench.press(.tab) }
    bench.press(.control("e"), .control("u"))
    bench.type(text)
  }

  // MARK: The preview

  @Test(arguments: [0, 1, -1]) func preview_countsFromOriginalDate(days: Int) throws {
    let bench = FormBench(editing: Self.item(movedBy: days))
    let due = ["Mon 4 May", "Tue 5 May", "Wed 6 May"][days + 1]
    #expect(try dates(bench) == "\(due), Tue 19 May, Tue 2 Jun")
  }

  @Test func preview_whileDueDateIsTyped_countsFromOriginalDate() throws {
    var bench = FormBench(editing: Self.item())
    setDue("2026-05-08", in: &bench)
    #expect(try dates(bench) == "Fri 8 May, Tue 19 May, Tue 2 Jun")
    // On the day of a later occurrence, the item stands for that one.
    setDue("2026-05-19", in: &bench)
    #expect(try dates(bench) == "Tue 19 May, Tue 2 Jun, Tue 16 Jun")
  }

  @Test func preview_ofOtherRule_countsFromDueDate() throws {
    var bench = FormBench(editing: Self.item(movedBy: 1))
    while bench.screen.focus != .repetition { bench.press(.tab) }
    bench.press(.control("u"))
    bench.type("every 3 days")
    #expect(try dates(bench) == "Wed 6 May, Sat 9 May, Tue 12 May")
  }
}
