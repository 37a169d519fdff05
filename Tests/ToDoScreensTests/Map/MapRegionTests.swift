import Testing
import ToDoModel
import ToDoTestSupport

@testable import ToDoScreens
@testable import ToDoText

@Suite struct MapRegionTests {
  private static let degree = Double.pi * Projection.earthRadius / 180

  private func coordinate(_ latitude: Double, _ longitude: Double) throws -> Coordinate {
    try #require(Coordinate(latitude: latitude, longitude: longitude))
  }

  private func layout(rows: Int = 24, columns: Int = 80) throws -> MapLayout {
    try #require(MapLayout(WindowSize(rows: rows, columns: columns)))
  }

  @Test(
    arguments: [
      (30, 8, 6, 0), (24, 8, 6, 0), (40, 12, 8, 2), (80, 24, 18, 4), (400, 120, 112, 6),
    ])
  func layout_dividesWindow(columns: Int, rows: Int, mapRows: Int, legendRows: Int) throws {
    let layout = try layout(rows: rows, columns: columns)
    #expect(layout.columns == columns && layout.rows == mapRows && layout.legendRows == legendRows)
    #expect(layout.rows + 1 + layout.legendRows == rows - 1)
    #expect(layout.legendIndex(inRow: mapRows) == nil)
    #expect(layout.legendIndex(inRow: mapRows + 1) == (legendRows > 0 ? 0 : nil))
    #expect(layout.legendIndex(inRow: rows - 1) == nil)
  }

  @Test(arguments: [(23, 24), (80, 7), (0, 0)])
  func layout_whenWindowIsSmall_isNil(columns: Int, rows: Int) {
    #expect(MapLayout(WindowSize(rows: rows, columns: columns)) == nil)
  }

  @Test func width_isLimited() throws {
    let center = try coordinate(48, 11)
    #expect(MapRegion(center: center, width: 0.1).width == 2)
    let whole = MapRegion(center: center, width: 1e9).width
    #expect(abs(whole - 40_030) < 1)
    #expect(MapRegion(center: center, width: 3).zoomed(by: 0.5).width == 2)
    #expect(MapRegion(center: center, width: 300).zoomed(by: 2) == MapRegion(center: center, width: 600))
    #expect(MapRegion(center: center, width: 30_000).zoomed(by: 2).width == whole)
  }

  @Test func panned_movesByQuarterOfWindow() throws {
    let layout = try layout()
    // The map is 18 rows high, which are as long as 36 columns.
    let region = MapRegion(center: try coordinate(0, 0), width: Self.degree * 8)
    let east = region.panned(east: 1, north: 0, in: layout).center
    #expect(abs(east.longitude - 2) < 0.001 && east.latitude == 0)
    let north = region.panned(east: 0, north: 1, in: layout).center
    #expect(abs(north.latitude - 0.9) < 0.001 && north.longitude == 0)
    let south = region.panned(east: 0, north: -1, in: layout).center
    #expect(abs(south.latitude + 0.9) < 0.001)
  }

  @Test func panned_atHighLatitude_turnsFurther() throws {
    let region = MapRegion(center: try coordinate(60, 10), width: Self.degree * 8)
    let center = region.panned(east: 1, north: 0, in: try layout()).center
    #expect(abs(center.longitude - 14) < 0.01 && center.latitude == 60)
    let pole = MapRegion(center: try coordinate(90, 0), width: 1000).panned(east: 1, north: 0, in: try layout()).center
    #expect(pole.longitude == 90 && pole.latitude == 90)
  }

  @Test func panned_backwards_returns() throws {
    let layout = try layout()
    for width in [2.0, 600, 9_000, 40_000] {
      let region = MapRegion(center: try coordinate(48, 179), width: width)
      let there = region.panned(east: 1, north: 0, in: layout)
      #expect(there != region)
      #expect(there.panned(east: -1, north: 0, in: layout) == region)
    }
  }

  @Test func panned_acrossAntimeridian_wraps() throws {
    let region = MapRegion(center: try coordinate(0, 179), width: Self.degree * 8)
    let center = region.panned(east: 1, north: 0, in: try layout()).center
    #expect(abs(center.longitude + 179) < 0.001)
  }

  @Test func panned_beyondPole_isClamped() throws {
    var region = MapRegion(center: try coordinate(80, 11), width: 9000)
    for _ in 0..<5 { region = region.panned(east: 0, north: 1, in: try layout()) }
    #expect(region.center.latitude == 90 && region.center.longitude == 11)
  }

  @Test(arguments: [2.0, 600, 9_999, 10_001, 20_000, 40_030])
  func frame_hasCenterAndWidth(width: Double) throws {
    let center = try coordinate(48, 11)
    for (rows, columns) in [(24, 80), (12, 41), (8, 30), (120, 400), (50, 81)] {
      let layout = try layout(rows: rows, columns: columns)
      let frame = MapRegion(center: center, width: width).frame(in: layout)
      #expect(abs(frame.width - width) < 0.001)
      #expect(frame.cell(at: center) == MapCell(column: columns / 2, row: layout.rows / 2))
    }
  }

  @Test func frame_whenWide_isCylindrical() throws {
    let region = MapRegion(center: try coordinate(48, 11), width: 9000)
    #expect(region.frame(in: try layout()).projection.form == .azimuthal)
    #expect(region.zoomed(by: 2).frame(in: try layout()).projection.form == .cylindrical)
    // A high window shows more of the globe.
    #expect(region.frame(in: try layout(rows: 100, columns: 40)).projection.form == .cylindrical)
  }

  static let groups: [[(Double, Double)]] = [
    [(48.14, 11.58), (52.52, 13.4)], [(-18.1, 178.4), (-13.8, -171.8)], [(85, 0), (85, 120), (85, -120)],
    [(-90, 0), (-80, 170)], [(40.7, -74), (51.5, -0.1), (35.7, 139.7), (-33.9, 151.2)], [(10, 180), (10, -180)],
    [(-23.7, 133.9)],
  ]

  @Test(arguments: groups)
  func fitting_showsAllCoordinates(pairs: [(Double, Double)]) throws {
    let coordinates = try pairs.map { try coordinate($0.0, $0.1) }
    for (rows, columns) in [(24, 80), (8, 30), (40, 30), (120, 400)] {
      for center in [nil, coordinates[0]] {
        let layout = try layout(rows: rows, columns: columns)
        let region = try #require(MapRegion(fitting: coordinates, around: center, in: layout, world: []))
        let isWhole = region.width == MapRegion.widths.upperBound
        for coordinate in coordinates { #expect(isWhole || region.frame(in: layout).cell(at: coordinate) != nil) }
        if let center { #expect(region.center == center) }
      }
    }
    #expect(MapRegion(fitting: [], around: nil, in: try layout(), world: []) == nil)
  }

  @Test(arguments: [(48.0, 11.0), (0.0, 180.0), (89.0, -20.0), (90.0, 0.0), (-75.0, 100.0)])
  func coordinate_ofCell_isInCell(latitude: Double, longitude: Double) throws {
    let layout = try layout(rows: 12, columns: 40)
    for width in [2.0, 600, 9_000] {
      let frame = MapRegion(center: try coordinate(latitude, longitude), width: width).frame(in: layout)
      for row in [0, 4, 7] {
        for column in [0, 20, 39] {
          let cell = MapCell(column: column, row: row)
          let coordinate = try #require(frame.coordinate(at: cell))
          #expect(frame.cell(at: coordinate) == cell)
        }
      }
    }
  }

  @Test func coordinate_whenCellIsBeyondGlobe_isNil() throws {
    let region = MapRegion(center: try coordinate(60, 0), width: 40_030)
    let frame = region.frame(in: try layout())
    #expect(frame.coordinate(at: MapCell(column: 40, row: 0)) == nil)
    let middle = try #require(frame.coordinate(at: MapCell(column: 40, row: 9)))
    #expect(frame.cell(at: middle) == MapCell(column: 40, row: 9))
  }

  @Test func randomSteps_stayWithinBounds() throws {
    var generator = SeededGenerator(seed: 2)
    var region = MapRegion(center: try coordinate(48, 11), width: 600)
    let layout = try layout()
    for _ in 0..<2000 {
      switch Int.random(in: 0..<6, using: &generator) {
      case 0: region = region.panned(east: 1, north: 0, in: layout)
      case 1: region = region.panned(east: -1, north: 0, in: layout)
      case 2: region = region.panned(east: 0, north: 1, in: layout)
      case 3: region = region.panned(east: 0, north: -1, in: layout)
      case 4: region = region.zoomed(by: 2)
      default: region = region.zoomed(by: 0.5)
      }
      #expect(MapRegion.widths.contains(region.width))
      #expect((-180.0..<180).contains(region.center.longitude))
      #expect(region.frame(in: layout).cell(at: region.center) == MapCell(column: 40, row: 9))
    }
  }
}
