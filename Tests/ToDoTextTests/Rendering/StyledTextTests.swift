import Testing
import ToDoModel

@testable import ToDoText

@Suite struct StyledTextTests {
  /// A line whose parts have different styles.
  private let line = "a" + StyledText("é牛", .id) + " " + StyledText("b", .overdue) + StyledText("c", .faint) + "d"

  private func parts(_ text: StyledText) -> [String] {
    var parts: [String] = []
    text.forEachPart { parts.append("\($1) \($0)") }
    return parts
  }

  @Test func forEachPart_returnsEveryPartWithItsStyle() {
    #expect(line.text == "aé牛 bcd")
    #expect(parts(line) == ["plain a", "id é牛", "plain  ", "overdue b", "faint c", "plain d"])
    #expect(parts("") == [])
    #expect(parts(StyledText("a", .heading)) == ["heading a"])
  }

  @Test func append_ofEmptyText_addsNoStyle() {
    var text = StyledText("a")
    text.append("", .heading)
    text.append(StyledText("", .faint))
    text.append(blanks: -1)
    #expect(text == "a")
    #expect(!text.contains(.heading) && !text.contains(.faint))
  }

  @Test func append_ofStyledText_keepsStyles() {
    var text = StyledText("x", .highlighted)
    text.append(blanks: 2)
    text.append(line)
    #expect(parts(text).prefix(4) == ["highlighted x", "plain   a", "id é牛", "plain  "])
    #expect(text.contains(.highlighted) && text.contains(.faint) && !text.contains(.heading))
    #expect(text.displayWidth == 11)
  }

  @Test func append_ofCombiningCharacter_staysApart() {
    var text = StyledText("e", .id)
    text.append("\u{301}", .overdue)
    #expect(parts(text) == ["id e", "overdue \u{301}"])
  }

  @Test func joined_separatesTexts() {
    #expect([StyledText("a", .id), "b"].joined(separator: ", ") == StyledText("a", .id) + ", b")
  }

  @Test(arguments: [
    (TextStyle.plain, "x"), (.heading, "\u{1B}[1mx\u{1B}[0m"), (.id, "\u{1B}[33mx\u{1B}[0m"),
    (.overdue, "\u{1B}[31mx\u{1B}[0m"), (.highlighted, "\u{1B}[7mx\u{1B}[0m"), (.faint, "\u{1B}[2mx\u{1B}[0m"),
  ])
  func encode_whenColored_writesStyle(style: TextStyle, output: String) {
    #expect(Palette(isColored: true).encode(StyledText("x", style)) == output)
    #expect(Palette(isColored: true).encode(StyledText("", style)) == "")
  }

  @Test func encode_ofListColors_differs() {
    let styles = ListColor.allCases.map(TextStyle.init)
    #expect(styles.first == .plain && Set(styles).count == ListColor.allCases.count)
    let marks = styles.map { Palette(isColored: true).encode(StyledText("x", $0)) }
    #expect(Set(marks).count == marks.count)
    #expect(marks.contains("\u{1B}[34mx\u{1B}[0m") && marks.contains("\u{1B}[95mx\u{1B}[0m"))
    #expect(styles.allSatisfy { Palette(isColored: false).encode(StyledText("x", $0)) == "x" })
  }

  @Test func encode_ofLines_endsEachLine() {
    let lines = [StyledText("a", .id), "", line]
    #expect(Palette(isColored: false).encode(lines) == "a\n\naé牛 bcd\n")
    #expect(
      Palette(isColored: true).encode(lines)
        == "\u{1B}[33ma\u{1B}[0m\n\na\u{1B}[33mé牛\u{1B}[0m \u{1B}[31mb\u{1B}[0m\u{1B}[2mc\u{1B}[0md\n")
    #expect(Palette(isColored: true).encode([StyledText]()) == "")
  }

  @Test(
    arguments: [
      (ColorChoice.always, false, [:], true), (.never, true, [:], false), (.auto, true, [:], true),
      (.auto, false, [:], false), (.auto, true, ["NO_COLOR": ""], false), (.auto, true, ["TERM": "dumb"], false),
    ] as [(ColorChoice, Bool, [String: String], Bool)])
  func palette_ofChoice_isColored(choice: ColorChoice, isTerminal: Bool, environment: [String: String], isColored: Bool)
  {
    #expect(Palette(choice, isTerminal: isTerminal) { environment[$0] }.isColored == isColored)
  }
}
