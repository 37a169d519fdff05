import ToDoModel
import ToDoText

/// The cells of one window row.
struct CellRow: Equatable, Sendable {
  /// As many cells as the window has columns.
  let cells: [Cell]
  /// Whether the row contains right-to-left characters, which a terminal may reorder. The cells are in logical order.
  let hasRightToLeft: Bool
  /// The column after the last visible cell.
  let end: Int

  /// Creates a row of blanks.
  init(columns: Int) {
    (cells, hasRightToLeft, end) = (Array(repeating: .blank, count: max(0, columns)), false, 0)
  }

  /// Creates the row that shows a line.
  init(_ line: StyledText, columns: Int) {
    var divider = CellDivider(columns: columns)
    line.forEachPart { divider.append($0, $1) }
    divider.fill(.plain)
    (cells, hasRightToLeft) = (divider.cells, divider.hasRightToLeft)
    end = (cells.lastIndex { $0 != .blank } ?? -1) + 1
  }
}

/// Divides a line into the cells of a row.
///
/// Every character that could control the terminal becomes U+FFFD. A wide character that would cross the right edge becomes
/// blanks.
private struct CellDivider {
  private(set) var cells: [Cell] = []
  private(set) var hasRightToLeft = false
  /// Whether a character did not fit. Nothing after it is visible.
  private var isCutOff = false
  private let columns: Int

  init(columns: Int) {
    self.columns = max(0, columns)
    cells.reserveCapacity(self.columns)
  }

  /// Appends a part of the line.
  mutating func append(_ text: Substring, _ style: TextStyle) {
    let scalars = text.unicodeScalars
    var index = scalars.startIndex
    while !isCutOff, index < scalars.endIndex {
      let scalar = scalars[index]
      let following = scalars.index(after: index)
      // Fast path: segmenting text into characters dominates the cost of a window.
      if let width = scalar.separateWidth, following == scalars.endIndex || scalars[following].isSeparate {
        if scalar.isRightToLeft { hasRightToLeft = true }
        append(.scalar(scalar), width: width, style)
        index = following
      } else if scalar.isTerminalControl {
        append(.scalar("\u{FFFD}"), width: 1, style)
        index = following
      } else {
        append(text[index], style)
        index = text.index(after: index)
      }
    }
  }

  /// Fills the rest of the row with blanks.
  mutating func fill(_ style: TextStyle) {
    while cells.count < columns { cells.append(Cell(text: .scalar(" "), width: 1, style: style.ofBlank)) }
  }

  /// Appends a cluster of any width.
  private mutating func append(_ cluster: Character, _ style: TextStyle) {
    if cluster.unicodeScalars.contains(where: \.isRightToLeft) { hasRightToLeft = true }
    let width = cluster.displayWidth
    guard width == 0 else { return append(Cell.Text(cluster), width: width, style) }
    // The cluster belongs to the cluster before it. At the start of a line, it has nothing to modify.
    if let last = cells.lastIndex(where: { $0.width > 0 }) {
      cells[last].text = .cluster(cells[last].text.string + String(cluster))
    }
  }

  /// Appends a cluster of at least one column.
  private mutating func append(_ text: Cell.Text, width: Int, _ style: TextStyle) {
    guard cells.count + width <= columns, width <= Int8.max else {
      fill(style)
      isCutOff = true
      return
    }
    cells.append(Cell(text: text, width: Int8(width), style: text == .scalar(" ") ? style.ofBlank : style))
    if width > 1 { cells += repeatElement(.continuation(style), count: width - 1) }
  }
}

extension TextStyle {
  /// The simplest style in which a blank looks the same.
  fileprivate var ofBlank: TextStyle { self == .highlighted ? .highlighted : .plain }
}
