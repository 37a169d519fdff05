import ToDoModel
import ToDoText

/// The region on the Earth that a map shows, independent of the window size.
struct MapRegion: Equatable, Sendable {
  let center: Coordinate
  /// The width of the map in kilometers, in `widths`.
  let width: Double

  /// The possible widths in kilometers: from a few streets to the whole globe.
  static let widths: ClosedRange<Double> = 2...(360 * kilometersPerDegree)

  /// Creates a region. The width is limited to `widths`.
  init(center: Coordinate, width: Double) {
    self.center = center
    self.width = min(max(width, Self.widths.lowerBound), Self.widths.upperBound)
  }

  /// Creates the region that shows all coordinates, or returns `nil` if there are none.
  ///
  /// - Parameter center: the region's center, or `nil` for the middle of the coordinates.
  init?(fitting coordinates: [Coordinate], around center: Coordinate?, in layout: MapLayout, world: [MapLine]) {
    guard let size = MapSize(terminalColumns: layout.columns),
      let frame = MapView.frame(of: coordinates, size: size, world: world)
    else { return nil }
    self.init(center: center ?? frame.projection.center, width: frame.width)
    while width < Self.widths.upperBound, !contains(coordinates, in: layout) {
      self = zoomed(by: Self.fittingStep)
    }
  }

  /// Returns the map's frame. A map that is wider than a quarter of the globe is cylindrical.
  func frame(in layout: MapLayout) -> MapFrame {
    guard isCylindrical(in: layout), let equator = Coordinate(latitude: 0, longitude: center.longitude) else {
      return MapFrame(around: center, width: width, columns: layout.columns, rows: layout.rows)
    }
    let kilometersPerDot = width / Double(layout.columns * 2)
    // The center is in the middle of a character, as in an azimuthal map.
    let (right, down) = (layout.columns.isMultiple(of: 2) ? 1.0 : 0, layout.rows.isMultiple(of: 2) ? 2.0 : 0)
    let north = center.latitude * Self.kilometersPerDegree
    return MapFrame(
      columns: layout.columns, rows: layout.rows, projection: Projection(center: equator, form: .cylindrical),
      middle: MapPoint(x: -right * kilometersPerDot, y: north + down * kilometersPerDot),
      kilometersPerDot: kilometersPerDot)
  }

  /// Returns the region with its width multiplied by a factor.
  func zoomed(by factor: Double) -> MapRegion { MapRegion(center: center, width: width * factor) }

  /// Returns the region around another coordinate.
  func centered(at coordinate: Coordinate) -> MapRegion { MapRegion(center: coordinate, width: width) }

  /// Returns the region moved by a number of quarter windows. Longitudes wrap; latitudes end at the poles.
  func panned(east: Int, north: Int, in layout: MapLayout) -> MapRegion {
    let height = width * Double(layout.rows * 2) / Double(layout.columns)
    let (eastward, northward) = (Double(east) * width / 4, Double(north) * height / 4)
    let latitude = center.latitude + northward / Self.kilometersPerDegree
    let degrees = eastward / kilometersPerDegreeOfLongitude(in: layout)
    let turn = min(max(degrees, -Self.maximumTurn), Self.maximumTurn)
    let coordinate = Coordinate(
      latitude: min(max(latitude, Coordinate.latitudes.lowerBound), Coordinate.latitudes.upperBound),
      longitude: (center.longitude + turn).wrappedDegrees)
    return centered(at: coordinate ?? center)
  }
}

extension MapRegion {
  /// The distance between two parallels one degree apart, in kilometers. Also a degree's length on the equator.
  private static let kilometersPerDegree = Double.pi * Projection.earthRadius / 180
  /// The maximum width and height of an azimuthal map in kilometers. Beyond it, shapes are hard to recognize.
  private static let maximumAzimuthalSize = 10_000.0
  /// The maximum number of degrees by which one step changes the region's longitude. Near a pole, degrees are short.
  private static let maximumTurn = 90.0
  private static let fittingStep = 1.25

  private func isCylindrical(in layout: MapLayout) -> Bool {
    let height = width * Double(layout.rows * 2) / Double(layout.columns)
    return max(width, height) > Self.maximumAzimuthalSize
  }

  private func kilometersPerDegreeOfLongitude(in layout: MapLayout) -> Double {
    guard !isCylindrical(in: layout), let start = Coordinate(latitude: center.latitude, longitude: 0),
      let end = Coordinate(latitude: center.latitude, longitude: 1)
    else { return Self.kilometersPerDegree }
    // At a pole, a degree has no length.
    return max(start.distance(to: end) / 1000, Self.kilometersPerDegree / 100)
  }

  private func contains(_ coordinates: [Coordinate], in layout: MapLayout) -> Bool {
    let frame = frame(in: layout)
    return coordinates.allSatisfy { frame.cell(at: $0) != nil }
  }
}
