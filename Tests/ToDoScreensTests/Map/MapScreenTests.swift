import Testing
import ToDoModel
import ToDoTestScreens
import ToDoText

@testable import ToDoScreens

@Suite struct MapScreenTests {
  private func id(_ number: UInt64) -> ItemID { Sample.id(number) }

  /// The items 1 to 3 are on the equator, one degree apart. Item 4 has no coordinate.
  private var items: [ToDoItem] {
    [
      .listed(1, "West", at: (0, -1)), .listed(2, "Middle", at: (0, 0)), .listed(3, "East", at: (0, 1)),
      .listed(4, "Nowhere"),
    ]
  }

  private func bench(
    center: UInt64? = 2, rows: Int = 24, columns: Int = 80
  ) -> SingleScreenBench<MapScreen> {
    let screen = MapScreen(items: items.map(\.id), center: center.map(id))
    var bench = SingleScreenBench(screen, items, rows: rows, columns: columns)
    #expect(bench.screen.opened(bench.content, bench.environment).isEmpty)
    return bench
  }

  private func region(_ bench: SingleScreenBench<MapScreen>) throws -> MapRegion { try #require(bench.screen.region) }

  @Test func opened_centersItem() throws {
    #expect(try region(bench()).center == Coordinate(latitude: 0, longitude: 0))
    #expect(try region(bench(center: 3)).center == Coordinate(latitude: 0, longitude: 1))
    // An item without a coordinate cannot be centered.
    #expect(try region(bench(center: 4)).center == Coordinate(latitude: 0, longitude: 0))
  }

  @Test(
    arguments: [
      (.escape, [.outcome(.closed)]), (.character("q"), [.outcome(.closed)]), (.character("?"), [.outcome(.wantsHelp)]),
      (.enter, [.outcome(.opened(Sample.id(2)))]), (.left, []), (.character("+"), []), (.tab, []),
      (.character("x"), []),
    ] as [(KeyPress, [ScreenAction])])
  func key_hasActions(key: KeyPress, actions: [ScreenAction]) {
    var bench = bench()
    #expect(bench.press(key) == actions)
  }

  @Test(
    arguments: [
      (.left, "h", -1, 0), (.right, "l", 1, 0), (.up, "k", 0, 1), (.down, "j", 0, -1),
    ] as [(KeyPress, Character, Int, Int)])
  func arrow_pans(key: KeyPress, letter: Character, east: Int, north: Int) throws {
    let layout = try #require(MapLayout(WindowSize(rows: 24, columns: 80)))
    for key in [key, .character(letter)] {
      var bench = bench()
      let expected = try region(bench).panned(east: east, north: north, in: layout)
      bench.press(key)
      #expect(try region(bench) == expected)
    }
  }

  @Test func plusMinusAndWheel_zoom() throws {
    var bench = bench()
    let width = try region(bench).width
    bench.press(.character("+"))
    #expect(try region(bench).width == width / 2)
    bench.press(.character("-"), .character("-"))
    #expect(try region(bench).width == width * 2)
    bench.turnWheel(.wheelUp)
    #expect(try region(bench).width == width)
    bench.turnWheel(.wheelDown)
    #expect(try region(bench).width == width * 2)
  }

  @Test func zero_showsAllItems() throws {
    var bench = bench()
    bench.press(.left, .left, .character("+"), .character("+"), .character("0"))
    #expect(bench.drawing.status == "3 items")
    #expect(try region(bench).center == Coordinate(latitude: 0, longitude: 0))
  }

  @Test func tab_centersNextItem() throws {
    var bench = bench()
    func longitude(after key: KeyPress) throws -> Double {
      bench.press(key)
      return try region(bench).center.longitude
    }
    #expect(try longitude(after: .tab) == 1)
    #expect(try longitude(after: .tab) == -1)
    #expect(try longitude(after: .tab) == 0)
    #expect(try longitude(after: .backTab) == -1)
    #expect(bench.press(.enter) == [.outcome(.opened(id(1)))])
  }

  @Test func enter_opensNearestItem() throws {
    var bench = bench(center: nil)
    bench.press(.right)
    #expect(bench.press(.enter) == [.outcome(.opened(id(3)))])
  }

  @Test func click_opensItemOrCenters() throws {
    var bench = bench()
    // The map has 18 rows, and item 2 is in the middle.
    #expect(bench.click(row: 9, column: 40) == [.outcome(.opened(id(2)))])
    let frame = try region(bench).frame(in: try #require(MapLayout(bench.environment.size)))
    #expect(bench.click(row: 3, column: 20).isEmpty)
    #expect(frame.cell(at: try region(bench).center) == MapCell(column: 20, row: 3))
  }

  @Test func click_onLegend_opensItem() {
    var bench = bench(center: 3)
    #expect(bench.click(row: 18, column: 0).isEmpty)
    #expect(bench.click(row: 19, column: 5) == [.outcome(.opened(id(3)))])
    #expect(bench.click(row: 20, column: 5) == [.outcome(.opened(id(2)))])
    #expect(bench.click(row: 22, column: 5).isEmpty)
  }

  @Test func changes_areFollowed() throws {
    var bench = bench()
    #expect(bench.delete(id(1)).isEmpty)
    #expect(bench.drawing.status == "2 items")
    bench.put(.listed(4, "Somewhere", at: (0.1, 0)))
    #expect(bench.drawing.status == "3 items")
    bench.put(.listed(2, "Middle", at: (50, 100)))
    #expect(bench.drawing.status == "2 of 3 items")
    bench.put(.listed(3, "East"))
    bench.delete(id(2))
    bench.delete(id(4))
    #expect(bench.drawing.texts == ["No item has a coordinate."])
    #expect(bench.press(.enter).isEmpty && bench.press(.tab).isEmpty)
  }

  @Test func drawing_beforeOpened_isSame() {
    let screen = MapScreen(items: items.map(\.id), center: id(2))
    #expect(SingleScreenBench(screen, items).drawing == bench().drawing)
  }

  @Test(arguments: [(23, 24), (80, 7), (10, 2)])
  func drawing_whenWindowIsSmall_isNotice(columns: Int, rows: Int) {
    var bench = bench()
    bench.resize(rows: rows, columns: columns)
    #expect(bench.drawing.texts == ["The window is too small for a map.".truncated(toWidth: columns)])
    #expect(bench.press(.left).isEmpty && bench.press(.tab).isEmpty && bench.click(row: 0, column: 0).isEmpty)
    #expect(bench.press(.escape) == [.outcome(.closed)])
  }
}
