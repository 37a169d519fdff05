import Testing
import ToDoRPC

struct MetadataTests {
  @Test(arguments: ["authorization", "Authorization", "AUTHORIZATION"])
  func subscript_ignoresCase(key: String) {
    #expect((["AuthoRization": "x"] as Metadata)[key] == "x")
  }

  @Test func subscript_whenSeveralValues_returnsFirst() {
    #expect((["a": "1", "b": "2", "A": "3"] as Metadata)["a"] == "1")
  }

  @Test func subscript_whenKeyIsMissing_isNil() {
    #expect((["a": "1"] as Metadata)["b"] == nil)
  }

  @Test func append_preservesOrder_andLowercasesKeys() {
    let metadata: Metadata = ["B": "X", "a": "Y", "b": "Z"]
    #expect(metadata.pairs.map(\.key) == ["b", "a", "b"])
    #expect(metadata.pairs.map(\.value) == ["X", "Y", "Z"])
  }

  @Test(arguments: [
    Metadata(), ["a": "1"], ["a": "2", "b": "1"], ["b": "1", "a": "2", "b": "1"], ["b": "1", "a": "3"],
  ])
  func equality_requiresSamePairsInSameOrder(other: Metadata) {
    #expect(["b": "1", "a": "2"] != other)
  }
}

extension Metadata: ExpressibleByDictionaryLiteral {
  package init(dictionaryLiteral pairs: (String, String)...) {
    self.init()
    for (key, value) in pairs { append(key, value) }
  }
}
