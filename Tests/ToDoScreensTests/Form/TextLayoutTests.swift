import Testing

@testable import ToDoScreens

@Suite struct TextLayoutTests {
  private func rows(_ text: String, _ width: Int) -> [String] {
    let characters = Array(text)
    return TextLayout(characters.map(TextCell.init), width: width).rows.map { String(characters[$0]) }
  }

  @Test(arguments: [
    ("", [""]), ("a", ["a"]), ("a\n", ["a", ""]), ("\n\nb", ["", "", "b"]), ("a\r\nb", ["a", "b"]),
    ("one two three", ["one two ", "three"]), ("0123456789abc", ["0123456", "789abc"]),
    ("0123456 789", ["0123456 ", "789"]), ("ab 0123456", ["ab ", "0123456"]), ("日本語日本語", ["日本語", "日本語"]),
    ("aaaa   b", ["aaaa   ", "b"]),
  ])
  func rows_areWrappedBetweenWords(_ text: String, _ expected: [String]) {
    let rows = rows(text, 8)
    #expect(rows == expected)
  }

  @Test func cursor_keepsItsColumn() {
    let layout = TextLayout("one two three\nfour".map(TextCell.init), width: 8)
    #expect(layout.position(of: 3) == (0, 3))
    #expect(layout.position(of: 8) == (1, 0))
    #expect(layout.position(of: 13) == (1, 5))
    #expect(layout.position(of: 18) == (2, 4))
    #expect(layout.index(row: 0, column: 4) == 4)
    #expect(layout.index(row: 0, column: 20) == 7)
    #expect(layout.index(row: 1, column: 20) == 13)
    #expect(layout.index(row: 2, column: 1) == 15)
  }

  @Test func everyCursor_isWithinItsRow() {
    let cells = "日本語 and some e\u{301}accents  with   blanks\n\n\tand tabs🇩🇪 ".map(TextCell.init)
    for width in 4...30 {
      let layout = TextLayout(cells, width: width)
      for cursor in 0...cells.count {
        let position = layout.position(of: cursor)
        #expect(layout.rows.indices.contains(position.row))
        #expect((0..<width).contains(position.column))
      }
    }
  }

  @Test func moveCursor_whenRowIsMissing_fails() {
    var field = TextField("ab\ncd", limit: 100, isMultiline: true)
    var moves = [field.moveCursor(rows: 1, width: 20), field.moveCursor(rows: -1, width: 20)]
    #expect(field.cursor == 2)
    moves.append(field.moveCursor(rows: -1, width: 20))
    #expect(moves == [false, true, false])
  }
}
