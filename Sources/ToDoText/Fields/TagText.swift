package import ToDoModel

/// Tags as people type and read them: `#errands #work/urgent`.
package enum TagText {
  /// Parses tags that blanks or commas separate, each with or without `#` or `+` before it.
  ///
  /// - Throws: `InvalidText` if one of them is not a tag.
  package static func parse(_ text: String) throws(InvalidText) -> [String] {
    var tags: [String] = []
    for word in text.split(whereSeparator: { $0.isWhitespace || $0 == "," }) {
      let tag = word.first == "#" || word.first == "+" ? word.dropFirst() : word
      guard Tag.isValid(tag) else { throw invalid(word) }
      tags.append(String(tag))
    }
    return Tag.unique(tags)
  }

  /// Returns the error for a text that is not a tag.
  static func invalid(_ text: Substring) -> InvalidText {
    InvalidText(
      reason: "INVALID_TAG",
      description:
        "'\(String(text).escapingControls())' is not a tag; write letters, digits, '-', '_' and '/', such as errands or work/urgent"
    )
  }

  /// Returns the tags and the priority as facts beside a title, such as `#errands` and `high priority`.
  package static func facts(_ tags: [String], _ priority: Priority?) -> [String] {
    (tags.isEmpty ? [] : [text(of: tags)]) + (priority.map { ["\($0.rawValue) priority"] } ?? [])
  }

  /// Returns tags as one text, each with `#`.
  package static func text(of tags: [String]) -> String {
    tags.map { "#\($0.escapingControls())" }.joined(separator: " ")
  }
}

extension InvalidText {
  /// A text without a tag where one is needed.
  package static let noTag = InvalidText(
    reason: "INVALID_TAG", description: "the tag is empty; write one such as errands")
}

extension Priority {
  /// Parses a priority: `low`, `medium` or `high`, the beginning of one, or `!`, `!!` or `!!!`. Returns `nil` for `none`.
  ///
  /// - Throws: `InvalidText`.
  package static func parse(_ text: String) throws(InvalidText) -> Priority? {
    let word = text.lowercased()
    if word == "none" { return nil }
    for priority in allCases where priority.mark == word || (!word.isEmpty && priority.rawValue.hasPrefix(word)) {
      return priority
    }
    throw InvalidText(
      reason: "INVALID_PRIORITY",
      description: "'\(text.escapingControls())' is not a priority; write low, medium, high or none")
  }

  /// The mark before a title: one exclamation mark for low, three for high.
  package var mark: String { String(repeating: "!", count: Int(level)) }
}
