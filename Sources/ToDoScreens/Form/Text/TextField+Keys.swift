extension TextField {
  /// Handles a key that edits the text or moves the cursor.
  ///
  /// Ctrl-A and Ctrl-E move to the ends of the line, Ctrl-U and Ctrl-K clear to them, and Ctrl-W
  /// removes the word before the cursor.
  mutating func handle(_ key: KeyPress) -> Response {
    switch key {
    case .character(let character): insert(String(character))
    case .enter: isMultiline ? insert("\n") : .ignored
    case .backspace: remove(max(0, cursor - 1)..<cursor)
    case .delete: remove(cursor..<min(cursor + 1, cells.count))
    case .left: moveCursor(to: cursor - 1)
    case .right: moveCursor(to: cursor + 1)
    case .home, .control("a"): moveCursor(to: lineStart)
    case .end, .control("e"): moveCursor(to: lineEnd)
    case .control("u"): remove(lineStart..<cursor)
    case .control("k"): remove(cursor..<lineEnd)
    case .control("w"): remove(wordStart..<cursor)
    default: .ignored
    }
  }

  /// Moves the cursor up or down in a text of several lines.
  ///
  /// - Parameters:
  ///   - rows: the number of rows to move down. Negative to move up.
  ///   - width: the number of columns of the field.
  /// - Returns: whether there is such a row.
  mutating func moveCursor(rows: Int, width: Int) -> Bool {
    let layout = TextLayout(cells, width: width)
    let position = layout.position(of: cursor)
    let row = position.row + rows
    guard layout.rows.indices.contains(row) else { return false }
    _ = moveCursor(to: layout.index(row: row, column: position.column))
    return true
  }

  private var lineStart: Int {
    guard isMultiline else { return 0 }
    return cells[..<cursor].lastIndex(where: \.isNewline).map { $0 + 1 } ?? 0
  }

  private var lineEnd: Int {
    guard isMultiline else { return cells.count }
    return cells[cursor...].firstIndex(where: \.isNewline) ?? cells.count
  }

  private var wordStart: Int {
    let word = cells[..<cursor].lastIndex { !$0.isWhitespace }
    guard let word else { return 0 }
    return cells[..<word].lastIndex(where: \.isWhitespace).map { $0 + 1 } ?? 0
  }
}
