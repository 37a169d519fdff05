import Testing
import ToDoModel

@testable import ToDoText

@Suite struct ControlEscapingTests {
  @Test(arguments: [
    ("milk", "milk"),
    ("\u{1B}[31mred", "\\u{1B}[31mred"),
    ("a\u{7}b", "a\\u{7}b"),
    ("a\tb\nc\r\nd", "a\\u{9}b\\u{A}c\\u{D}\\u{A}d"),
    ("\u{7F}", "\\u{7F}"),
    ("\u{9B}31m", "\\u{9B}31m"),
    ("\u{202E}gpj", "\\u{202E}gpj"),
    ("\u{2066}x\u{2069}", "\\u{2066}x\\u{2069}"),
    ("\u{2028}\u{2029}", "\\u{2028}\\u{2029}"),
    ("\u{200F}\u{61C}", "\\u{200F}\\u{61C}"),
    ("👨‍👩‍👧‍👦 牛乳 e\u{301}", "👨‍👩‍👧‍👦 牛乳 e\u{301}"),
  ])
  func escapingControls_escapesTerminalControls(text: String, escaped: String) {
    #expect(text.escapingControls() == escaped)
  }

  @Test func escapingControls_whenKeepingLines_preservesLineFeeds() {
    #expect("a\nb\u{1B}\tc".escapingControls(keepingLines: true) == "a\nb\\u{1B}\\u{9}c")
  }

  @Test func escapingControls_removesEveryControl() {
    let everything = String(String.UnicodeScalarView((0...0x2FFF).compactMap(Unicode.Scalar.init)))
    let escaped = everything.escapingControls()
    #expect(!escaped.unicodeScalars.contains { $0.properties.generalCategory == .control })
    #expect(!escaped.unicodeScalars.contains { $0.properties.isBidiControl })
  }
}
