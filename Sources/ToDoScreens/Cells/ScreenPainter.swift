package import ToDoText

/// Produces the output that changes the screen from one drawing to the next. Only cells that differ are written, as one
/// synchronized update if the terminal supports it.
///
/// Each output leaves the terminal with the default style. The terminal must not wrap lines.
package struct ScreenPainter {
  /// A drawing on the screen.
  private struct Frame {
    var grid: CellGrid
    /// The lines of the grid. Comparing them is cheaper than dividing them into cells.
    var lines: [StyledText]
    var cursor: ScreenPosition?

    /// Creates the empty frame.
    init(_ size: WindowSize) {
      grid = CellGrid(size)
      lines = Array(repeating: StyledText(), count: grid.rows.count)
    }
  }

  private let theme: ScreenTheme
  /// The drawing on the screen, or `nil` if it is unknown.
  private var shown: Frame?

  /// Creates a painter of a window whose content is unknown.
  package init(theme: ScreenTheme) {
    self.theme = theme
  }

  /// Discards the shown drawing, because other programs may have written to the screen. The next drawing is painted in full.
  package mutating func invalidate() {
    shown = nil
  }

  /// Returns the output that shows a drawing, or `nil` if the screen already shows it.
  ///
  /// A window of another size is painted in full.
  ///
  /// - Parameters:
  ///   - lines: the lines from the top. Further rows of the window are empty, and further lines are cut off.
  ///   - cursor: the position of the text cursor, or `nil` to hide it. A position outside the window hides it, too.
  package mutating func output(lines: [StyledText], cursor: ScreenPosition?, size: WindowSize) -> String? {
    let cursor = cursor.flatMap { size.contains($0) ? $0 : nil }
    let isKnown = shown?.grid.size == size
    var frame = isKnown ? shown ?? Frame(size) : Frame(size)
    // Released, so that the frame is changed in place.
    shown = nil
    var buffer = PaintBuffer(theme: theme, columns: size.columns)
    if !isKnown { buffer.eraseWindow() }
    paint(lines, over: &frame, in: &buffer)
    defer {
      frame.cursor = cursor
      shown = frame
    }
    guard !buffer.isEmpty || cursor != frame.cursor else { return nil }
    return Self.output(of: buffer, cursor: cursor, old: frame.cursor, isKnown: isKnown)
  }

  private func paint(_ lines: [StyledText], over frame: inout Frame, in buffer: inout PaintBuffer) {
    for row in frame.lines.indices {
      let line = row < lines.count ? lines[row] : StyledText()
      guard frame.lines[row] != line else { continue }
      let cells = CellRow(line, columns: frame.grid.size.columns)
      cells.paint(over: frame.grid.rows[row], row: row, in: &buffer)
      frame.lines[row] = line
      frame.grid.write(cells, row: row)
    }
  }

  /// Completes the output with the changes of the cursor.
  private static func output(
    of cells: PaintBuffer, cursor: ScreenPosition?, old: ScreenPosition?, isKnown: Bool
  ) -> String {
    var cells = cells
    let isPainted = !cells.isEmpty
    let mayBeVisible = old != nil || !isKnown
    // Hidden while cells are painted, because it would be seen jumping on terminals without synchronized output.
    let isHidden = mayBeVisible && (isPainted || cursor == nil)
    cells.resetStyle()
    if let cursor {
      cells.move(to: cursor)
      if isHidden || !mayBeVisible { cells.append("\u{1B}[?25h") }
    }
    return begin + (isHidden ? hideCursor : "") + String(decoding: cells.bytes, as: UTF8.self) + end
  }

  // Synchronized output. Terminals without support ignore the sequences.
  private static let begin = "\u{1B}[?2026h"
  private static let end = "\u{1B}[?2026l"
  private static let hideCursor = "\u{1B}[?25l"
}

extension WindowSize {
  fileprivate func contains(_ position: ScreenPosition) -> Bool {
    position.row >= 0 && position.row < rows && position.column >= 0 && position.column < columns
  }
}

extension CellRow {
  /// Writes the cells that differ from another row, which the screen shows.
  ///
  /// If one half of a wide character is overwritten, both halves differ, and both are written.
  fileprivate func paint(over old: CellRow, row: Int, in buffer: inout PaintBuffer) {
    guard cells != old.cells else { return }
    guard !hasRightToLeft, !old.hasRightToLeft else { return paintAll(row, in: &buffer) }
    /// The column after the last cell written.
    var written: Int?
    var column = 0
    while column < end {
      let next = column + max(1, Int(cells[column].width))
      if differs(from: old, at: column..<next) {
        if let written, written < column, buffer.isCheap(cells[written..<column]) {
          write(written..<column, row, in: &buffer)
        }
        write(column..<next, row, in: &buffer)
        written = next
      }
      column = next
    }
    eraseEnd(of: old, row, in: &buffer)
  }

  private func differs(from old: CellRow, at columns: Range<Int>) -> Bool {
    for column in columns where cells[column] != old.cells[column] { return true }
    return false
  }

  /// Writes the whole row, because a terminal that reorders right-to-left text may move cells that have not changed.
  private func paintAll(_ row: Int, in buffer: inout PaintBuffer) {
    buffer.eraseRow(row, from: 0)
    write(0..<end, row, in: &buffer)
  }

  /// Replaces the old row's visible cells after the end of this row with blanks.
  private func eraseEnd(of old: CellRow, _ row: Int, in buffer: inout PaintBuffer) {
    guard old.end > end else { return }
    // The shortest erasing sequence has three bytes.
    if old.end - end > 3 {
      buffer.eraseRow(row, from: end)
    } else {
      write(end..<old.end, row, in: &buffer)
    }
  }

  private func write(_ columns: Range<Int>, _ row: Int, in buffer: inout PaintBuffer) {
    for column in columns { buffer.write(cells[column], row: row, column: column) }
  }
}
