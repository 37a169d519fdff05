import Testing

@testable import todo

@Suite struct JSONSlicesTests {
  private func slices(_ text: String) -> [String] {
    JSONSlices.documents(in: Array(text.utf8)).flatMap(\.items).map {
      "\($0.line): \(String(decoding: $0.bytes, as: UTF8.self))"
    }
  }

  @Test(arguments: [
    ("", []),
    (" \n", []),
    (#"[{"a": 1}, {"b": [2, 3]}]"#, [#"1: {"a": 1}"#, #"1: {"b": [2, 3]}"#]),
    ("[\n  {\"a\": 1},\n  {\"b\": 2}\n]\n", [#"2: {"a": 1}"#, #"3: {"b": 2}"#]),
    ("{\"revision\": 3, \"items\": [\n{\"a\": {}},\n{\"b\": []}\n]}", [#"2: {"a": {}}"#, #"3: {"b": []}"#]),
    ("{\"a\": 1}\n\n{\"b\": 2}\n", [#"1: {"a": 1}"#, #"3: {"b": 2}"#]),
    (#"{"items": 3}"#, [#"1: {"items": 3}"#]),
    (#"[{"title": "a ] } \" b"}, {"title": "\\"}]"#, [#"1: {"title": "a ] } \" b"}"#, #"1: {"title": "\\"}"#]),
    ("[1, null]", ["1: 1", "1: null"]),
    (#"{"title": "a", "items": [1]}"#, [#"1: {"title": "a", "items": [1]}"#]),
  ])
  func items_areFoundWithTheirLines(text: String, items: [String]) {
    #expect(slices(text) == items)
  }

  @Test(arguments: [
    ("[{\"a\": 1}, {\"b\"", [#"1: {"a": 1}"#, #"1: {"b""#]), ("{", ["1: {"]), ("[", []), ("]", ["1: ]"]),
    ("\"", ["1: \""]),
    (#"["\"#, [#"1: "\"#]), ("]]{", ["1: ]]{"]), ("nonsense", ["1: nonsense"]),
  ])
  func items_ofBrokenText_areWhatIsThere(text: String, items: [String]) {
    #expect(slices(text) == items)
  }
}
