import ToDoModel
import ToDoText

extension MapFrame {
  /// Returns the coordinate in a cell's middle, or `nil` if the cell is beyond the edge of the globe.
  ///
  /// Searches the coordinate in ever finer grids, with at most `searchSteps` grids of 625 points. This works for every
  /// projection.
  func coordinate(at cell: MapCell) -> Coordinate? {
    let target = MapPoint(x: Double(cell.column * 2) + 0.5, y: Double(cell.row * 4) + 1.5)
    guard var best = Coordinate(latitude: 0, longitude: projection.center.longitude) else { return nil }
    var (height, width) = (90.0, 180.0)
    for _ in 0..<Self.searchSteps {
      let grid = Self.grid(around: best, height: height, width: width)
      guard let nearest = grid.min(by: { distance(of: $0, to: target) < distance(of: $1, to: target) }) else { break }
      best = nearest
      height /= Self.refinement
      // Near a pole, coordinates with very different longitudes are close to each other.
      if best.latitude.magnitude + height < 90 { width /= Self.refinement }
    }
    return distance(of: best, to: target) < 1 ? best : nil
  }

  /// The number of grids. The last one is finer than the dots of the smallest region.
  private static let searchSteps = 12
  /// The number of grid points on each side of the center.
  private static let gridRadius = 12
  /// The factor between the sizes of two grids. A grid includes two rows of points around the last one's nearest point.
  private static let refinement = 6.0

  private static func grid(around center: Coordinate, height: Double, width: Double) -> [Coordinate] {
    let steps = (-gridRadius...gridRadius).map { Double($0) / Double(gridRadius) }
    return steps.flatMap { (north: Double) -> [Coordinate] in
      let latitude = min(max(center.latitude + north * height, -90), 90)
      return steps.compactMap { (east: Double) -> Coordinate? in
        Coordinate(latitude: latitude, longitude: (center.longitude + east * width).wrappedDegrees)
      }
    }
  }

  /// Returns the square of the distance in dots, which is infinite outside the projection.
  private func distance(of coordinate: Coordinate, to target: MapPoint) -> Double {
    guard let dot = dot(at: coordinate) else { return .infinity }
    let (dx, dy) = (dot.x - target.x, dot.y - target.y)
    return dx * dx + dy * dy
  }
}
