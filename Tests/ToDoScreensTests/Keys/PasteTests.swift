import Testing

@testable import ToDoScreens

@Suite struct PasteTests {
  private static let begin = "\u{1B}[200~"
  private static let end = "\u{1B}[201~"

  private func inputs(_ text: String) -> [ScreenEvent] {
    var parser = InputParser()
    return parser.inputs(in: text.utf8)
  }

  @Test(
    arguments: [
      ("Buy milk", "Buy milk"), ("a\tb", "a\tb"), ("a\rb\r\nc\nd\n\re", "a\nb\nc\nd\n\ne"), ("é牛🥛", "é牛🥛"),
      ("a\u{7}\0b\u{7F}c\u{85}d", "abcd"), ("a\u{1B}[31mb", "a[31mb"), ("a\u{1B}[20\u{1B}[200~b", "a[20[200~b"),
      ("\u{1B}\u{1B}", nil), ("", nil),
    ] as [(String, String?)])
  func paste_ofText_isCleaned(text: String, paste: String?) {
    let expected: [ScreenEvent] = paste.map { [.paste($0)] } ?? []
    #expect(
      inputs("a" + Self.begin + text + Self.end + "z") == [.key(.character("a"))] + expected + [.key(.character("z"))])
  }

  @Test func paste_inPieces_isOneInput() {
    var parser = InputParser()
    var inputs: [ScreenEvent] = []
    for byte in (Self.begin + "q d é\u{1B}[2" + Self.end).utf8 {
      inputs += parser.inputs(in: [byte])
      if parser.isPending == false { inputs += parser.flush() }
    }
    #expect(inputs == [.paste("q d é[2")])
  }

  @Test func paste_whenUnfinished_isNotPending() {
    var parser = InputParser()
    #expect(parser.inputs(in: (Self.begin + "d").utf8).isEmpty)
    #expect(!parser.isPending)
    #expect(parser.flush().isEmpty)
    #expect(parser.inputs(in: ("d" + Self.end).utf8) == [.paste("dd")])
  }

  @Test func paste_whenTooLong_isCutOff() throws {
    // Each character has three bytes, so that the limit is inside a character.
    let inputs = inputs(Self.begin + String(repeating: "牛", count: 100_000) + Self.end + "z")
    #expect(inputs == [.paste(String(repeating: "牛", count: PasteBuffer.limit / 3)), .key(.character("z"))])
  }
}
