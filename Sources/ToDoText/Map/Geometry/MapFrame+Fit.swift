import ToDoModel

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

  /// Returns the center of the shortest span of longitudes and of the span of latitudes.
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
