import Testing

@testable import todo

@Suite struct ClipboardSequenceTests {
  @Test(
    arguments: [
      ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foobar", "Zm9vYmFy"),
      ("geo:52.52,13.405", "Z2VvOjUyLjUyLDEzLjQwNQ=="), ("\u{FB00}\u{FFFF}", "76yA77+/"),
    ])
  func text_isEncodedInBase64(_ text: String, _ encoded: String) {
    #expect(ClipboardSequence.copying(text) == "\u{1B}]52;c;\(encoded)\u{07}")
  }
}
