import Testing
import ToDoModel
import ToDoTestScreens
import ToDoTestSupport

@testable import ToDoText

@Suite struct MapViewTests {
  private func coordinate(_ latitude: Double, _ longitude: Double) throws -> Coordinate {
    try #require(Coordinate(latitude: latitude, longitude: longitude))
  }

  private func town(_ name: String, _ latitude: Double, _ longitude: Double) throws -> PlaceLabel {
    PlaceLabel(name: name, coordinate: try coordinate(latitude, longitude), population: 1)
  }

  private func view(_ marks: [MapMark], towns: [PlaceLabel] = [], world: [MapLine] = []) throws -> MapView {
    let frame = MapFrame(around: try coordinate(0, 0), width: 400, columns: 40, rows: 8)
    return MapView(frame: frame, marks: marks, world: world, labels: FakePlaceLabels(places: towns))
  }

  /// Munich, Tokyo and New York are near other towns, Suva is near the antimeridian, and Reykjavik is on an island.
  @Test(arguments: [
    ("munich", 48.137, 11.575), ("tokyo", 35.68, 139.69), ("suva", -18.14, 178.44), ("reykjavik", 64.15, -21.94),
    ("new-york", 40.71, -74.01), ("alice-springs", -23.7, 133.88), ("south-pole", -90.0, 0.0),
  ])
  func lines_matchGoldenFile(name: String, latitude: Double, longitude: Double) throws {
    let mark = MapMark(coordinate: try coordinate(latitude, longitude), symbol: "◉")
    let size = try #require(MapSize(terminalColumns: 80))
    let view = MapView.around(mark, size: size, world: try MapData.world(), labels: FakePlaceLabels())
    let lines = view.lines.map(\.text)
    #expect(lines.count == size.rows + 1)
    #expect(lines.allSatisfy { $0.displayWidth <= 80 && !$0.hasSuffix(" ") })
    try GoldenFile("map-\(name).txt").expect(lines.joined(separator: "\n") + "\n")
  }

  @Test func lines_whenTownsAreVisible_containNames() throws {
    let mark = MapMark(coordinate: try coordinate(0, 0), symbol: "◉")
    let lines = try view([mark], towns: [town("Middle", 0, 0), town("East", 0, 1), town("Far", 0, 5)]).lines.map(\.text)
    #expect(lines[4] == String(repeating: " ", count: 20) + "◉ Middle   ∘East")
    #expect(!lines.joined().contains("Far"))
  }

  @Test func lines_whenNameIsWide_stayAligned() throws {
    let lines = try view([], towns: [town("東京", 0, -1), town("X", 0, 1)]).lines.map(\.text)
    #expect(lines[4] == String(repeating: " ", count: 9) + "∘東京" + String(repeating: " ", count: 17) + "∘X")
  }

  @Test func lines_whenTownsShareCell_nameFirst() throws {
    let text = try view([], towns: [town("Big", 0, 0), town("Small", 0, 0.01)]).lines.map(\.text).joined()
    #expect(text.contains("Big") && !text.contains("Small"))
  }

  @Test func lines_whenTownsShareMark_nameFirst() throws {
    let mark = MapMark(coordinate: try coordinate(0, 0), symbol: "1")
    let text = try view([mark], towns: [town("Big", 0, 0), town("Small", 0, 0.01)]).lines.map(\.text).joined()
    #expect(text.contains("1 Big") && !text.contains("Small"))
  }

  @Test func lines_whenManyTownsAreVisible_respectLimit() throws {
    let towns = try (0..<30).map { (number: Int) throws in
      let (row, column) = (Double(number % 6), Double(number / 6))
      return try town("T\(number)", row * 0.2 - 0.5, column * 0.7 - 1.5)
    }
    let text = try view([], towns: towns).lines.map(\.text).joined()
    #expect(text.count { $0 == "∘" } == MapView.townLimit)
  }

  @Test func lines_whenNameHasControls_escapeThem() throws {
    #expect(try view([], towns: [town("A\u{1B}[2J", 0, 0)]).lines.map(\.text).joined().contains("∘A\\u{1B}[2J"))
  }

  @Test func lines_whenColored_highlightMarks() throws {
    let coast = MapLine(kind: .coast, points: [try coordinate(0, -0.1), try coordinate(0, 0.1)])
    let marks = [
      MapMark(coordinate: try coordinate(0, 1), symbol: "1"),
      MapMark(coordinate: try coordinate(0, 1.5), symbol: "2", isOverdue: true),
    ]
    let lines = try view(marks, world: [coast]).lines
    let line = Palette(isColored: true).encode(lines[4])
    #expect(line.contains("\u{1B}[2m"))
    #expect(line.contains(" \u{1B}[33m1\u{1B}[0m "))
    #expect(line.hasSuffix(" \u{1B}[31m2\u{1B}[0m"))
  }

  @Test func around_whenRegionIsEmpty_widensFrame() throws {
    let size = try #require(MapSize(terminalColumns: 80))
    let world = try MapData.world()
    func width(_ latitude: Double, _ longitude: Double) throws -> Double {
      let mark = MapMark(coordinate: try coordinate(latitude, longitude), symbol: "◉")
      return MapView.around(mark, size: size, world: world, labels: NoPlaceLabels()).frame.width
    }
    #expect(try width(48.1, 11.6) == 600)
    #expect(try width(-23.7, 133.9) > 1000)
    // A point in the Pacific, 2,500 km from the nearest land.
    #expect(try width(-48.9, -123.4) > 4000)
  }

  @Test func symbols_whenPlacesShareCell_areShared() throws {
    let frame = MapFrame(around: try coordinate(0, 0), width: 400, columns: 40, rows: 8)
    let places = try [coordinate(0, 0), coordinate(0, 1), coordinate(0, 0.001), coordinate(0, 50)]
    #expect(MapSymbols(for: places, in: frame).symbols == ["a", "b", "a", "*"])
    let many = try (0..<61).map { (number: Int) throws -> Coordinate in
      let (row, column) = (Double(number / 35), Double(number % 35))
      return try coordinate(row * 0.3, column * 0.09 - 1.5)
    }
    #expect(MapSymbols(for: many, in: frame).symbols.suffix(10) == ["Z"] + Array(repeating: "*", count: 9))
  }
}
