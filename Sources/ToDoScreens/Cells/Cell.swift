import ToDoText

/// One cell of a terminal window.
struct Cell: Equatable, Sendable {
  /// A cell's text. Most clusters consist of one scalar, which is faster to handle than a string.
  enum Text: Equatable, Sendable {
    case scalar(Unicode.Scalar)
    /// Several scalars: a cluster and the zero-width clusters after it.
    case cluster(String)
    /// The further columns of a wide cluster.
    case continuation
  }

  var text: Text
  /// The cluster's width in columns: 1, 2, or more for the few clusters that a terminal shows as several letters.
  /// 0 in the further columns of a wide cluster.
  var width: Int8
  var style: TextStyle

  static let blank = Cell(text: .scalar(" "), width: 1, style: .plain)

  /// Returns the cell in the further columns of a wide cluster.
  static func continuation(_ style: TextStyle) -> Cell { Cell(text: .continuation, width: 0, style: style) }

  /// Whether the cell contains a blank. Of its style, only the background is visible.
  var isBlank: Bool { text == .scalar(" ") }

  /// Whether terminals may disagree about the cluster's width: it consists of several scalars, or it is one
  /// of the characters that Unicode adds with each version.
  var hasUncertainWidth: Bool {
    switch text {
    case .scalar(let scalar): scalar.value >= 0x1F000
    case .cluster: true
    case .continuation: false
    }
  }
}

extension Cell.Text {
  init(_ cluster: Character) {
    let scalars = cluster.unicodeScalars
    if scalars.count == 1, let scalar = scalars.first {
      self = .scalar(scalar)
    } else {
      self = .cluster(String(cluster))
    }
  }

  var string: String {
    switch self {
    case .scalar(let scalar): String(scalar)
    case .cluster(let text): text
    case .continuation: ""
    }
  }
}

/// The cells of a window.
struct CellGrid: Equatable, Sendable {
  let size: WindowSize
  private(set) var rows: [CellRow]

  /// Creates a grid of blanks.
  init(_ size: WindowSize) {
    self.size = size
    rows = Array(repeating: CellRow(columns: size.columns), count: max(0, size.rows))
  }

  /// Replaces a row by a line. The line is cut off at the right edge. Rows outside the grid are ignored.
  mutating func write(_ line: StyledText, row: Int) {
    write(CellRow(line, columns: size.columns), row: row)
  }

  /// Replaces a row, which has as many cells as the grid has columns.
  mutating func write(_ cells: CellRow, row: Int) {
    guard rows.indices.contains(row) else { return }
    rows[row] = cells
  }

  subscript(row: Int, column: Int) -> Cell { rows[row].cells[column] }
}
