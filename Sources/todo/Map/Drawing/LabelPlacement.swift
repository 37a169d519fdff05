/// Finds room for texts beside points, so that none covers or touches another.
struct LabelPlacement {
  private let columns: Int
  private let rows: Int
  private var taken: [Bool]

  init(columns: Int, rows: Int) {
    (self.columns, self.rows) = (columns, rows)
    taken = Array(repeating: false, count: columns * rows)
  }

  func isTaken(_ cell: MapCell) -> Bool { taken[cell.row * columns + cell.column] }

  /// Whether a cell or the one left or right of it is taken.
  func isTakenNear(_ cell: MapCell) -> Bool {
    (max(0, cell.column - 1)...min(columns - 1, cell.column + 1)).contains { column in
      isTaken(MapCell(column: column, row: cell.row))
    }
  }

  /// Keeps texts away from a cell.
  mutating func take(_ cell: MapCell, width: Int = 1) {
    for column in cell.column..<cell.column + width { taken[cell.row * columns + column] = true }
  }

  /// Takes the room for a text of so many columns right of a point, or else left, below or above.
  ///
  /// - Parameter gap: how many columns are left free between the point and a text on its right or left.
  /// - Returns: where the text begins; `nil` when there is no room for all of it.
  mutating func place(width: Int, beside point: MapCell, gap: Int = 0) -> MapCell? {
    let center = min(max(point.column - width / 2, 0), max(columns - width, 0))
    let candidates = [
      MapCell(column: point.column + 1 + gap, row: point.row),
      MapCell(column: point.column - width - gap, row: point.row),
      MapCell(column: center, row: point.row + 1), MapCell(column: center, row: point.row - 1),
    ]
    guard let cell = candidates.first(where: { hasRoom(at: $0, width: width, beside: point) }) else { return nil }
    take(cell, width: width)
    return cell
  }

  /// Whether cells are free, and the next ones on both sides but for the point itself.
  private func hasRoom(at cell: MapCell, width: Int, beside point: MapCell) -> Bool {
    guard (0..<rows).contains(cell.row), cell.column >= 0, cell.column + width <= columns else { return false }
    return (max(0, cell.column - 1)..<min(columns, cell.column + width + 1)).allSatisfy { column in
      let neighbor = MapCell(column: column, row: cell.row)
      return neighbor == point || !isTaken(neighbor)
    }
  }
}
