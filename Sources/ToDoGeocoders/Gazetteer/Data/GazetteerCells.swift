import ToDoRules

/// The grid that indexes the gazetteer's places by coordinate.
enum GazetteerCells {
  /// The side of a cell, in degrees.
  static let degrees = 2.0
  static let rows = 90
  static let columns = 180
  static let count = rows * columns

  /// Returns the cells that intersect a box, as one range for each row.
  static func ranges(in box: CoordinateBox) -> [ClosedRange<Int>] {
    let rows = index(box.latitudes.lowerBound + 90, below: rows)...index(box.latitudes.upperBound + 90, below: rows)
    let west = index(box.longitudes.lowerBound + 180, below: columns)
    let east = index(box.longitudes.upperBound + 180, below: columns)
    return rows.map { $0 * columns + west...$0 * columns + east }
  }

  private static func index(_ angle: Double, below limit: Int) -> Int {
    min(max(Int((angle / degrees).rounded(.down)), 0), limit - 1)
  }
}
