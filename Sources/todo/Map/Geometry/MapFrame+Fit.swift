import ToDoModel

extension MapFrame {
  /// A map that shows all of some coordinates, as large as they can be shown; `nil` for none.
  ///
  /// - Parameter leastWidth: how much it shows at least from left to right, in kilometres.
  init?(fitting coordinates: [Coordinate], leastWidth: Double, columns: Int, rows: Int) {
    guard let center = Self.center(of: coordinates) else { return nil }
    let azimuthal = Projection(center: center)
    let isWide = coordinates.contains { azimuthal.distance(to: $0) > Self.azimuthalReach }
    let projection = isWide ? Projection(center: center, form: .cylindrical) : azimuthal
    let points = coordinates.compactMap(projection.point)
    let (left, right) = Self.extremes(points.map(\.x))
    let (bottom, top) = Self.extremes(points.map(\.y))
    let needed = max(right - left, (top - bottom) * Double(columns) / Double(rows * 2))
    // The margin is for the names of what is at the edge; the globe has nothing to show there.
    var width = max(leastWidth, needed * 1.25)
    if isWide { width = min(width, max(projection.width, needed * 1.05)) }
    self.init(
      columns: columns, rows: rows, projection: projection,
      middle: MapPoint(x: (left + right) / 2, y: (bottom + top) / 2),
      kilometersPerDot: width / Double(columns * 2))
  }

  /// How far from its centre a map is azimuthal, in kilometres. Farther out, shapes are hard to recognise.
  private static let azimuthalReach = 5000.0

  /// The middle of the shortest span of longitudes that has all, and of the latitudes.
  private static func center(of coordinates: [Coordinate]) -> Coordinate? {
    let longitudes = coordinates.map(\.longitude).sorted()
    guard let first = longitudes.first, let last = longitudes.last else { return nil }
    // The span begins after the widest gap, the one across the antimeridian unless another is wider.
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
