import Testing
import ToDoModel
import ToDoTestScreens
import ToDoText

@testable import ToDoScreens

@Suite struct FormDrawingTests {
  private let item = FormBench.item(
    ItemContent(
      title: "Buy milk", itemDescription: "Two liters of it, but not the expensive one\nand bread",
      due: .date(CalendarDate(daysSinceEpoch: 20_574)),
      location: Location(name: "Corner shop", address: "Markt 1, Jena"), tags: ["errands", "home"], priority: .high))

  @Test func form_at40x13_showsAllFields() {
    let drawing = FormBench(editing: item, rows: 13, columns: 40).drawing
    #expect(
      drawing.texts == [
        "Item 12",
        "> title    Buy milk",
        "  due      Fri 2026-05-01",
        "    → Fri 2026-05-01",
        "  repeat   ",
        "  wait     ",
        "  remind   ",
        "  tags     errands home",
        "  priority high",
        "  steps    ",
        "  place    Corner shop",
        "  address  Markt 1, Jena",
      ])
    #expect(drawing.cursor == ScreenPosition(row: 1, column: 19))
    #expect(drawing.hints == [KeyHint("Ctrl-S", "save"), KeyHint("Esc", "cancel"), KeyHint("Tab", "next field")])
  }

  @Test func form_at30x8_scrollsToFocus() throws {
    var bench = FormBench(editing: item, rows: 8, columns: 30)
    #expect(bench.drawing.texts.count == 7)
    #expect(bench.drawing.texts[0] == "Item 12")
    for field in FormField.allCases {
      bench.screen.focus = field
      let drawing = bench.drawing
      let cursor = try #require(drawing.cursor)
      #expect(drawing.texts.indices.contains(cursor.row))
      #expect(cursor.column < 30)
      if field != .note { #expect(drawing.texts[cursor.row].hasPrefix("> \(field.label)")) }
    }
    #expect(bench.drawing.texts.last == "           and bread")
  }

  @Test func dueDate_isShownAsUnderstood() {
    var bench = FormBench(rows: 12, columns: 40)
    bench.type("tomorrow 17:00", into: .due)
    #expect(bench.drawing.texts[3] == "    → Thu 2026-04-30 17:00 CEST")
    bench.type("x")
    #expect(
      bench.drawing.texts[3...5] == [
        "    'tomorrow 17:00x' is not a date or", "    time; write one such as 'tomorrow", "    17:00'",
      ])
    bench.press(.control("u"))
    #expect(bench.drawing.texts[3...4] == ["    such as: tomorrow 17:00, fri, 3d, 28", "    nov"])
  }

  @Test func candidates_areListedBelowAddress() {
    var bench = FormBench(rows: 15, columns: 80)
    bench.search("Neustadt", FormBench.candidates)
    bench.press(.down, .down)
    #expect(
      bench.drawing.texts.suffix(4) == [
        "> address  Neustadt",
        "            * Neustadt, Germany; town center",
        "           >  Neustadt, Romania; town center",
        "  note     ",
      ])
    #expect(bench.drawing.hints.first == KeyHint("Enter", "take"))
    bench.press(.enter, .tab)
    #expect(
      bench.drawing.texts.suffix(3) == [
        "  address  Neustadt", "           → Neustadt, Romania; town center", "> note     ",
      ])
  }

  @Test func attribution_isBelowCandidates() {
    var bench = FormBench(rows: 12, columns: 80)
    bench.search("Neustadt", FormBench.candidates, attribution: "© OpenStreetMap\u{7} contributors")
    let row = bench.drawing.coloredLines.dropLast().last
    #expect(row == "           \u{1B}[2m© OpenStreetMap\\u{7} contributors\u{1B}[0m")
    bench.press(.tab)
    #expect(!bench.drawing.texts.joined().contains("©"))
  }

  @Test func attribution_whenNoPlaceIsFound_isNotShown() {
    var bench = FormBench(rows: 15, columns: 80)
    bench.search("Neustadt", [], attribution: "© OpenStreetMap contributors")
    #expect(bench.drawing.texts.suffix(2) == ["           no place found", "  note     "])
  }

  @Test func map_at80x24_showsCandidate() {
    var bench = FormBench()
    bench.environment.labels = FakePlaceLabels()
    #expect(bench.drawing.texts.count < 23)
    bench.search("Neustadt", FormBench.candidates)
    let first = bench.drawing.texts
    #expect(first.count == 23)
    #expect(first.joined().contains("◉"))
    bench.press(.down, .down)
    #expect(bench.screen.map?.coordinate == FormBench.candidates[1].coordinate)
    #expect(bench.drawing.texts != first)
    bench.environment.size = WindowSize(rows: 23, columns: 80)
    bench.handle(.resized)
    #expect(!bench.drawing.texts.joined().contains("◉"))
  }

  @Test func map_ofItemsPlace_isShownUntilAddressChanges() {
    let location = Location(
      address: "A", coordinate: Coordinate(latitude: 48, longitude: 11),
      provenance: .init(source: "mock", granularity: .street))
    var bench = FormBench(editing: FormBench.item(ItemContent(title: "x", location: location)))
    #expect(bench.drawing.texts.joined().contains("◉"))
    bench.type("b", into: .address)
    #expect(!bench.drawing.texts.joined().contains("◉"))
  }

  @Test func question_aboutLongAddress_remainsReadable() {
    var bench = FormBench()
    bench.type("Milk")
    bench.type(String(repeating: "long ", count: 30), into: .address)
    bench.press(.control("s"))
    #expect(bench.drawing.status.displayWidth <= 100)
    #expect(bench.drawing.status.hasSuffix("…'…"))
    bench.receive([], of: String(String(repeating: "long ", count: 30).dropLast()))
    bench.fail(.addressNotFound)
    #expect(bench.drawing.isAsking)
    #expect(bench.drawing.status.displayWidth <= 160)
    #expect(bench.drawing.status.hasSuffix("…'. Save without one? y/n"))
  }

  @Test func longNote_scrollsWithCursor() throws {
    var bench = FormBench(rows: 8, columns: 30)
    bench.type("Milk")
    bench.type("", into: .note)
    bench.handle(.paste((1...50).map { "line \($0)" }.joined(separator: "\n")))
    let drawing = bench.drawing
    let cursor = try #require(drawing.cursor)
    #expect(drawing.texts[cursor.row] == "           line 50")
    bench.press(.up, .up)
    let moved = try #require(bench.drawing.cursor)
    #expect(bench.drawing.texts[moved.row] == "           line 48")
  }

  @Test(arguments: [(8, 30), (12, 40), (24, 80), (120, 400), (3, 30), (1, 24), (24, 10)])
  func drawing_fitsWindow(_ rows: Int, _ columns: Int) throws {
    var bench = FormBench(rows: rows, columns: columns)
    bench.handle(.paste("日本語のとても長い題名 and a long English title with e\u{301}accents \u{202E}مرحبا"))
    bench.type("not a date at all, but a long text", into: .due)
    bench.search(
      String(repeating: "Neustadt ", count: 12) + "x", FormBench.candidates,
      attribution: String(repeating: "© 日本 ", count: 100))
    bench.type("", into: .note)
    bench.handle(.paste(String(repeating: "word 日本語 ", count: 100)))
    for field in FormField.allCases {
      bench.screen.focus = field
      let drawing = bench.drawing
      #expect(drawing.texts.count <= max(0, rows - 1))
      for line in drawing.texts { #expect(line.displayWidth <= columns) }
      guard !drawing.texts.isEmpty else { continue }
      let cursor = try #require(drawing.cursor)
      #expect(drawing.texts.indices.contains(cursor.row))
      #expect((0..<columns).contains(cursor.column))
    }
  }

  @Test func colors_markFocusAndError() {
    var bench = FormBench(rows: 12, columns: 60)
    bench.type("soon", into: .due)
    #expect(bench.drawing.coloredLines[2].hasPrefix("> \u{1B}[1mdue\u{1B}[0m"))
    #expect(bench.drawing.coloredLines[3].contains("\u{1B}[31m'soon' is not"))
  }
}
