package import ToDoModel

/// A filter by tags and priorities as text: `work -home !!` selects items that are about work, not about home, and have medium
/// priority. `work|home` selects items with either tag.
package struct MarkFilter: Equatable, Sendable {
  /// The tags.
  package var tags = TagFilter()
  /// The priorities, where `nil` stands for none.
  package var priorities: Set<Priority?> = []

  /// Creates a filter that every item passes.
  package init() {}

  /// Creates a filter.
  package init(_ tags: TagFilter, _ priorities: Set<Priority?>) { (self.tags, self.priorities) = (tags, priorities) }

  /// Parses a text.
  ///
  /// - Throws: `InvalidText` if a word is neither a tag nor a priority.
  package init(parsing text: String) throws(InvalidText) {
    var (all, any, none) = ([String](), [String](), [String]())
    for word in text.split(whereSeparator: \.isWhitespace) {
      if word.first == "!" {
        let isMark = word.allSatisfy { $0 == "!" }
        priorities.insert(try Priority.parse(String(isMark ? word : word.dropFirst())))
      } else if word.first == "-" {
        none.append(try Self.tag(word.dropFirst()))
      } else if word.contains("|") {
        let parts = word.split(separator: "|")
        guard !parts.isEmpty else { throw .noTag }
        for part in parts { any.append(try Self.tag(part)) }
      } else {
        all.append(try Self.tag(word))
      }
    }
    tags = TagFilter(all: all, any: any, none: none)
  }

  private static func tag(_ text: Substring) throws(InvalidText) -> String {
    guard !text.contains(",") else { throw TagText.invalid(text) }
    guard let tag = try TagText.parse(String(text)).first else { throw .noTag }
    return tag
  }

  /// The text that is parsed as this filter.
  package var text: String {
    let any = tags.any.count == 1 ? "|" + tags.any[0] : tags.any.joined(separator: "|")
    let levels = Priority.allCases.filter { priorities.contains($0) }.map { "!" + $0.rawValue }
    let words = tags.all + [any] + tags.none.map { "-" + $0 } + levels + (priorities.contains(nil) ? ["!none"] : [])
    return words.filter { !$0.isEmpty }.joined(separator: " ")
  }
}
