import Testing

@testable import ToDoScreens

@Suite struct InputParserTests {
  /// Returns the inputs of a text, without those that wait for more.
  private func inputs(_ text: String) -> [ScreenEvent] {
    var parser = InputParser()
    return parser.inputs(in: text.utf8)
  }

  private func keys(_ text: String) -> [ScreenEvent] { text.map { .key(.character($0)) } }

  @Test(
    arguments: [
      ("aZ 0~", [.character("a"), .character("Z"), .character(" "), .character("0"), .character("~")]),
      ("\r\n\t", [.enter, .enter, .tab]),
      ("\u{7F}\u{8}", [.backspace, .backspace]),
      ("\u{1}\u{C}\u{1A}", [.control("a"), .control("l"), .control("z")]),
      ("\u{1B}[A\u{1B}[B\u{1B}[C\u{1B}[D", [.up, .down, .right, .left]),
      ("\u{1B}OA\u{1B}OB\u{1B}OC\u{1B}OD", [.up, .down, .right, .left]),
      ("\u{1B}[1;5A\u{1B}[1;6B\u{1B}[1;5D", [.controlUp, .controlDown, .left]),
      ("\u{1B}[1;2A\u{1B}[1;2D\u{1B}[1;0A", [.up, .left, .up]),
      ("\u{1B}[H\u{1B}[F\u{1B}OH\u{1B}OF\u{1B}OM", [.home, .end, .home, .end, .enter]),
      ("\u{1B}[1~\u{1B}[4~\u{1B}[7~\u{1B}[8~", [.home, .end, .home, .end]),
      ("\u{1B}[5~\u{1B}[6~\u{1B}[3~\u{1B}[5;2~", [.pageUp, .pageDown, .delete, .pageUp]),
      ("\u{1B}[Z", [.backTab]),
      ("\u{1B}\u{1B}[A", [.escape, .up]),
    ] as [(String, [KeyPress])])
  func inputs_ofKeys_areParsed(text: String, keys: [KeyPress]) {
    #expect(inputs(text) == keys.map { .key($0) })
  }

  @Test(
    arguments: [
      "\u{1B}[15~", "\u{1B}[2~", "\u{1B}[24;2~", "\u{1B}OP", "\u{1B}[[A", "\u{1B}[?1;2c", "\u{1B}[201~", "\u{1B}[I",
      "\u{1B}[97;5u", "\u{1B}[1:2A", "\u{1B}[1;2;3;4;5A", "\u{1B}[>1A", "\u{1B}[ A", "\u{1B}x", "\u{1B}é", "\u{1B}牛",
      "\u{1B}\r", "\u{1B}\u{7F}", "\u{1B}]11;rgb:dd/dd/dd\u{7}", "\u{1B}]11;dd\u{1B}\\", "\u{1B}P1+r64\u{1B}\\", "\0",
      "\u{1C}",
      "\u{85}", "\u{1B}[<2;3;4M", "\u{1B}[<0;3;4m", "\u{1B}[<32;3;4M", "\u{1B}[<66;3;4M", "\u{1B}[<0;0;4M",
      "\u{1B}[<0;3M",
      "\u{1B}[M#!!", "\u{1B}[200~\u{1B}[201~", "\u{1B}[\r\u{1B}[A\u{1B}[A",
    ])
  func inputs_whenUnknown_areSkipped(text: String) {
    let inputs = inputs(text + "z")
    #expect(inputs.last == .key(.character("z")))
    let others = inputs.dropLast().filter { $0 != .key(.enter) && $0 != .key(.up) }
    #expect(others.isEmpty)
  }

  @Test(
    arguments: [
      ("\u{1B}[<0;3;4M", .click, 3, 2), ("\u{1B}[<64;1;1M", .wheelUp, 0, 0),
      ("\u{1B}[<65;400;120M", .wheelDown, 119, 399),
      ("\u{1B}[<4;3;4M", .click, 3, 2), ("\u{1B}[M !\"", .click, 1, 0), ("\u{1B}[M`!!", .wheelUp, 0, 0),
    ] as [(String, PointerEvent.Kind, Int, Int)])
  func inputs_ofMouse_arePointerEvents(text: String, kind: PointerEvent.Kind, row: Int, column: Int) {
    let event = PointerEvent(kind: kind, position: ScreenPosition(row: row, column: column))
    #expect(inputs(text) == [.pointer(event)])
  }

  @Test func inputs_ofText_areClusters() {
    let text = "é牛e\u{301}👨‍👩‍👧‍👦🇩🇪ש"
    #expect(inputs(text) == keys(text))
    #expect(inputs(text).count == 6)
  }

  @Test(
    arguments: [
      ([0x61, 0xFF, 0x62], "a\u{FFFD}b"), ([0xC3, 0x61], "\u{FFFD}a"), ([0xE2, 0x82, 0x61], "\u{FFFD}a"),
      ([0xC0, 0xAF], "\u{FFFD}\u{FFFD}"), ([0xED, 0xA0, 0x80], "\u{FFFD}\u{FFFD}\u{FFFD}"),
      ([0xF4, 0x90, 0x61], "\u{FFFD}\u{FFFD}a"), ([0xF0, 0x9F, 0xA5, 0x9B], "🥛"),
      ([0xE2, 0xE2, 0x82, 0xAC], "\u{FFFD}€"),
    ] as [([UInt8], String)])
  func inputs_whenUTF8IsInvalid_areReplaced(bytes: [UInt8], text: String) {
    var parser = InputParser()
    #expect(parser.inputs(in: bytes) == keys(text))
    #expect(!parser.isPending)
  }

  @Test(arguments: ["\u{1B}", "\u{1B}[", "\u{1B}[1;", "\u{1B}O", "\u{1B}]x", "\u{1B}[M!", "\u{1B}[["])
  func isPending_afterPartOfSequence_isTrue(text: String) {
    var parser = InputParser()
    #expect(parser.inputs(in: text.utf8).isEmpty)
    #expect(parser.isPending)
    #expect(parser.flush() == (text == "\u{1B}" ? [.key(.escape)] : []))
    #expect(!parser.isPending)
    #expect(parser.inputs(in: "z".utf8) == keys("z"))
  }

  @Test func flush_ofEscapes_returnsEach() {
    var parser = InputParser()
    #expect(parser.inputs(in: "a\u{1B}\u{1B}".utf8) == keys("a") + [.key(.escape)])
    #expect(parser.flush() == [.key(.escape)])
    #expect(parser.flush().isEmpty)
  }

  @Test func flush_ofPartOfCharacter_returnsReplacement() {
    var parser = InputParser()
    #expect(parser.inputs(in: [0x61, 0xF0, 0x9F]) == keys("a"))
    #expect(parser.isPending)
    #expect(parser.flush() == keys("\u{FFFD}"))
  }

  @Test func sequence_whenVeryLong_isSkipped() {
    let digits = String(repeating: "9", count: 10_000)
    #expect(inputs("\u{1B}[\(digits)~\u{1B}[<0;\(digits);\(digits)Mz").last == .key(.character("z")))
    #expect(inputs("\u{1B}[" + String(repeating: ";1", count: 10_000) + "Az") == keys("z"))
  }
}
