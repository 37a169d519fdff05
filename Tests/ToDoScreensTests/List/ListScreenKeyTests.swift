import Testing
import ToDoModel
import ToDoTestScreens
import ToDoTestSupport

@testable import ToDoScreens

@Suite struct ListScreenKeyTests {
  typealias Bench = ListScreenBench

  /// A key and what it does in a list of the items 1 to 5 to do and 6 and 7 done, of which 2 is selected.
  struct Transition: Sendable, CustomTestStringConvertible {
    var key: KeyPress
    var selected: Int64 = 2
    var actions: [ScreenAction] = []

    var testDescription: String { "\(key)" }
  }

  private static let second = Sample.id(2)
  private static let coordinate = Coordinate(latitude: 52.5, longitude: 13.4)

  private static func bench() -> Bench {
    let place = Location(name: "Lake", coordinate: coordinate)
    var items = (1...5 as ClosedRange<UInt64>).map { Bench.item($0, location: $0 == 2 || $0 == 4 ? place : nil) }
    // The latest completed item comes first.
    items += [Bench.item(7, done: true), Bench.item(6, done: true)]
    var bench = Bench(items)
    bench.press(.down)
    return bench
  }

  static let transitions: [Transition] = [
    Transition(key: .up, selected: 1), Transition(key: .character("k"), selected: 1),
    Transition(key: .control("p"), selected: 1),
    Transition(key: .down, selected: 3), Transition(key: .character("j"), selected: 3),
    Transition(key: .control("n"), selected: 3),
    Transition(key: .pageDown, selected: 6), Transition(key: .pageUp, selected: 1),
    Transition(key: .home, selected: 1), Transition(key: .character("g"), selected: 1),
    Transition(key: .end, selected: 6), Transition(key: .character("G"), selected: 6),
    Transition(key: .tab, selected: 7), Transition(key: .backTab, selected: 7),
    Transition(key: .character(" "), actions: [.perform(.check(second))]),
    Transition(key: .character("d"), actions: [.perform(.delete(second))]),
    Transition(key: .character("M"), actions: [.outcome(.wantsToMove(second))]),
    Transition(key: .character("S"), actions: [.message(ListMessage.notRepeating)]), Transition(key: .character("p")),
    Transition(key: .character("a"), actions: [.outcome(.wantsToAdd)]),
    Transition(key: .character("A"), actions: [.outcome(.wantsForm)]), Transition(key: .character("D")),
    Transition(key: .character("e"), actions: [.outcome(.wantsToEdit(second))]),
    Transition(key: .enter, actions: [.outcome(.opened(second))]),
    Transition(key: .character("u"), actions: [.outcome(.wantsUndo)]),
    Transition(key: .character("?"), actions: [.outcome(.wantsHelp)]),
    Transition(key: .character("q"), actions: [.outcome(.closed)]),
    Transition(key: .escape, actions: [.message("press q to quit")]),
    Transition(key: .character("n"), actions: [.outcome(.wantsNearby(second))]),
    Transition(
      key: .character("m"), actions: [.outcome(.wantsMap(of: [second, Sample.id(4)], center: second))]),
    Transition(
      key: .character("3"), selected: 3, actions: [.perform(.startTimer(.number, .milliseconds(1500)))]),
    Transition(key: .character("#"), actions: [.perform(.startTimer(.number, .milliseconds(1500)))]),
    Transition(key: .character("/")), Transition(key: .character("f")), Transition(key: .character("s")),
    Transition(key: .character("x")), Transition(key: .left), Transition(key: .right), Transition(key: .backspace),
  ]

  @Test(arguments: transitions) func key_changesSelectionAndReturnsActions(transition: Transition) {
    var bench = Self.bench()
    #expect(bench.press(transition.key) == transition.actions)
    #expect(bench.selected == transition.selected)
  }

  private static let readOnly = ScreenAction.message(ListMessage.readOnly)
  private static let notConnected = ScreenAction.message(ListMessage.notConnected)

  @Test(arguments: [" ", "d", "D", "a", "A", "e", "u", "M", "S", "p"] as [Character])
  func changingKey_whenReadOnly_isRefused(key: Character) {
    var bench = Self.bench()
    bench.environment.isReadOnly = true
    #expect(bench.press(.character(key)) == [Self.readOnly])
  }

  @Test(arguments: [" ", "d", "u", "M", "S", "p"] as [Character]) func changingKey_whenNotConnected_isRefused(
    key: Character
  ) {
    var bench = Self.bench()
    bench.environment.connection = .lost(since: Sample.start)
    #expect(bench.press(.character(key)) == [Self.notConnected])
  }

  @Test(arguments: [" ", "d", "e", "n", "m", "M", "S", "p"] as [Character]) func itemKey_whenListIsEmpty_changesNothing(
    key: Character
  ) {
    var bench = Bench()
    let actions = bench.press(.character(key), .enter, .down, .tab)
    #expect(actions == (key == "m" ? [.message(ListMessage.noCoordinates)] : []))
    #expect(bench.selected == nil)
  }

  @Test func space_whenItemRepeats_namesItsRevision() {
    var item = Bench.item(1, revision: 7)
    item.content.repetition = Repetition(.calendar(RecurrenceRule(.daily)))
    var bench = Bench([item])
    #expect(bench.press(.character(" ")) == [.perform(.check(item.id, ifRevision: Revision(7)))])
  }

  @Test func space_whenItemIsDone_unchecks() {
    var bench = Self.bench()
    #expect(bench.press(.end, .character(" ")) == [.perform(.uncheck(Sample.id(6)))])
  }

  @Test func nearAndMap_withoutCoordinate_showMessage() {
    var bench = Self.bench()
    #expect(bench.press(.home, .character("n")) == [.message(ListMessage.noCoordinate)])
    let map = bench.press(.character("m"))
    #expect(map == [.outcome(.wantsMap(of: [Sample.id(2), Sample.id(4)], center: nil))])
  }

  @Test func digits_selectItemAsTheyAreTyped() {
    var bench = Bench((1...40 as ClosedRange<UInt64>).map { Bench.item($0) })
    bench.type("3")
    #expect(bench.selected == 3)
    bench.type("8")
    #expect(bench.selected == 38)
    #expect(bench.drawing.status.hasPrefix("#38 · "))
    #expect(bench.send(.timer(.number)) == [])
    bench.type("2")
    #expect(bench.selected == 2)
    bench.send(.timer(.number))
    bench.type("#17")
    #expect(bench.selected == 17)
    #expect(bench.press(.backspace) == [.perform(.startTimer(.number, .milliseconds(1500)))])
    #expect(bench.selected == 1)
    #expect(bench.press(.escape) == [.perform(.cancelTimer(.number))])
    #expect(bench.screen.typedNumber == nil)
  }

  @Test func key_whileNumberIsTyped_endsNumber() {
    var bench = Self.bench()
    bench.type("3")
    #expect(bench.press(.down) == [.perform(.cancelTimer(.number))])
    #expect(bench.selected == 4)
    #expect(bench.screen.typedNumber == nil)
  }

  @Test func sortKey_cyclesThroughOrders() {
    var bench = Bench([
      Bench.item(1, "b", revision: 3), Bench.item(2, "c", revision: 1, priority: .high),
      Bench.item(3, "a", revision: 2, priority: .low),
    ])
    let expected: [(String, [Int64])] = [
      ("by title", [3, 1, 2]), ("by creation", [3, 2, 1]), ("by change", [1, 3, 2]),
      ("by priority", [2, 3, 1]), ("by urgency", [2, 3, 1]), ("by due date", [1, 2, 3]),
    ]
    for (text, numbers) in expected {
      #expect(bench.type("s") == [])
      #expect(bench.shown == numbers)
      #expect(bench.drawing.status.contains(text))
      #expect(bench.selected == 1)
    }
  }

  @Test func urgency_onAnotherDay_isMeasuredAgain() {
    // On the first day, the priority counts more. The item that is due gains points with every day.
    let due = DueDate.date(CalendarDate(year: 2026, month: 5, day: 12) ?? .epoch)
    var bench = Bench([Bench.item(1, due: due), Bench.item(2, priority: .medium)])
    bench.type("sssss")
    #expect(bench.drawing.status.contains("by urgency"))
    #expect(bench.shown == [2, 1])
    bench.environment.now = Timestamp(microseconds: Sample.start.microseconds + 6 * 86_400_000_000)
    #expect(bench.send(.minutePassed) == [])
    #expect(bench.shown == [1, 2])
    bench.type("r")
    #expect(bench.shown == [2, 1])
    bench.environment.now = Sample.start
    bench.send(.minutePassed)
    #expect(bench.shown == [1, 2])
    #expect(bench.drawing.status.contains("by urgency, reversed"))
  }

  @Test func reverseKey_reversesEachSection() {
    let due = CalendarDate(year: 2026, month: 4, day: 28).map(DueDate.date)
    var bench = Bench([Bench.item(1, "b", due: due), Bench.item(2, "a"), Bench.item(3, "c", done: true)])
    #expect(bench.drawing.texts.first == "Overdue (1)")
    bench.type("r")
    #expect(bench.shown == [2, 1, 3])
    #expect(bench.drawing.texts.first == "To do (2)")
    #expect(bench.drawing.status.contains("by due date, reversed"))
    bench.type("r")
    #expect(bench.drawing.texts.first == "Overdue (1)")
    bench.type("sr")
    #expect(bench.shown == [1, 2, 3])
    #expect(bench.drawing.status.contains("by title, reversed"))
    bench.type("s")
    #expect(bench.drawing.status.contains("by creation"))
  }

  @Test func sort_whenListIsLong_runsOutside() throws {
    let count = UInt64(ListSections.immediateSortLimit + 1)
    var bench = Bench((1...count).map { Bench.item($0, "\(100_000 - $0)") })
    let action = try #require(bench.type("s").first)
    guard case .perform(.sort(let items, .title)) = action else {
      Issue.record("\(action)")
      return
    }
    #expect(items.count == Int(count))
    #expect(bench.drawing.status.contains("sorting by title"))
    bench.put(Bench.item(7, "0"))
    let sorted = RowOrder.title.sorted(items).map(\.item.id)
    bench.finishSearch(bench.send(.result(.sorted(.title, sorted))))
    #expect(bench.shown.prefix(2) == [7, Int64(count)])
    #expect(bench.shown.count == Int(count))
    #expect(!bench.drawing.status.contains("sorting"))
  }

  @Test func showNearest_ordersByDistanceUntilEscape() {
    let places = [10.0, 30, 20].map { Location(coordinate: Coordinate(latitude: $0, longitude: 0)) }
    var bench = Bench(places.enumerated().map { Bench.item(UInt64($0 + 1), location: $1) } + [Bench.item(4)])
    bench.type("s")
    #expect(bench.screen.showNearest(to: Sample.id(2), bench.content, bench.environment) == [])
    #expect(bench.shown == [2, 3, 1, 4])
    #expect(bench.selected == 2)
    #expect(bench.drawing.texts.prefix(3).last?.contains("1112 km") == true)
    #expect(bench.press(.escape) == [])
    #expect(bench.drawing.status.contains("by title"))
    let action = bench.screen.showNearest(to: Sample.id(4), bench.content, bench.environment)
    #expect(action == [.message(ListMessage.noCoordinate)])
  }
}
