import Testing
import ToDoText

@testable import ToDoScreens

@Suite struct CellGridTests {
  private let palette = Palette(isColored: true)

  private func row(_ line: String, columns: Int) -> CellRow { CellRow(line, columns: columns) }

  /// Returns the texts of the cells, with `<` for the further columns of a wide cluster.
  private func texts(_ line: String, columns: Int) -> [String] {
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
    #expect(texts(line, columns: 4) == cells)
  }

  @Test func write_whenClusterHasNoWidth_addsItToCellBefore() {
    #expect(texts("a\u{200B}b", columns: 3) == ["a\u{200B}", "b", " "])
    #expect(texts("牛\u{200B}", columns: 2) == ["牛\u{200B}", "<"])
    #expect(texts("ab\u{200B}c", columns: 2) == ["a", "b\u{200B}"])
    #expect(texts("e\u{1B}[31m\u{301}", columns: 2) == ["e\u{301}", " "])
    #expect(texts("\u{200B}a", columns: 2) == ["a", " "])
  }

  @Test(arguments: ["\u{7}", "\t", "\n", "\r", "\u{7F}", "\u{9B}", "\u{200E}", "\u{202E}", "\u{2066}", "\u{1B}"])
  func write_whenTextHasControlCharacter_replacesIt(control: String) {
    #expect(texts("a" + control + "b", columns: 4) == ["a", "\u{FFFD}", "b", " "])
  }

  @Test func write_whenSequenceIsNotAStyle_replacesItsEscape() {
    #expect(texts("\u{1B}[2Jx", columns: 5) == ["\u{FFFD}", "[", "2", "J", "x"])
    #expect(texts("\u{1B}[1", columns: 5) == ["\u{FFFD}", "[", "1", " ", " "])
    #expect(texts("\r\n", columns: 2) == ["\u{FFFD}", "\u{FFFD}"])
  }

  @Test func write_ofPaletteStyles_setsStyles() {
    let line =
      palette.heading("a") + palette.id("b") + palette.overdue("c") + palette.highlighted("d") + palette.faint("e")
    let styles = row(line + "f", columns: 6).cells.map(\.style)
    let expected: [CellStyle] = [
      CellStyle(isBold: true), CellStyle(foreground: .yellow), CellStyle(foreground: .red), CellStyle(isReverse: true),
      CellStyle(isFaint: true), .plain,
    ]
    #expect(styles == expected)
  }

  @Test(
    arguments: [
      ("1;31", CellStyle(isBold: true, foreground: .red)),
      ("1;2;22", .plain), ("7;27", .plain), ("31;39", .plain), ("41;49", .plain), ("1;", .plain), ("31;", .plain),
      ("91;107", CellStyle(foreground: .brightRed, background: .brightWhite)),
      ("1;38;5;7", CellStyle(isBold: true)),
      ("4;99999999999999999999;2", CellStyle(isFaint: true)),
    ] as [(String, CellStyle)])
  func write_ofStyleSequence_setsStyle(parameters: String, style: CellStyle) {
    #expect(row("\u{1B}[\(parameters)mx", columns: 1).cells.map(\.style) == [style])
  }

  @Test func write_ofBlanks_setsVisibleStyleOnly() {
    let plain = row(palette.id("a b"), columns: 3)
    #expect(plain.cells[1] == .blank)
    let reverse = row("\u{1B}[1;7ma ", columns: 2)
    #expect(reverse.cells[1].style == CellStyle(isReverse: true))
    #expect(row(palette.faint("a  "), columns: 4).end == 1)
    #expect(row(palette.highlighted("a  "), columns: 4).end == 3)
  }

  @Test func write_whenWideCharacterCrossesEdge_fillsWithStyledBlank() {
    let row = row(palette.highlighted("ab牛"), columns: 3)
    #expect(row.cells[2] == Cell(text: .scalar(" "), width: 1, style: CellStyle(isReverse: true)))
  }

  @Test(arguments: [
    ("שלום", true), ("سلام", true), ("ܐ", true), ("ނ", true), ("ߊ", true), ("𞤀", true), ("aé牛🥛", false),
  ])
  func row_ofLetters_detectsRightToLeft(text: String, isRightToLeft: Bool) {
    #expect(row("a " + text, columns: 20).hasRightToLeft == isRightToLeft)
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
