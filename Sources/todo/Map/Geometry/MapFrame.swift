import ToDoModel

/// Which part of the Earth a map shows, and on how many characters.
///
/// Characters are twice as high as they are wide, so that dots, two by four in each, are as far apart in both directions.
struct MapFrame: Sendable {
  let columns: Int
  let rows: Int
  let projection: Projection
  /// What of the projection's plane is in the middle.
  private let middle: MapPoint
  let kilometersPerDot: Double

  /// A map around a place.
  ///
  /// - Parameter width: how much it shows from left to right, in kilometres.
  init(around center: Coordinate, width: Double, columns: Int, rows: Int) {
    let kilometersPerDot = width / Double(columns * 2)
    // In the middle of a character, so that what is at the same place gets the same one, on whichever side it is.
    let (right, down) = (columns.isMultiple(of: 2) ? 1.0 : 0, rows.isMultiple(of: 2) ? 2.0 : 0)
    self.init(
      columns: columns, rows: rows, projection: Projection(center: center),
      middle: MapPoint(x: -right * kilometersPerDot, y: down * kilometersPerDot), kilometersPerDot: kilometersPerDot)
  }

  init(columns: Int, rows: Int, projection: Projection, middle: MapPoint, kilometersPerDot: Double) {
    (self.columns, self.rows) = (columns, rows)
    self.projection = projection
    self.middle = middle
    self.kilometersPerDot = kilometersPerDot
  }

  /// How much the map shows from left to right, in kilometres.
  var width: Double { kilometersPerDot * Double(columns * 2) }

  /// How far from the projection's centre the map reaches at most, in kilometres along the surface.
  var reach: Double {
    let x = middle.x.magnitude + width / 2
    let y = middle.y.magnitude + kilometersPerDot * Double(rows * 4) / 2
    // What is shown too small, far from a cylinder's parallel, is never farther away than half around the globe.
    let isWhole = projection.form == .cylindrical
    return isWhole ? .pi * Projection.earthRadius : (x * x + y * y).squareRoot()
  }

  /// Where a coordinate is, in dots from the upper left; it may lie outside. `nil` for what no map here can show.
  func dot(at coordinate: Coordinate) -> MapPoint? {
    projection.point(at: coordinate).map { point in
      MapPoint(
        x: Double(columns) + (point.x - middle.x) / kilometersPerDot - 0.5,
        y: Double(rows * 2) - (point.y - middle.y) / kilometersPerDot - 0.5)
    }
  }

  /// The character that shows a coordinate; `nil` when it lies outside.
  func cell(at coordinate: Coordinate) -> MapCell? {
    guard let dot = dot(at: coordinate) else { return nil }
    let (x, y) = (dot.x.rounded(), dot.y.rounded())
    guard x >= 0, y >= 0, x < Double(columns * 2), y < Double(rows * 4) else { return nil }
    return MapCell(column: Int(x) / 2, row: Int(y) / 4)
  }
}

/// The place of a character on a map, from the upper left.
struct MapCell: Hashable, Sendable {
  var column: Int
  var row: Int
}
