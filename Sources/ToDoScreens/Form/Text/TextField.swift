import ToDoModel
import ToDoText

/// An editable text with a cursor between its characters.
///
/// Characters are grapheme clusters, so the cursor never stands between a letter and its accent.
struct TextField: Equatable, Sendable {
  /// The characters of the text.
  private(set) var cells: [TextCell]
  /// The number of characters before the cursor.
  private(set) var cursor: Int
  /// The maximum size of the text, in bytes of UTF-8.
  let limit: Int
  /// Whether the text may contain line breaks.
  let isMultiline: Bool

  /// Creates a field with a text as it is, and the cursor at its end.
  init(_ text: String = "", limit: Int, isMultiline: Bool = false) {
    cells = text.map(TextCell.init)
    cursor = cells.count
    self.limit = limit
    self.isMultiline = isMultiline
  }

  var text: String { String(cells.lazy.map(\.character)) }
  /// Whether the text contains nothing but white space.
  var isBlank: Bool { cells.allSatisfy(\.isWhitespace) }

  /// Whether the cursor is in an empty line at the end.
  var isAtEmptyEnd: Bool { cursor == cells.count && cells.last.map(\.isNewline) != false }

  /// The result of a key or a paste.
  enum Response: Equatable, Sendable {
    /// The field has no use for the key.
    case ignored
    /// The text is the same. The cursor may have moved.
    case handled
    case changed
    /// The text would exceed the limit. Nothing was changed.
    case refused
  }

  /// Inserts a text at the cursor, or nothing of it if the result would exceed the limit.
  ///
  /// Without several lines, line breaks and tabs become blanks. Control characters are omitted.
  mutating func insert(_ text: String) -> Response {
    let text = accepted(text)
    guard !text.isEmpty else { return .handled }
    let size = cells.reduce(0) { $0 + $1.character.utf8.count }
    guard size + text.utf8.count <= limit else { return .refused }
    replace(cursor..<cursor, with: text)
    return .changed
  }

  /// Removes characters. The cursor moves to where they were.
  mutating func remove(_ range: Range<Int>) -> Response {
    guard !range.isEmpty else { return .handled }
    replace(range, with: "")
    return .changed
  }

  /// Replaces the text. The cursor moves to its end.
  mutating func replaceAll(with text: String) -> Response {
    guard text != self.text else { return .handled }
    self = TextField(text, limit: limit, isMultiline: isMultiline)
    return .changed
  }

  /// Moves the cursor. A position outside the text means its nearest end.
  mutating func moveCursor(to position: Int) -> Response {
    cursor = max(0, min(position, cells.count))
    return .handled
  }

  private func accepted(_ text: String) -> String {
    let accepted = text.compactMap { (character: Character) -> Character? in
      if character.isNewline { return isMultiline ? "\n" : " " }
      if character == "\t" { return isMultiline ? character : " " }
      return character.unicodeScalars.first?.isControl == true ? nil : character
    }
    return String(accepted)
  }

  /// Replaces characters, and moves the cursor after the replacement.
  ///
  /// The neighbors may join into one character, such as a letter and an accent that is typed after it. A boundary between
  /// characters depends on the text since the boundary before it only. So the text is segmented again from the character
  /// before the replacement until a character after it that remains the same.
  private mutating func replace(_ range: Range<Int>, with text: String) {
    let start = max(0, range.lowerBound - 1)
    let head = string(start..<range.lowerBound) + text
    var (end, step) = (range.upperBound, 1)
    var segment: [Character]
    repeat {
      end = min(end + step, cells.count)
      step *= 4
      segment = Array(head + string(range.upperBound..<end))
    } while end < cells.count && segment.last?.utf8.count != cells[end - 1].character.utf8.count
    cells.replaceSubrange(start..<end, with: segment.map(TextCell.init))
    cursor = start
    var size = 0
    for character in segment where size < head.utf8.count {
      size += character.utf8.count
      cursor += 1
    }
  }

  private func string(_ range: Range<Int>) -> String { String(cells[range].lazy.map(\.character)) }
}

// MARK: - Keys

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
  ///   - width: the field's width in columns.
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

// MARK: - Drawing

extension TextField {
  /// The visible part of a single-line text.
  struct VisibleText: Equatable, Sendable {
    var text: String
    /// The column of the cursor in the text.
    var cursor: Int
  }

  /// Returns the part around the cursor that fits into a number of columns, which must be at least 4. An ellipsis replaces
  /// what is cut off.
  ///
  /// The part moves by half a width, so it depends on nothing but the text and the cursor, and is stable while the cursor
  /// moves within it.
  func visibleText(width: Int) -> VisibleText {
    let widths = cells.map(\.width)
    var (start, column) = (0, widths[..<cursor].reduce(0, +))
    // A wide character at the cursor and an ellipsis follow.
    while column > width - 3, start < cursor {
      var step = 0
      while step < max(1, width / 2), start < cursor {
        step += widths[start]
        start += 1
      }
      column = widths[start..<cursor].reduce(1, +)
    }
    var (text, used) = (start > 0 ? "…" : "", start > 0 ? 1 : 0)
    var rest = widths[start...].reduce(0, +)
    for index in start..<cells.count {
      guard used + widths[index] < width || used + rest <= width else {
        text += "…"
        break
      }
      text += cells[index].text
      used += widths[index]
      rest -= widths[index]
    }
    return VisibleText(text: text, cursor: column)
  }

  /// Returns the start of the text, truncated to a number of columns.
  func truncatedText(width: Int) -> String {
    cells.lazy.map(\.text).joined().truncated(toWidth: width)
  }
}
