import ToDoText

/// The output of a painter, with the state in which it leaves the terminal.
struct PaintBuffer {
  private(set) var bytes: [UInt8] = []
  private let theme: ScreenTheme
  private let columns: Int
  /// The position of the cursor, or `nil` if it is uncertain: at the start, after a character in the last column, and after a
  /// cluster of uncertain width.
  private var position: ScreenPosition?
  private var style = TerminalStyle.plain
  /// The latest cell style and its appearance.
  private var latestStyle: (cell: TextStyle, terminal: TerminalStyle) = (.plain, .plain)

  init(theme: ScreenTheme, columns: Int) {
    (self.theme, self.columns) = (theme, columns)
  }

  var isEmpty: Bool { bytes.isEmpty }

  /// Erases the window of a terminal whose style is unknown.
  mutating func eraseWindow() {
    append("\u{1B}[m\u{1B}[2J")
  }

  /// Writes a cell at a position. The further cells of a wide cluster need no writing.
  mutating func write(_ cell: Cell, row: Int, column: Int) {
    guard cell.width > 0 else { return }
    move(to: ScreenPosition(row: row, column: column))
    let style = terminalStyle(for: cell)
    if !isShown(style, isBlank: cell.isBlank) { change(to: style) }
    append(cell.text)
    let end = column + Int(cell.width)
    let isCertain = end < columns && !cell.hasUncertainWidth
    position = isCertain ? ScreenPosition(row: row, column: end) : nil
  }

  /// Returns whether cells can be written at the current position in less than the bytes of a cursor movement.
  mutating func isCheap(_ cells: ArraySlice<Cell>) -> Bool {
    guard cells.count <= Self.movementCost, position != nil else { return false }
    for cell in cells {
      guard cell.text.isASCII, isShown(terminalStyle(for: cell), isBlank: cell.isBlank) else { return false }
    }
    return true
  }

  /// Erases the row from a column on.
  ///
  /// After a character in the last column, the cursor is still on that character. So the row must be erased before such a
  /// character is written.
  mutating func eraseRow(_ row: Int, from column: Int) {
    move(to: ScreenPosition(row: row, column: column))
    // Terminals erase with the current background.
    if !isShown(.plain, isBlank: true) { change(to: .plain) }
    append("\u{1B}[K")
  }

  /// Moves the cursor.
  mutating func move(to target: ScreenPosition) {
    guard position != target else { return }
    append("\u{1B}[")
    if target.row > 0 || target.column > 0 { append(target.row + 1) }
    if target.column > 0 {
      append(";")
      append(target.column + 1)
    }
    append("H")
    position = target
  }

  /// Resets the style.
  mutating func resetStyle() {
    if style != .plain { change(to: .plain) }
  }

  mutating func append(_ text: StaticString) {
    text.withUTF8Buffer { bytes.append(contentsOf: $0) }
  }

  /// The usual size of a cursor movement, in bytes.
  private static let movementCost = 7

  private mutating func append(_ text: Cell.Text) {
    switch text {
    case .scalar(let scalar) where scalar.isASCII: bytes.append(UInt8(truncatingIfNeeded: scalar.value))
    case .scalar(let scalar): bytes.append(contentsOf: scalar.utf8)
    case .cluster(let text): bytes.append(contentsOf: text.utf8)
    case .continuation: break
    }
  }

  private mutating func append(_ number: Int) {
    if number >= 10 { append(number / 10) }
    bytes.append(UInt8(ascii: "0") + UInt8(number % 10))
  }

  private mutating func terminalStyle(for cell: Cell) -> TerminalStyle {
    if cell.style != latestStyle.cell { latestStyle = (cell.style, theme.terminalStyle(for: cell.style)) }
    return latestStyle.terminal
  }

  private func isShown(_ style: TerminalStyle, isBlank: Bool) -> Bool {
    isBlank ? style.looksSameOnBlanks(as: self.style) : style == self.style
  }

  private mutating func change(to style: TerminalStyle) {
    append("\u{1B}[")
    let parameters = style.parameters(from: self.style)
    // The sequence without parameters is a reset.
    if parameters != [0] {
      for (index, parameter) in parameters.enumerated() {
        if index > 0 { append(";") }
        append(parameter)
      }
    }
    append("m")
    self.style = style
  }
}

extension Cell.Text {
  fileprivate var isASCII: Bool {
    guard case .scalar(let scalar) = self else { return false }
    return scalar.isASCII
  }
}
