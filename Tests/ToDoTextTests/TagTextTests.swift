import Testing
import ToDoModel

@testable import ToDoText

@Suite struct TagTextTests {
  @Test(
    arguments: [
      ("", []), ("errands", ["errands"]), (" #a, +b c ", ["a", "b", "c"]), ("a A", ["a"]),
    ] as [(String, [String])])
  func tags_areParsed(_ text: String, _ tags: [String]) throws { #expect(try TagText.parse(text) == tags) }

  @Test(arguments: ["12", "a #", "a/"]) func otherTags_areRejected(_ text: String) {
    #expect { try TagText.parse(text) } throws: { ($0 as? InvalidText)?.reason == "INVALID_TAG" }
  }

  @Test(
    arguments: [
      ("low", .low), ("M", .medium), ("hi", .high), ("!!!", .high), ("none", nil),
    ] as [(String, Priority?)])
  func priority_isParsed(_ text: String, _ priority: Priority?) throws {
    #expect(try Priority.parse(text) == priority)
  }

  @Test(arguments: ["", "urgent", "4", "!!!!"]) func otherPriority_isRejected(_ text: String) {
    #expect { try Priority.parse(text) } throws: { ($0 as? InvalidText)?.reason == "INVALID_PRIORITY" }
  }

  @Test func text_hasMarks() {
    #expect(TagText.text(of: ["a", "b/c"]) == "#a #b/c")
    #expect(Priority.allCases.map(\.mark) == ["!", "!!", "!!!"])
  }
}
