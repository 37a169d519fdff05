import Testing
import ToDoModel
import ToDoTestScreens
import ToDoTestSupport
import ToDoText

@testable import ToDoScreens

@Suite struct DetailDrawingTests {
  private static let id = Sample.id(1)

  private func bench(_ item: ToDoItem, rows: Int = 24, columns: Int = 80) -> SingleScreenBench<DetailScreen> {
    SingleScreenBench(DetailScreen(Self.id), [item], rows: rows, columns: columns)
  }

  @Test func drawing_at80x24_containsFieldsAndHistory() {
    let drawing = bench(.listed(1, "Buy milk", note: "two\nbottles", due: .date(.epoch))).drawing
    #expect(
      drawing.texts == [
        "Buy milk",
        "  number      1",
        "  id          0198c0de-0001-7000-8000-000000000001",
        "  state       to do",
        "  due         Thu 1970-01-01 (overdue)",
        "  note        two",
        "              bottles",
        "  added       Wed 2026-04-29 10:15:42 CEST",
        "  revision    1",
        "",
        "History",
        "Reading the history",
      ])
    #expect(drawing.status.isEmpty && drawing.cursor == nil)
  }

  @Test func drawing_at40x12_wrapsAndScrolls() {
    let item = ToDoItem.listed(1, "Ask the neighbours whether they water the plants", note: "in the 東京 office upstairs")
    var bench = bench(item, rows: 12, columns: 40)
    #expect(
      bench.drawing.texts == [
        "Ask the neighbours whether they water",
        "the plants",
        "  number      1",
        "  id          0198c0de-0001-7000-8000-00",
        "              0000000001",
        "  state       to do",
        "  note        in the 東京 office",
        "              upstairs",
        "  added       Wed 2026-04-29 10:15:42",
        "              CEST",
        "  revision    1",
      ])
    #expect(bench.drawing.status == "lines 1-11 of 14")
    bench.press(.end)
    #expect(bench.drawing.texts.suffix(4) == ["  revision    1", "", "History", "Reading the history"])
    #expect(bench.drawing.status == "lines 4-14 of 14")
  }

  @Test func drawing_withCoordinate_containsMap() throws {
    let place = (48.137, 11.575)
    var bench = bench(.listed(1, "See the castle", at: place), rows: 60)
    bench.environment.world = try MapData.world()
    bench.environment.labels = FakePlaceLabels()
    let coordinate = try #require(Coordinate(latitude: place.0, longitude: place.1))
    let size = try #require(MapSize(terminalColumns: 80))
    let map = MapView.around(
      MapMark(coordinate: coordinate, symbol: "◉"), size: size, world: bench.environment.world,
      labels: bench.environment.labels)
    let expected = map.lines
    // The same before and after the screen stores the map.
    for _ in 0..<2 {
      let lines = bench.drawing.lines
      let start = try #require(lines.firstIndex(of: ""))
      #expect(Array(lines[(start + 1)...].prefix(expected.count)) == expected)
      #expect(lines.contains { $0.text.hasPrefix("  web map") })
      bench.handle(.resumed)
    }
  }

  @Test func drawing_whenCoordinateChanges_followsIt() throws {
    var bench = bench(.listed(1, "See", at: (48.137, 11.575)), rows: 60)
    bench.environment.labels = FakePlaceLabels()
    bench.handle(.resumed)
    #expect(bench.drawing.texts.contains { $0.contains("◉ Munich") })
    bench.put(.listed(1, "See", at: (35.68, 139.69), revision: 2))
    #expect(bench.drawing.texts.contains { $0.contains("◉ 東京") })
    bench.put(.listed(1, "See", revision: 3))
    #expect(!bench.drawing.texts.contains { $0.contains("◉") })
  }

  @Test func hints_dependOnItemAndList() {
    func keys(_ bench: SingleScreenBench<DetailScreen>) -> String {
      bench.drawing.hints.map(\.key).joined(separator: " ")
    }
    #expect(keys(bench(.listed(1, "Milk"))) == "Space e d Esc ? u")
    #expect(keys(bench(.listed(1, "Milk", done: true))) == "e d Esc ? u")
    var located = bench(.listed(1, "Milk", at: (1, 2)))
    #expect(keys(located) == "Space e d Esc ? u m n o y")
    located.environment.isReadOnly = true
    #expect(keys(located) == "Esc ? m n o y")
  }

  @Test func drawing_whenItemIsDeleted_isNotice() {
    var bench = bench(.listed(1, "Milk"))
    bench.delete(Self.id)
    #expect(
      bench.drawing
        == ScreenDrawing(lines: ["The item was deleted."], hints: [KeyHint("Esc", "back"), KeyHint("u", "undo")]))
    bench.environment.isReadOnly = true
    #expect(bench.drawing.hints == [KeyHint("Esc", "back")])
  }

  @Test func drawing_whenDueDatePasses_isOverdue() throws {
    let due = Timestamp(microseconds: Sample.start.microseconds + 60_000_000)
    var bench = bench(.listed(1, "Milk", due: .time(due)))
    bench.handle(.resumed)
    #expect(!bench.drawing.texts.contains { $0.contains("(overdue)") })
    bench.environment.now = Timestamp(microseconds: due.microseconds + 1)
    bench.handle(.minutePassed)
    #expect(bench.drawing.texts.contains { $0.contains("(overdue)") })
  }

  @Test func drawing_afterRandomEvents_staysInWindow() {
    var generator = SeededGenerator(seed: 1)
    let note = String(repeating: "wide 漢字 e\u{301} אבג a-very-long-word-without-blanks\n", count: 20)
    var bench = bench(.listed(1, "Visit 東京 soon", note: note, at: (35.68, 139.69)))
    let keys: [KeyPress] = [.up, .down, .pageUp, .pageDown, .home, .end]
    for _ in 0..<300 {
      if Int.random(in: 0..<8, using: &generator) == 0 {
        bench.resize(
          rows: Int.random(in: 8...120, using: &generator), columns: Int.random(in: 30...400, using: &generator))
      } else {
        bench.press(keys[Int.random(in: 0..<keys.count, using: &generator)])
      }
      let (drawing, environment) = (bench.drawing, bench.environment)
      #expect(!drawing.texts.isEmpty && drawing.texts.count <= environment.bodyRows)
      for line in drawing.texts { #expect(line.displayWidth <= environment.columns) }
    }
  }
}
