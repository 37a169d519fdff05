import Testing

@testable import ToDoText

@Suite struct JSONWriterTests {
  private let value = JSONValue.object([
    .init("b", .array([.integer(-1), .number(0.5), .bool(true), .null])), .init("a", .object([])),
    .init("c", .array([])),
  ])

  @Test func lineText_preservesKeyOrder() {
    #expect(value.lineText == "{\"b\": [-1, 0.5, true, null], \"a\": {}, \"c\": []}")
  }

  @Test func indentedText_writesElementPerLine() {
    #expect(
      value.indentedText == """
        {
          "b": [
            -1,
            0.5,
            true,
            null
          ],
          "a": {},
          "c": []
        }
        """)
  }

  @Test(arguments: [
    ("plain", "\"plain\""),
    ("\"quoted\" \\ /", "\"\\\"quoted\\\" \\\\ /\""),
    ("a\nb\tc\rd\r\n", "\"a\\nb\\tc\\rd\\r\\n\""),
    ("\u{0}\u{1B}\u{7F}\u{9B}", "\"\\u0000\\u001b\\u007f\\u009b\""),
    ("\u{202E}\u{2028}", "\"\\u202e\\u2028\""),
    ("牛乳 🥛 é", "\"牛乳 🥛 é\""),
  ])
  func string_whenWritten_isEscaped(text: String, json: String) {
    #expect(JSONValue.string(text).lineText == json)
  }

  @Test(arguments: [Double.nan, .infinity, -.infinity])
  func number_whenNotFinite_isNull(number: Double) {
    #expect(JSONValue.number(number).lineText == "null")
  }
}
