import Testing
import ToDoModel

@testable import ToDoText

@Suite struct MapFrameTests {
  private func coordinates(_ pairs: [(Double, Double)]) throws -> [Coordinate] {
    try pairs.map { try #require(Coordinate(latitude: $0.0, longitude: $0.1)) }
  }

  private func fitting(_ pairs: [(Double, Double)]) throws -> MapFrame {
    try #require(MapFrame(fitting: try coordinates(pairs), minimumWidth: 20, columns: 80, rows: 20))
  }

  @Test func cell_ofCenter_isInMiddle() throws {
    let center = try coordinates([(48, 11)])[0]
    let frame = MapFrame(around: center, width: 400, columns: 80, rows: 20)
    #expect(frame.cell(at: center) == MapCell(column: 40, row: 10))
    #expect(frame.kilometersPerDot == 2.5)
    // The distance to the corners, 200 km and 100 km away, minus half a character.
    #expect(abs(frame.radius - 228) < 1)
  }

  @Test func cell_hasEqualScaleAndNorthUp() throws {
    let frame = MapFrame(around: try coordinates([(0, 0)])[0], width: 800, columns: 80, rows: 40)
    // A degree is 111.2 km: 11 columns of 10 km, or 5.6 rows of 20 km.
    let cells = try coordinates([(1, 0), (-1, 0), (0, 1), (0, -1)]).map { frame.cell(at: $0) }
    #expect(
      cells == [
        MapCell(column: 40, row: 14), MapCell(column: 40, row: 26), MapCell(column: 51, row: 20),
        MapCell(column: 29, row: 20),
      ])
  }

  @Test func cell_whenOutside_isNil() throws {
    let frame = MapFrame(around: try coordinates([(0, 0)])[0], width: 400, columns: 80, rows: 20)
    for coordinate in try coordinates([(0, 2), (0, -2), (1, 0), (-1, 0), (0, 180), (90, 0)]) {
      #expect(frame.cell(at: coordinate) == nil)
    }
  }

  static let groups: [[(Double, Double)]] = [
    [(48.14, 11.58), (52.52, 13.4)], [(-18.1, 178.4), (-13.8, -171.8)], [(85, 0), (85, 120), (85, -120)],
    [(-90, 0), (-80, 170)], [(40.7, -74), (51.5, -0.1), (35.7, 139.7), (-33.9, 151.2)], [(0, -90), (0, 90)],
    [(90, 0), (-90, 0)], [(48.1, 11.5), (48.1, 11.6)], [(10, 180), (10, -180)],
  ]

  @Test(arguments: groups)
  func frame_containsAllFittedCoordinates(pairs: [(Double, Double)]) throws {
    let frame = try fitting(pairs)
    for coordinate in try coordinates(pairs) { #expect(frame.cell(at: coordinate) != nil) }
    #expect(frame.width >= 20)
  }

  @Test func frame_acrossAntimeridian_isNarrow() throws {
    let frame = try fitting([(-18.1, 178.4), (-13.8, -171.8)])
    #expect(frame.width < 1500)
    #expect(abs(frame.projection.center.longitude - -176.7) < 0.1)
  }

  @Test func frame_aroundPole_isNarrowerThanGlobe() throws {
    #expect(try fitting([(85, 0), (85, 120), (85, -120)]).width < 4000)
  }

  @Test func frame_ofWorld_isCylindricalWithinGlobe() throws {
    let frame = try fitting([(40.7, -74), (51.5, -0.1), (35.7, 139.7), (-33.9, 151.2)])
    #expect(frame.projection.form == .cylindrical)
    #expect(frame.width <= 40_100)
  }

  @Test func frame_withoutCoordinates_isNil() {
    #expect(MapFrame(fitting: [], minimumWidth: 20, columns: 80, rows: 20) == nil)
  }

  @Test(arguments: [(20, nil), (23, nil), (24, (24, 8)), (80, (80, 20)), (100, (100, 25)), (300, (100, 25))])
  func size_ofTerminal_isBounded(terminal: Int, size: (Int, Int)?) {
    let result = MapSize(terminalColumns: terminal)
    #expect(result?.columns == size?.0)
    #expect(result?.rows == size?.1)
  }
}
