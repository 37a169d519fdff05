import Testing

@testable import todo

@Suite struct KeyParserTests {
  @Test(
    arguments: [
      ("q", [.quit]), ("Q", [.quit]), ("\u{3}", [.quit]),
      ("kj", [.up, .down]), ("\r\n", [.down, .down]), ("b ", [.pageUp, .pageDown]), ("gG", [.top, .bottom]),
      ("\u{C}", [.redraw]),
      ("\u{1B}[A\u{1B}[B", [.up, .down]), ("\u{1B}OA\u{1B}OB", [.up, .down]),
      ("\u{1B}[5~\u{1B}[6~", [.pageUp, .pageDown]),
      ("\u{1B}[H\u{1B}[F\u{1B}OH\u{1B}OF", [.top, .bottom, .top, .bottom]),
      ("\u{1B}[1~\u{1B}[4~\u{1B}[7~\u{1B}[8~", [.top, .bottom, .top, .bottom]),
      ("\u{1B}[1;5A", [.up]), ("\u{1B}[5;2~", [.pageUp]),
    ] as [(String, [Key])])
  func keys_ofTerminalSequences_areParsed(text: String, keys: [Key]) {
    var parser = KeyParser()
    #expect(parser.keys(in: text.utf8) == keys)
  }

  @Test(arguments: ["", "x", "é牛🥛", "\u{1B}[15~", "\u{1B}[24;2~", "\u{1B}[200~", "\u{1B}OP", "\u{1B}[<0;3;4M", "\0"])
  func keys_whenUnknown_areSkipped(text: String) {
    var parser = KeyParser()
    #expect(parser.keys(in: (text + "q").utf8) == [.quit])
  }

  @Test func sequence_whenSplit_isParsed() {
    var parser = KeyParser()
    #expect("\u{1B}[5;2~j".utf8.flatMap { parser.keys(in: [$0]) } == [.pageUp, .down])
  }

  @Test func escape_beforeKey_isSkipped() {
    var parser = KeyParser()
    #expect(parser.keys(in: "\u{1B}q\u{1B}\u{1B}j\u{1B}\u{1B}[A".utf8) == [.quit, .down, .up])
  }

  @Test func sequence_whenVeryLong_isSkipped() {
    var parser = KeyParser()
    #expect(parser.keys(in: ("\u{1B}[" + String(repeating: "9", count: 10_000) + "~q").utf8) == [.quit])
  }

  @Test func sequence_whenIncomplete_isDiscarded() {
    var parser = KeyParser()
    #expect(parser.keys(in: "\u{1B}[5\u{1B}[Bq".utf8) == [.down, .quit])
  }
}
