import Testing

@testable import ToDoModel

@Suite struct TagTests {
  @Test(arguments: ["a", "errands", "work/urgent", "Ärzte", "日本", "e\u{301}t", "3d", "a-b_c/9", "नमस्ते"])
  func text_ofLettersAndDigits_isTag(_ text: String) { #expect(Tag.isValid(text)) }

  @Test(arguments: [
    "", "12", "/a", "a/", "a//b", "a b", "a,b", "#a", "a!", "-", "a\0", "🏡", "a\u{202E}", "\u{301}a", "-home", "_a",
    "a/-b", "a/\u{301}b",
  ])
  func otherText_isNoTag(_ text: String) { #expect(!Tag.isValid(text)) }

  @Test func size_isLimitedInBytes() {
    #expect(Tag.isValid(String(repeating: "é", count: ItemContent.Limits.tag / 2)))
    #expect(!Tag.isValid(String(repeating: "é", count: ItemContent.Limits.tag / 2) + "x"))
  }

  @Test(arguments: [[], ["a"], ["a", "work/urgent", "é"], ["a\u{0D4E}", "b"]]) func joinedTags_areSplitAgain(
    _ tags: [String]
  ) {
    #expect(Tag.split(Tag.joined(tags)) == tags)
    #expect(Tag.joined(tags)?.utf8.count ?? -1 == Tag.size(of: tags))
  }

  @Test func path_hasTagsAbove() {
    #expect(Tag.path(to: "work") == ["work"])
    #expect(Tag.path(to: "work/urgent/now") == ["work", "work/urgent", "work/urgent/now"])
  }

  /// A letter can have more bytes in lower case.
  @Test func filter_ofLongTag_isValid() {
    let tag = String(repeating: "İ", count: ItemContent.Limits.tag / 2)
    #expect(Tag.isValid(tag))
    #expect(TagFilter(all: [tag]).all.allSatisfy { Tag.isValid(lowercased: $0) && !Tag.isValid($0) })
    #expect(TagFilter(all: [tag]).includes([tag]))
  }

  @Test func filter_comparesWholePartsIgnoringCase() {
    let tags = ["Work/Urgent", "home"]
    #expect(TagFilter(all: ["work", "HOME"]).includes(tags))
    #expect(TagFilter(all: ["work/urgent"]).includes(tags))
    #expect(!TagFilter(all: ["wor"]).includes(tags))
    #expect(!TagFilter(all: ["work/urgent/now"]).includes(tags))
    #expect(TagFilter(any: ["x", "home"]).includes(tags))
    #expect(!TagFilter(any: ["x"]).includes([]))
    #expect(!TagFilter(none: ["work"]).includes(tags))
    #expect(TagFilter(none: ["work"]).includes([]))
  }

  @Test func priorities_areOrdered() {
    #expect(Priority.allCases.sorted() == [.low, .medium, .high])
    #expect(Priority.allCases.map(\.level) == [1, 2, 3])
    #expect([0, 1, 2, 3, 4].map { Priority(level: $0) } == [nil, .low, .medium, .high, nil])
  }
}
