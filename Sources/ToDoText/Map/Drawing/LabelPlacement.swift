/// Places labels next to points, so that no label covers or touches another.
struct LabelPlacement {
  private let columns: Int
  private let rows: Int
  private var occupied: [Bool]

  init(columns: Int, rows: Int) {
    (self.columns, self.rows) = (columns, rows)
    occupied = Array(repeating: false, count: columns * rows)
  }

  /// Returns whether a cell is occupied.
  func isOccupied(_ cell: MapCell) -> Bool { occupied[cell.row * columns + cell.column] }

  /// Returns whether a cell or its left or right neighbor is occupied.
  func isNearOccupied(_ cell: MapCell) -> Bool {
    (max(0, cell.column - 1)...min(columns - 1, cell.column + 1)).contains { column in
      isOccupied(MapCell(column: column, row: cell.row))
    }
  }

  /// Marks cells as occupied.
  mutating func occupy(_ cell: MapCell, width: Int = 1) {
    for column in cell.column..<cell.column + width { occupied[cell.row * columns + column] = true }
  }

  /// Occupies the cells for a label to the right of a point, or else to its left, below it or above it.
  ///
  /// - Parameters:
  ///   - width: the label's width in columns.
  ///   - gap: the number of free columns between the point and a label to its right or left.
  /// - Returns: the first cell of the label, or `nil` if it fits nowhere.
  mutating func place(width: Int, beside point: MapCell, gap: Int = 0) -> MapCell? {
    let center = min(max(point.column - width / 2, 0), max(columns - width, 0))
    let candidates = [
      MapCell(column: point.column + 1 + gap, row: point.row),
      MapCell(column: point.column - width - gap, row: point.row),
      MapCell(column: center, row: point.row + 1), MapCell(column: center, row: point.row - 1),
    ]
    guard let cell = candidates.first(where: { fits(at: $0, width: width, beside: point) }) else { return nil }
    occupy(cell, width: width)
    return cell
  }

  /// Returns whether the cells and their neighbors on both sides are free. The point itself may be a neighbor.
  private func fits(at cell: MapCell, width: Int, beside point: MapCell) -> Bool {
    guard (0..<rows).contains(cell.row), cell.column >= 0, cell.column + width <= columns else { return false }
    return (max(0, cell.column - 1)..<min(columns, cell.column + width + 1)).allSatisfy { column in
      let neighbor = MapCell(column: column, row: cell.row)
      return neighbor == point || !isOccupied(neighbor)
    }
  }
}
