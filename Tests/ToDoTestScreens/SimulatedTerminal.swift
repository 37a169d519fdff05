import ToDoModel
package import ToDoScreens
import ToDoText

/// A terminal that interprets the output of a `ScreenPainter`.
///
/// The terminal starts with a visible cursor in the upper left corner, without line wrapping (mode 7), as on the screen of
/// `todo`.
package struct SimulatedTerminal: Equatable {
  package struct Cell: Equatable {
    /// A cluster, or empty in the further columns of a wide cluster.
    package var text = " "
    package var width = 1
    package var style = SimulatedStyle()
  }

  package let size: WindowSize
  package private(set) var cells: [[Cell]]
  package private(set) var cursor = ScreenPosition(row: 0, column: 0)
  package var style = SimulatedStyle()
  /// The private modes that are set: 7 for line wrapping, 25 for a visible cursor, 2026 during a synchronized update.
  package var modes: Set<Int> = [25]
  /// Whether the last character was written in the last column, on which the cursor still is.
  private var isWrapPending = false
  /// The sequences that the terminal has skipped, without their escape character, and other faults of the output.
  package var skipped: [String] = []

  /// Creates a terminal.
  ///
  /// - Parameter filler: the text of every cell before the first output.
  package init(_ size: WindowSize, filler: String = " ") {
    self.size = size
    cells = Array(repeating: Array(repeating: Cell(text: filler), count: size.columns), count: size.rows)
  }

  /// Interprets an output. A sequence must not continue in the next output.
  package mutating func feed(_ output: String) {
    var text = String.UnicodeScalarView()
    var rest = Substring(output).unicodeScalars
    while let scalar = rest.popFirst() {
      if scalar != "\u{1B}" {
        text.append(scalar)
        continue
      }
      write(String(text))
      text = String.UnicodeScalarView()
      interpretSequence(&rest)
    }
    write(String(text))
  }

  /// Interprets the outputs of a painter, of which `nil` stands for no change.
  package mutating func feed(_ output: String?) {
    if let output { feed(output) as Void }
  }

  /// The text of the rows, without the blanks at their ends.
  package var lines: [String] {
    cells.map { row in
      var line = row.map(\.text).joined()
      while line.hasSuffix(" ") { line.removeLast() }
      return line
    }
  }

  /// The text of the rows, then the styles and the cursor, for golden files. Rows and columns are counted from 1:
  ///
  ///     To do (1)
  ///       1  Buy milk
  ///     ---
  ///     1: 1-9 bold
  ///     2: 3-3 yellow
  ///     cursor 2:6
  package var styledText: String {
    var texts = lines
    texts.append("---")
    for (row, cells) in cells.enumerated() {
      let runs = Self.styleRuns(cells)
      if !runs.isEmpty { texts.append("\(row + 1): " + runs.joined(separator: ", ")) }
    }
    texts.append(modes.contains(25) ? "cursor \(cursor.row + 1):\(cursor.column + 1)" : "no cursor")
    return texts.joined(separator: "\n") + "\n"
  }

  private static func styleRuns(_ cells: [Cell]) -> [String] {
    var runs: [String] = []
    var start = 0
    while start < cells.count {
      let style = cells[start].style
      let end = cells[start...].firstIndex { $0.style != style } ?? cells.count
      if style != SimulatedStyle() { runs.append("\(start + 1)-\(end) \(style.text)") }
      start = end
    }
    return runs
  }
}

// MARK: - Operations

extension SimulatedTerminal {
  /// Writes text without escape sequences.
  private mutating func write(_ text: String) {
    for character in text {
      if character.unicodeScalars.contains(where: \.isTerminalControl) {
        skipped.append("control character \(character.unicodeScalars.map(\.value))")
      } else {
        write(character)
      }
    }
  }

  private mutating func write(_ character: Character) {
    let width = character.displayWidth
    guard width > 0 else { return append(character) }
    if isWrapPending, modes.contains(7) {
      cursor = ScreenPosition(row: min(cursor.row + 1, size.rows - 1), column: 0)
    }
    guard cursor.column + width <= size.columns else {
      skipped.append("a wide character at the right edge")
      return
    }
    let end = cursor.column + width
    breakWideCharacter(at: cursor.column)
    if end < size.columns { breakWideCharacter(at: end) }
    let visible = character == " " ? style.ofBlank : style
    cells[cursor.row][cursor.column] = Cell(text: String(character), width: width, style: visible)
    for column in cursor.column + 1..<max(end, cursor.column + 1) {
      cells[cursor.row][column] = Cell(text: "", width: 0, style: visible)
    }
    isWrapPending = end == size.columns
    cursor.column = min(end, size.columns - 1)
  }

  /// Adds a zero-width character to the character before the cursor.
  private mutating func append(_ character: Character) {
    var column = isWrapPending ? cursor.column : cursor.column - 1
    while column > 0, cells[cursor.row][column].width == 0 { column -= 1 }
    guard column >= 0 else { return skipped.append("a zero-width character at the left edge") }
    cells[cursor.row][column].text.append(character)
  }

  /// Replaces a wide character by blanks if a column is not its first.
  private mutating func breakWideCharacter(at column: Int) {
    var start = column
    while start > 0, cells[cursor.row][start].width == 0 { start -= 1 }
    guard start < column else { return }
    for column in start..<start + cells[cursor.row][start].width { cells[cursor.row][column] = Cell() }
  }

  /// Moves the cursor, to within the window. Positions are counted from 1.
  package mutating func moveCursor(row: Int, column: Int) {
    cursor.row = max(0, min(row - 1, size.rows - 1))
    cursor.column = max(0, min(column - 1, size.columns - 1))
    isWrapPending = false
  }

  /// Erases the row of the cursor, from the cursor on.
  ///
  /// Behind a character in the last column, this erases that character.
  package mutating func eraseRow() {
    breakWideCharacter(at: cursor.column)
    for column in cursor.column..<size.columns { cells[cursor.row][column] = erased }
  }

  package mutating func eraseWindow() {
    cells = Array(repeating: Array(repeating: erased, count: size.columns), count: size.rows)
  }

  private var erased: Cell { Cell(style: SimulatedStyle(background: style.background)) }
}
