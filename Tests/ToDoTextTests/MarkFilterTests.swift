import Testing
import ToDoModel

@testable import ToDoText

@Suite struct MarkFilterTests {
  private static let filters: [(String, MarkFilter)] = [
    ("", MarkFilter()), ("work home", MarkFilter(TagFilter(all: ["work", "home"]), [])),
    ("work|home", MarkFilter(TagFilter(any: ["work", "home"]), [])),
    ("|work", MarkFilter(TagFilter(any: ["work"]), [])),
    ("a -b/c", MarkFilter(TagFilter(all: ["a"], none: ["b/c"]), [])),
    ("!low !high !none", MarkFilter(TagFilter(), [.low, .high, nil])),
  ]

  @Test(arguments: filters) func text_isParsedAndPrinted(_ text: String, _ filter: MarkFilter) throws {
    #expect(try MarkFilter(parsing: text) == filter)
    #expect(filter.text == text)
  }

  @Test func marks_andSigns_areRead() throws {
    #expect(try MarkFilter(parsing: "#Work !! !") == MarkFilter(TagFilter(all: ["work"]), [.low, .medium]))
  }

  @Test(arguments: ["12", "-", "!urgent", "a|1", "!!!!", "|", "work,home"]) func otherText_isRejected(_ text: String) {
    #expect(throws: InvalidText.self) { try MarkFilter(parsing: text) }
  }
}
