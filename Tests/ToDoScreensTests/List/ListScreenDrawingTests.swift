import Testing
import ToDoModel
import ToDoTestSupport
import ToDoText

@testable import ToDoScreens

@Suite struct ListScreenDrawingTests {
  typealias Bench = ListScreenBench

  private func due(_ day: Int) -> DueDate? { CalendarDate(year: 2026, month: 4, day: day).map(DueDate.date) }

  private var bench: Bench {
    Bench([
      Bench.item(2, "Pay the rent", due: due(28)), Bench.item(1, "牛乳を買う", location: Location(name: "Corner\u{1B}shop")),
      Bench.item(3, "Call Ann", done: true),
    ])
  }

  private func resize(_ bench: inout Bench, _ rows: Int, _ columns: Int) {
    bench.environment.size = WindowSize(rows: rows, columns: columns)
    bench.send(.resized)
  }

  @Test func drawing_containsSectionsAndSelection() {
    var bench = bench
    #expect(
      bench.drawing.texts == [
        "Overdue (1)",
        ">! 2  Pay the rent  yesterday",
        "",
        "Later (1)",
        "   1  牛乳を買う               Corner\\u{1B}shop",
        "",
        "Done (1)",
        "   3  Call Ann",
      ])
    #expect(bench.drawing.status == "1 of 3 · by due date")
    bench.press(.end)
    #expect(bench.drawing.texts.last == ">  3  Call Ann")
    resize(&bench, 24, 100)
    #expect(bench.drawing.status == "3 of 3 · by due date · revision 1")
  }

  @Test func drawing_stylesSelectionAndChanges() {
    var bench = bench
    bench.put(Bench.item(3, "Call Bob", done: true, revision: 2))
    #expect(bench.drawing.coloredLines[1].hasPrefix("\u{1B}[7m>! 2  Pay"))
    #expect(bench.drawing.coloredLines[7] == "\u{1B}[1m  *3  Call Bob\u{1B}[0m")
  }

  @Test func drawing_onNarrowTerminal_foldsRows() {
    var bench = bench
    resize(&bench, 8, 30)
    let later = ["", "Later (1)", "   1  牛乳を買う", "      Corner\\u{1B}shop"]
    #expect(bench.drawing.texts == ["Overdue (1)", ">! 2  Pay the rent", "      yesterday"] + later)
    bench.press(.end)
    #expect(bench.drawing.texts == later + ["", "Done (1)", ">  3  Call Ann"])
  }

  @Test(arguments: [(8, 30), (8, 59), (24, 80), (9, 61), (120, 400)])
  func drawing_whileSelectionMoves_fitsWindowAndShowsIt(rows: Int, columns: Int) {
    var generator = SeededGenerator(seed: 3)
    var bench = Bench((1...90).map { Bench.randomItem($0, revision: 1, &generator) })
    resize(&bench, rows, columns)
    let moves: [KeyPress] = [.down, .down, .pageDown, .up, .pageUp, .end, .home, .tab, .character("/"), .enter]
    for _ in 0..<300 {
      let move = moves.randomElement(using: &generator) ?? .down
      // In an open search, the slash would be a text that no item contains.
      bench.press(bench.screen.input.isOpen && move == .character("/") ? .escape : move)
      let drawing = bench.drawing
      #expect(drawing.texts.count <= rows - 1)
      #expect(drawing.texts.allSatisfy { $0.displayWidth <= columns })
      #expect(drawing.texts.count { $0.hasPrefix(">") } == 1)
      if !bench.screen.input.isOpen { #expect(drawing.texts.count >= min(rows - 2, 90)) }
    }
  }

  @Test func notices_replaceList() {
    var bench = Bench(waiting: .all)
    #expect(bench.drawing.texts == ["Waiting for the list"])
    bench.apply(.snapshotPage((1...12 as ClosedRange<UInt64>).map { Bench.item($0) }))
    #expect(bench.drawing.texts.first == "To do (12)")
    #expect(bench.drawing.status == "loading, 12 items so far · by due date")
    var empty = Bench()
    #expect(empty.drawing.texts == ["The list is empty. Press a to add an item."])
    empty.environment.isReadOnly = true
    #expect(empty.drawing.texts == ["The list is empty."])
    #expect(Bench([Bench.item(1, done: true)], showing: .todo).drawing.texts == ["To do (0)"])
  }

  @Test func highlights_lastOneSecond() {
    var bench = bench
    bench.environment.uptime = .seconds(5)
    #expect(bench.put(Bench.item(1, "Milk", revision: 2)) == [.perform(.startTimer(.highlight, .seconds(1)))])
    bench.environment.uptime = .milliseconds(5_700)
    #expect(bench.put(Bench.item(3, "Call Bob", done: true, revision: 3)) == [])
    #expect(bench.drawing.texts[4] == "  *1  Milk")
    bench.environment.uptime = .seconds(6)
    #expect(bench.send(.timer(.highlight)) == [.perform(.startTimer(.highlight, .milliseconds(700)))])
    #expect(bench.drawing.texts[4] == "   1  Milk")
    #expect(bench.drawing.texts[7] == "  *3  Call Bob")
    bench.environment.uptime = .milliseconds(6_700)
    #expect(bench.send(.timer(.highlight)) == [])
    #expect(bench.drawing.texts[7] == "   3  Call Bob")
  }

  @Test func window_whenItemsAreAddedAbove_staysInPlace() {
    var bench = Bench((101...160 as ClosedRange<UInt64>).map { Bench.item($0) })
    bench.press(.pageDown, .pageDown)
    let before = bench.drawing.texts
    bench.put(Bench.item(1), Bench.item(2))
    #expect(bench.drawing.texts == before)
  }

  @Test func hints_fitState() {
    var bench = bench
    #expect(bench.drawing.hints.first == KeyHint("space", "check"))
    bench.press(.end)
    #expect(bench.drawing.hints.first == KeyHint("space", "uncheck"))
    bench.environment.isReadOnly = true
    let changing: Set<String> = ["space", "a", "e", "d", "u"]
    #expect(!bench.drawing.hints.contains { changing.contains($0.key) })
    bench.type("/")
    #expect(bench.drawing.hints == [KeyHint("Enter", "keep"), KeyHint("Esc", "clear")])
  }
}
