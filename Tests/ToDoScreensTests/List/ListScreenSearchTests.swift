import Testing
import ToDoModel
import ToDoTestScreens
import ToDoTestSupport
import ToDoText

@testable import ToDoScreens

@Suite struct ListScreenSearchTests {
  typealias Bench = ListScreenBench

  private var bench: Bench {
    let today = DueDate.date(CalendarDate(daysSinceEpoch: 20_572))
    return Bench([
      Bench.item(1, "Oat milk", due: today), Bench.item(2, "Rent", location: Location(name: "Bank")),
      Bench.item(3, "Milk"), Bench.item(4, "Call Ann"),
    ])
  }

  @Test func search_showsMatchesAsTheyAreTyped() {
    var bench = bench
    bench.press(.end)
    bench.type("/mi")
    #expect(bench.shown == [1, 3])
    #expect(bench.selected == 1)
    #expect(bench.drawing.texts.first == "Today (1 of 1)")
    #expect(bench.drawing.texts.last == "/mi")
    #expect(bench.drawing.cursor == ScreenPosition(row: 22, column: 3))
    bench.press(.down, .enter)
    #expect(bench.shown == [1, 3])
    #expect(bench.selected == 3)
    #expect(bench.drawing.cursor == nil)
    #expect(bench.drawing.status.contains("/mi"))
    bench.press(.escape)
    #expect(bench.shown == [1, 2, 3, 4])
    #expect(bench.selected == 3)
  }

  @Test func search_whenEscapeIsPressed_isCleared() {
    var bench = bench
    bench.type("/ann")
    #expect(bench.shown == [4])
    bench.press(.backspace, .backspace, .backspace)
    #expect(bench.shown == [1, 2, 3, 4])
    bench.type("x")
    #expect(bench.shown == [])
    #expect(bench.drawing.texts.first == "No item matches.")
    #expect(bench.press(.escape) == [])
    #expect(bench.shown == [1, 2, 3, 4])
    #expect(bench.screen.filter == ListFilter())
  }

  @Test func search_whenTextIsPasted_searchesForIt() {
    var bench = bench
    bench.type("/")
    bench.send(.paste("call\nann"))
    #expect(bench.shown == [4])
    bench.press(.enter)
    bench.send(.paste("ignored"))
    #expect(bench.shown == [4])
  }

  @Test func search_whenListIsLong_continuesWithTimer() {
    var bench = Bench(
      (1...20_000 as ClosedRange<UInt64>).map { Bench.item($0, $0.isMultiple(of: 3) ? "Milk" : "Rent") })
    let actions = bench.type("/milk")
    #expect(actions.last == .perform(.startTimer(.search, .zero)))
    #expect(bench.drawing.status.contains("searching"))
    bench.put(Bench.item(1, "Milk"), Bench.item(20_000, "Rent"))
    bench.finishSearch(actions)
    #expect(bench.shown == [1] + stride(from: 3, to: 20_000, by: 3))
  }

  @Test func filter_byDueDateAndPlace() {
    var bench = bench
    bench.type("ftoday")
    #expect(bench.drawing.texts.last?.hasPrefix("due: today") == true)
    #expect(bench.drawing.cursor == ScreenPosition(row: 22, column: 10))
    #expect(bench.press(.enter) == [])
    #expect(bench.shown == [1])
    #expect(bench.drawing.status.contains("due today"))
    bench.type("f")
    bench.press(.control("u"), .tab)
    bench.type("ban")
    bench.press(.enter)
    #expect(bench.shown == [2])
    bench.type("f")
    bench.press(.escape)
    #expect(bench.shown == [1, 2, 3, 4])
  }

  @Test func filter_whenDueDateIsInvalid_isNotApplied() throws {
    var bench = bench
    bench.type("fsoonish")
    let action = try #require(bench.press(.enter).first)
    guard case .message(let text) = action else {
      Issue.record("\(action)")
      return
    }
    #expect(text.hasPrefix("'soonish' is not a due date to filter by; use a day"))
    #expect(bench.shown == [1, 2, 3, 4])
    #expect(bench.screen.input.isOpen)
  }

  @Test func firstFilter_isAppliedAndReported() {
    let filtered = Bench([Bench.item(1, "Milk"), Bench.item(2, "Rent")], filter: ListFilter(text: "rent"))
    #expect(filtered.shown == [2])
    var screen = ListScreen(showing: .all, filter: ListFilter(due: "soonish"))
    let actions = screen.handle(.resized, filtered.content, filtered.environment)
    #expect(actions.count == 1)
  }

  @Test func alternatives_showItemsThatPassOne_withinSearchAndFilter() {
    let groups = ListFilter(alternatives: [ListFilter(text: "milk", excludedText: "2"), ListFilter(due: "tomorrow")])
    let tomorrow = DueDate.date(CalendarDate(year: 2026, month: 4, day: 30) ?? .epoch)
    var bench = Bench(
      [
        Bench.item(1, "Milk 1"), Bench.item(2, "Milk 2"), Bench.item(3, "Rent", due: tomorrow), Bench.item(4, "Call"),
      ], filter: groups)
    #expect(bench.shown == [3, 1])
    #expect(bench.drawing.status.contains("(/milk · not /2) or (due tomorrow)"))
    bench.type("/rent")
    #expect(bench.shown == [3])
    bench.press(.escape)
    bench.type("fnone")
    bench.press(.enter)
    #expect(bench.shown == [1])
    bench.type("f")
    bench.press(.escape)
    #expect(bench.screen.filter == groups)
    bench.environment.now = Timestamp(microseconds: Sample.start.microseconds + 86_400_000_000)
    bench.environment.dates = DueDateParser(now: bench.environment.now, zone: CentralEuropeanZone())
    bench.send(.minutePassed)
    #expect(bench.shown == [1])
    bench.press(.escape)
    #expect(bench.shown.count == 4)
  }

  @Test func excludedText_hidesItems() {
    let bench = Bench([Bench.item(1, "Milk"), Bench.item(2, "Rent")], filter: ListFilter(excludedText: "ren"))
    #expect(bench.shown == [1])
  }

  @Test func problem_namesInvalidValueOfAlternative() {
    let dates = DueDateParser(now: Sample.start, zone: CentralEuropeanZone())
    let filter = ListFilter(alternatives: [ListFilter(text: "a"), ListFilter(due: "soonish")])
    #expect(filter.problem(dates)?.hasPrefix("'soonish' is not a due date to filter by") == true)
  }

  @Test func dueFilter_whenDayChanges_isAppliedAgain() {
    var bench = bench
    bench.type("ftomorrow")
    bench.press(.enter)
    #expect(bench.shown == [])
    let yesterday = Timestamp(microseconds: Sample.start.microseconds - 86_400_000_000)
    bench.environment.now = yesterday
    bench.environment.dates = DueDateParser(now: yesterday, zone: CentralEuropeanZone())
    #expect(bench.send(.minutePassed) == [])
    #expect(bench.shown == [1])
  }

  @Test(arguments: [
    ("mil", "milk", true), ("milk", "mil", false), ("", "m", false), ("cafe", "cafe\u{301}", false), ("a", "a b", true),
    ("milk", "ilk", false), ("\u{1000}", "\u{1000}\u{102B}", false),
  ])
  func narrows_whenTextIsExtended(earlier: String, later: String, narrows: Bool) {
    #expect(ListFilter(text: later).narrows(ListFilter(text: earlier)) == narrows)
  }
}
