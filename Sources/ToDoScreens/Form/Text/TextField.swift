import ToDoModel

/// An editable text with a cursor between its characters.
///
/// Characters are grapheme clusters, so the cursor never stands between a letter and its accent.
struct TextField: Equatable, Sendable {
  /// The characters of the text.
  private(set) var cells: [TextCell]
  /// The number of characters before the cursor.
  private(set) var cursor: Int
  /// The maximum size of the text in bytes of UTF-8.
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

  /// Replaces characters, and moves the cursor behind the replacement.
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
