import Testing
import ToDoModel
import ToDoTestScreens
import ToDoTestSupport
import ToDoText

@testable import ToDoScreens

@Suite struct MapScreenDrawingTests {
  private var items: [ToDoItem] {
    [
      .listed(1, "Visit the pinakothek", due: .date(.epoch), at: (48.148, 11.57)),
      .listed(2, "Buy cheese", at: (47.37, 8.54)), .listed(3, "See the other pinakothek", at: (48.148, 11.57)),
    ]
  }

  private func bench(
    _ items: [ToDoItem], rows: Int = 24, columns: Int = 80
  ) throws -> SingleScreenBench<MapScreen> {
    let screen = MapScreen(items: items.map(\.id), center: nil)
    var bench = SingleScreenBench(screen, items, rows: rows, columns: columns)
    bench.environment.world = try MapData.world()
    bench.environment.labels = FakePlaceLabels()
    return bench
  }

  @Test func drawing_at40x12_containsMapScaleAndLegend() throws {
    let drawing = try bench(items, rows: 12, columns: 40).drawing
    #expect(
      drawing.texts == [
        "",
        "                             Munich a",
        "",
        "    ⢀",
        "   ⠐  ⠂⠠            +",
        "⠄⠠⠈      ⠁⠐ ⠄⢀    ⢀      ⢀ ⡀         ⢀ ⠂",
        "               ⠒ ⠁  ⠂    ⠄  ⠈ ⠁⠈ ⠂⠐ ⠁",
        "    b Zürich   ⠈     ⠈ ⠄⠐",
        "├─────┤ 50 km",
        "a Visit the pinakothek  121 km",
        "a See the other pinakothek  121 km",
      ])
  }

  @Test func drawing_at80x24_listsNearestItems() throws {
    var bench = try bench(items)
    let lines = bench.drawing.texts
    #expect(lines.count == 18 + 1 + 3)
    #expect(
      lines.suffix(4) == [
        "├────────────┤ 50 km", "a Visit the pinakothek  121 km", "a See the other pinakothek  121 km",
        "b Buy cheese  122 km",
      ])
    #expect(bench.drawing.status == "3 items")
    bench.press(.tab)
    #expect(
      bench.drawing.texts.suffix(3) == [
        "a Visit the pinakothek  0 m", "a See the other pinakothek  0 m", "  Buy cheese  242 km",
      ])
    #expect(bench.drawing.status == "2 of 3 items")
  }

  @Test func drawing_stylesOverdueItems() throws {
    let lines = try bench(items).drawing.coloredLines
    let map = lines.prefix(18).joined()
    #expect(map.contains("\u{1B}[31ma\u{1B}[0m") && map.contains("\u{1B}[33mb\u{1B}[0m"))
    #expect(lines.suffix(3).count { $0.hasPrefix("\u{1B}[31ma\u{1B}[0m ") } == 2)
  }

  @Test func center_isMarkedUnlessItemIsThere() throws {
    var bench = try bench([.listed(1, "One", at: (0, 0))])
    #expect(Array(bench.drawing.texts[9])[40] == "a")
    bench.press(.right)
    #expect(Array(bench.drawing.texts[9])[40] == "+")
  }

  @Test func legend_whenItemIsOutside_hasNoSymbol() throws {
    var bench = try bench([.listed(1, "One\u{7}", at: (0, 0))])
    for _ in 0..<4 { bench.press(.right) }
    #expect(bench.drawing.texts.last == "  One\\u{7}  3038 km")
    #expect(bench.drawing.status == "0 of 1 item")
  }

  @Test func drawing_whenWide_containsLargeTowns() throws {
    var bench = try bench([.listed(1, "One", at: (47, 9)), .listed(2, "Two", at: (35.68, 139.69))])
    #expect(bench.drawing.texts.joined().contains("東京"))
    bench.press(.character("-"), .character("-"), .character("-"))
    let map = bench.drawing.texts.joined()
    #expect(map.contains("New York") && map.contains("東京"))
  }

  @Test func drawing_afterRandomKeys_staysInWindow() throws {
    var generator = SeededGenerator(seed: 4)
    let items: [ToDoItem] = (UInt64(1)...80).map { number in
      let place = (Double.random(in: -90...90, using: &generator), Double.random(in: -180...180, using: &generator))
      return .listed(number, "Item \(number) in 東京", at: place)
    }
    var bench = try bench(items)
    let keys: [KeyPress] = [
      .left, .right, .up, .down, .character("+"), .character("-"), .character("+"), .tab, .backTab, .character("0"),
    ]
    for step in 0..<60 {
      bench.press(keys[Int.random(in: 0..<keys.count, using: &generator)])
      if step.isMultiple(of: 10) {
        bench.resize(
          rows: Int.random(in: 8...60, using: &generator), columns: Int.random(in: 30...200, using: &generator))
      }
      let environment = bench.environment
      let lines = bench.drawing.texts
      #expect(lines.count <= environment.bodyRows)
      for line in lines { #expect(line.displayWidth <= environment.columns) }
      let center = try #require(bench.screen.region).center
      #expect((-90.0...90).contains(center.latitude) && (-180.0...180).contains(center.longitude))
      bench.click(
        row: Int.random(in: 0..<environment.size.rows, using: &generator),
        column: Int.random(in: 0..<environment.columns, using: &generator))
    }
  }
}
