import Testing
import ToDoText

@testable import ToDoScreens

@Suite struct CellGridTests {
  private func row(_ line: StyledText, columns: Int) -> CellRow { CellRow(line, columns: columns) }

  /// Returns the texts of the cells, with `<` for the further columns of a wide cluster.
  private func texts(_ line: StyledText, columns: Int) -> [String] {
    row(line, columns: columns).cells.map { $0.text == .continuation ? "<" : $0.text.string }
  }

  @Test(
    arguments: [
      ("ab", ["a", "b", " ", " "]),
      ("abcdef", ["a", "b", "c", "d"]),
      ("牛乳", ["牛", "<", "乳", "<"]),
      ("a牛乳", ["a", "牛", "<", " "]),
      ("abc牛d", ["a", "b", "c", " "]),
      ("👨‍👩‍👧‍👦🇩🇪", ["👨‍👩‍👧‍👦", "<", "🇩🇪", "<"]),
      ("e\u{301}x", ["e\u{301}", "x", " ", " "]),
      ("שלום", ["ש", "ל", "ו", "ם"]),
      ("1️⃣1", ["1️⃣", "<", "1", " "]),
      ("각\u{11A8}", ["각\u{11A8}", "<", " ", " "]),
    ] as [(String, [String])])
  func write_ofText_dividesIntoCells(line: String, cells: [String]) {
    #expect(texts(StyledText(line), columns: 4) == cells)
  }

  @Test func write_whenClusterHasNoWidth_addsItToCellBefore() {
    #expect(texts("a\u{200B}b", columns: 3) == ["a\u{200B}", "b", " "])
    #expect(texts("牛\u{200B}", columns: 2) == ["牛\u{200B}", "<"])
    #expect(texts("ab\u{200B}c", columns: 2) == ["a", "b\u{200B}"])
    #expect(texts("e" + StyledText("\u{301}", .overdue), columns: 2) == ["e\u{301}", " "])
    #expect(texts("\u{200B}a", columns: 2) == ["a", " "])
  }

  @Test(arguments: ["\u{7}", "\t", "\n", "\r", "\u{7F}", "\u{9B}", "\u{200E}", "\u{202E}", "\u{2066}", "\u{1B}"])
  func write_whenTextHasControlCharacter_replacesIt(control: String) {
    #expect(texts(StyledText("a" + control + "b"), columns: 4) == ["a", "\u{FFFD}", "b", " "])
  }

  @Test func write_ofControlSequence_replacesItsFirstCharacter() {
    #expect(texts("\u{1B}[2Jx", columns: 5) == ["\u{FFFD}", "[", "2", "J", "x"])
    #expect(texts("\u{1B}[1m", columns: 5) == ["\u{FFFD}", "[", "1", "m", " "])
    #expect(texts("\r\n", columns: 2) == ["\u{FFFD}", "\u{FFFD}"])
  }

  @Test func write_ofStyles_setsStyles() {
    var line = StyledText()
    for style in TextStyle.allCases { line.append("a牛", style) }
    let expected = TextStyle.allCases.flatMap { Array(repeating: $0, count: 3) }
    #expect(row(line, columns: 3 * TextStyle.allCases.count).cells.map(\.style) == expected)
  }

  @Test func write_ofBlanks_setsVisibleStyleOnly() {
    let plain = row(StyledText("a b", .id), columns: 3)
    #expect(plain.cells[1] == .blank)
    #expect(row(StyledText("a ", .highlighted), columns: 2).cells[1].style == .highlighted)
    #expect(row(StyledText("a  ", .faint), columns: 4).end == 1)
    #expect(row(StyledText("a  ", .highlighted), columns: 4).end == 3)
  }

  @Test func write_whenWideCharacterCrossesEdge_fillsWithStyledBlank() {
    let row = row(StyledText("ab牛", .highlighted), columns: 3)
    #expect(row.cells[2] == Cell(text: .scalar(" "), width: 1, style: .highlighted))
  }

  @Test(arguments: [
    ("שלום", true), ("سلام", true), ("ܐ", true), ("ނ", true), ("ߊ", true), ("𞤀", true), ("aé牛🥛", false),
  ])
  func row_ofLetters_detectsRightToLeft(text: String, isRightToLeft: Bool) {
    #expect(row(StyledText("a " + text), columns: 20).hasRightToLeft == isRightToLeft)
  }

  @Test func write_whenRowIsOutside_changesNothing() {
    var grid = CellGrid(WindowSize(rows: 2, columns: 3))
    let blank = grid
    grid.write("x", row: 2)
    grid.write("x", row: -1)
    #expect(grid == blank)
    grid.write("x", row: 1)
    #expect(grid[1, 0].text == .scalar("x"))
    #expect(grid[0, 0] == .blank)
  }

  @Test func separateWidth_ofEveryCharacter_agreesWithSegmentation() {
    var wrong: [UInt32] = []
    let neighbors: [Unicode.Scalar] = ["a", "é", "가", "각", "א", "ب", "⠁", "Ａ", "─", "…", "→", "\u{1B}"]
    for value: UInt32 in 0x20...0xFFFF {
      guard let scalar = Unicode.Scalar(value), let width = scalar.separateWidth else { continue }
      var isSeparate = Character(scalar).displayWidth == width
      for neighbor in neighbors {
        let text = String(scalar) + String(neighbor) + String(scalar)
        isSeparate = isSeparate && neighbor.isSeparate && text.count == 3
      }
      if !isSeparate { wrong.append(value) }
    }
    #expect(wrong.isEmpty)
  }
}
