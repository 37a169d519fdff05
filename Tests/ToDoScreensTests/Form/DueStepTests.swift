import Testing
import ToDoModel
import ToDoTestScreens
import ToDoText

@testable import ToDoScreens

/// Keys that change the due date of the form, on Wednesday, 2026-04-29, 10:15 in Berlin.
@Suite struct DueStepTests {
  private func bench(due: String) -> FormBench {
    var bench = FormBench()
    bench.type(due, into: .due)
    return bench
  }

  @Test(
    arguments: [
      (.controlDown, "Fri 2026-05-01"), (.controlUp, "Wed 2026-04-29"), (.control("n"), "Fri 2026-05-01"),
      (.control("p"), "Wed 2026-04-29"), (.pageDown, "Thu 2026-05-07"), (.pageUp, "Thu 2026-04-23"),
      (.control("x"), ""),
    ] as [(KeyPress, String)])
  func key_changesUnderstoodDate(key: KeyPress, expected: String) {
    var bench = bench(due: "tomorrow")
    bench.press(key)
    #expect(bench.screen.texts[.due].text == expected)
    #expect(bench.screen.focus == .due)
  }

  @Test func step_isShownAtOnce() {
    var bench = bench(due: "tomorrow")
    bench.press(.controlDown, .controlDown)
    #expect(bench.drawing.texts.contains("> due      Sat 2026-05-02"))
    #expect(bench.drawing.texts.contains("           → Sat 2026-05-02"))
    #expect(bench.screen.isChanged)
  }

  @Test func step_isOffered() {
    var bench = bench(due: "tomorrow")
    #expect(bench.drawing.hints.last == KeyHint("Ctrl-↑ ↓", "day"))
    bench.press(.tab)
    #expect(bench.drawing.hints.last == KeyHint("Tab", "next field"))
  }

  @Test func step_ofTime_keepsLocalTimeAcrossZoneChange() {
    var bench = bench(due: "2026-10-24 09:30")
    bench.press(.controlDown)
    #expect(bench.screen.texts[.due].text == "Sun 2026-10-25 09:30 CET")
  }

  @Test(arguments: [KeyPress.controlDown, .pageUp]) func step_fromNoDate_isToday(_ key: KeyPress) {
    var bench = bench(due: "")
    bench.press(key)
    #expect(bench.screen.texts[.due].text == "Wed 2026-04-29")
  }

  @Test func step_fromDateOfTitle_takesItFromThere() {
    var bench = FormBench()
    bench.type("Dinner tomorrow 19:00")
    bench.type("", into: .due)
    bench.press(.controlDown)
    #expect(bench.screen.texts[.title].text == "Dinner")
    #expect(bench.screen.texts[.due].text == "Fri 2026-05-01 19:00 CEST")
  }

  @Test func clear_ofDateInTitle_removesIt() {
    var bench = FormBench()
    bench.type("Dinner tomorrow")
    bench.type("", into: .due)
    bench.press(.control("x"))
    #expect(bench.screen.texts[.title].text == "Dinner")
    #expect(bench.screen.texts[.due].text == "")
  }

  @Test func step_whenTextIsNoDate_changesNothing() {
    var bench = bench(due: "soonish")
    #expect(bench.press(.controlDown).isEmpty)
    #expect(bench.screen.texts[.due].text == "soonish")
  }

  @Test func step_beyondLastYear_changesNothing() {
    var bench = bench(due: "9999-12-31")
    bench.press(.pageDown)
    #expect(bench.screen.texts[.due].text == "Fri 9999-12-31")
  }

  @Test func controlArrow_inOtherField_movesLikeArrow() {
    var bench = FormBench()
    bench.press(.controlDown, .down)
    #expect(bench.screen.focus == .repetition)
    bench.press(.controlUp)
    #expect(bench.screen.focus == .due)
  }

  @Test func controlArrow_inList_movesLikeArrow() {
    var bench = CoordinatorBench([.listed(1, "Milk"), .listed(2, "Rent")])
    bench.press(.controlDown)
    #expect(bench.statusLine.hasPrefix("2 of 2"))
  }
}
