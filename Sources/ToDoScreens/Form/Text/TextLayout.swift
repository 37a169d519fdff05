/// The rows of a multi-line text, which are wrapped between words.
struct TextLayout: Equatable, Sendable {
  /// The characters of each row, without the line break at its end. There is at least one row.
  let rows: [Range<Int>]
  private let cells: [TextCell]
  /// The number of columns without the one for the cursor. A blank at the end of a row may take that column.
  private let room: Int

  /// Creates the rows of a text.
  ///
  /// - Parameter width: the number of columns. The last of them remains free for the cursor.
  init(_ cells: [TextCell], width: Int) {
    room = max(1, width - 1)
    self.cells = cells
    var rows: [Range<Int>] = []
    var (start, column) = (0, 0)
    // The start of the row's last word.
    var word = 0
    for (index, cell) in cells.enumerated() {
      if cell.isNewline {
        rows.append(start..<index)
        (start, column, word) = (index + 1, 0, index + 1)
        continue
      }
      if column + cell.width > (cell.isWhitespace ? room + 1 : room), index > start {
        let end = word > start ? word : index
        rows.append(start..<end)
        (start, word) = (end, end)
        column = cells[end..<index].reduce(0) { $0 + $1.width }
      }
      column += cell.width
      if cell.isWhitespace { word = index + 1 }
    }
    rows.append(start..<cells.count)
    self.rows = rows
  }

  /// Returns the row and the column of a cursor.
  func position(of cursor: Int) -> (row: Int, column: Int) {
    // The cursor between two rows without a line break is at the start of the second.
    let row = rows.lastIndex { $0.lowerBound <= cursor } ?? 0
    let column = cells[rows[row].lowerBound..<cursor].reduce(0) { $0 + $1.width }
    return (row, min(room, column))
  }

  /// Returns the cursor in a row that is nearest to a column, but not past it.
  func index(row: Int, column: Int) -> Int {
    let range = rows[row]
    var (index, used) = (range.lowerBound, 0)
    while index < range.upperBound, used + cells[index].width <= column {
      used += cells[index].width
      index += 1
    }
    let continues = row + 1 < rows.count && rows[row + 1].lowerBound == range.upperBound
    return continues ? min(index, max(range.lowerBound, range.upperBound - 1)) : index
  }
}
