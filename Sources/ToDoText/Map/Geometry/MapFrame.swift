package import ToDoModel

/// The region that a map shows, and the map's size in characters.
///
/// Characters are twice as high as they are wide. With two by four dots per character, the distance between dots is the
/// same in both directions.
package struct MapFrame: Sendable {
  let columns: Int
  let rows: Int
  package let projection: Projection
  /// The point on the projection's plane in the middle of the map.
  private let middle: MapPoint
  let kilometersPerDot: Double

  /// Creates a frame around a coordinate.
  ///
  /// - Parameter width: the width of the frame in kilometers.
  package init(around center: Coordinate, width: Double, columns: Int, rows: Int) {
    let kilometersPerDot = width / Double(columns * 2)
    // The center is in the middle of a character, so that rounding is the same on all sides.
    let (right, down) = (columns.isMultiple(of: 2) ? 1.0 : 0, rows.isMultiple(of: 2) ? 2.0 : 0)
    self.init(
      columns: columns, rows: rows, projection: Projection(center: center),
      middle: MapPoint(x: -right * kilometersPerDot, y: down * kilometersPerDot), kilometersPerDot: kilometersPerDot)
  }

  package init(columns: Int, rows: Int, projection: Projection, middle: MapPoint, kilometersPerDot: Double) {
    (self.columns, self.rows) = (columns, rows)
    self.projection = projection
    self.middle = middle
    self.kilometersPerDot = kilometersPerDot
  }

  /// The width of the frame in kilometers.
  package var width: Double { kilometersPerDot * Double(columns * 2) }

  /// The maximum distance of a visible point from the projection's center, in kilometers along the surface.
  package var radius: Double {
    let x = middle.x.magnitude + width / 2
    let y = middle.y.magnitude + kilometersPerDot * Double(rows * 4) / 2
    // A cylindrical map can show points up to half the circumference of the Earth away.
    let isWhole = projection.form == .cylindrical
    return isWhole ? .pi * Projection.earthRadius : (x * x + y * y).squareRoot()
  }

  /// Returns the position of a coordinate in dots from the upper left, possibly outside the frame, or `nil` if the projection
  /// does not include the coordinate.
  package func dot(at coordinate: Coordinate) -> MapPoint? {
    projection.point(at: coordinate).map { point in
      MapPoint(
        x: Double(columns) + (point.x - middle.x) / kilometersPerDot - 0.5,
        y: Double(rows * 2) - (point.y - middle.y) / kilometersPerDot - 0.5)
    }
  }

  /// Returns the cell that contains a coordinate, or `nil` if it is outside the frame.
  package func cell(at coordinate: Coordinate) -> MapCell? {
    guard let dot = dot(at: coordinate) else { return nil }
    let (x, y) = (dot.x.rounded(), dot.y.rounded())
    guard x >= 0, y >= 0, x < Double(columns * 2), y < Double(rows * 4) else { return nil }
    return MapCell(column: Int(x) / 2, row: Int(y) / 4)
  }
}

/// The position of a character on a map, from the upper left.
package struct MapCell: Hashable, Sendable {
  package var column: Int
  package var row: Int

  package init(column: Int, row: Int) {
    (self.column, self.row) = (column, row)
  }
}

// MARK: - Fit

extension MapFrame {
  /// Creates the smallest frame that contains all coordinates, or returns `nil` if there are none.
  ///
  /// - Parameter minimumWidth: the minimum width of the frame in kilometers.
  init?(fitting coordinates: [Coordinate], minimumWidth: Double, columns: Int, rows: Int) {
    guard let center = Self.center(of: coordinates) else { return nil }
    let azimuthal = Projection(center: center)
    let isWide = coordinates.contains { azimuthal.distance(to: $0) > Self.azimuthalRadius }
    let projection = isWide ? Projection(center: center, form: .cylindrical) : azimuthal
    let points = coordinates.compactMap(projection.point)
    let (left, right) = Self.extremes(points.map(\.x))
    let (bottom, top) = Self.extremes(points.map(\.y))
    let needed = max(right - left, (top - bottom) * Double(columns) / Double(rows * 2))
    // The margin leaves space for names at the edge. A map of the globe needs none.
    var width = max(minimumWidth, needed * 1.25)
    if isWide { width = min(width, max(projection.width, needed * 1.05)) }
    self.init(
      columns: columns, rows: rows, projection: projection,
      middle: MapPoint(x: (left + right) / 2, y: (bottom + top) / 2),
      kilometersPerDot: width / Double(columns * 2))
  }

  /// The maximum radius of an azimuthal map in kilometers. Beyond it, shapes are hard to recognize.
  private static let azimuthalRadius = 5000.0

  /// Returns the center of the shortest longitude span and the latitude span.
  private static func center(of coordinates: [Coordinate]) -> Coordinate? {
    let longitudes = coordinates.map(\.longitude).sorted()
    guard let first = longitudes.first, let last = longitudes.last else { return nil }
    // The span begins after the widest gap between longitudes. The first candidate is the gap across the antimeridian.
    var (west, widest) = (first, first + 360 - last)
    for (longitude, next) in zip(longitudes, longitudes.dropFirst()) where next - longitude > widest {
      (west, widest) = (next, next - longitude)
    }
    let (south, north) = extremes(coordinates.map(\.latitude))
    return Coordinate(latitude: (south + north) / 2, longitude: (west + (360 - widest) / 2).wrappedDegrees)
  }

  private static func extremes(_ values: [Double]) -> (Double, Double) {
    (values.min() ?? 0, values.max() ?? 0)
  }
}
