import ToDoModel

/// The words of a sentence that mark tags and its priority: `#home`, `+errand`, `!!`, `!high`.
struct Marks {
  private(set) var tags: [String] = []
  private(set) var priority: Priority?
  private var tagPositions: [Int] = []
  private var priorityPositions: [Int] = []

  /// Creates the marks of a sentence without any.
  init() {}

  /// Finds the marks among the words that nothing else has taken. If there are several priorities, the highest counts.
  init(_ words: [Word], except taken: [Range<Int>], _ vocabulary: Vocabulary) {
    func isTaken(_ position: Int) -> Bool { taken.contains { $0.contains(position) } }
    func isTitle(_ position: Int) -> Bool {
      words.indices.contains(position) && !words[position].isMark && !isTaken(position)
    }
    for (position, word) in words.enumerated() where word.isMark && !word.isList && !isTaken(position) {
      if let tag = word.tag {
        // `Post in #general about it`: the sentence needs the word.
        if position > 0, vocabulary.needsNext(words[position - 1].key) { continue }
        guard tagPositions.count < ItemContent.Limits.tags else { continue }
        tagPositions.append(position)
        tags.append(tag)
      } else if let found = word.priority {
        // `Watch Mamma Mia ! with Tom`
        let isPunctuation =
          word.text == "!" && (vocabulary.spacesExclamationMarks || isTitle(position - 1) && isTitle(position + 1))
        if isPunctuation { continue }
        priorityPositions.append(position)
        priority = max(priority ?? found, found)
      }
    }
    tags = Tag.unique(tags)
  }

  /// The words that are marks.
  var ranges: [Range<Int>] { (tagPositions + priorityPositions).map { $0..<$0 + 1 } }

  /// Returns the role of a word that is neither a date nor a place.
  func role(of position: Int) -> QuickAddReading.Role {
    tagPositions.contains(position) ? .tag : priorityPositions.contains(position) ? .priority : .title
  }
}

extension Word {
  /// The tag that the word marks.
  fileprivate var tag: String? {
    guard let mark = core.first, mark == "#" || mark == "+", leading.isEmpty else { return nil }
    let tag = core.dropFirst()
    // `#A1234` is the number of an order, and `#ff8800` a color.
    return Tag.isValid(tag) && !(mark == "#" && tag.contains(where: \.isNumber)) ? String(tag) : nil
  }

  /// The priority that the word marks: `!` to `!!!`, or a mark and a name such as `!high`.
  fileprivate var priority: Priority? {
    text.allSatisfy { $0 == "!" } ? Priority(level: text.count) : Priority(rawValue: String(key.dropFirst()))
  }
}

extension Vocabulary {
  /// Whether a word needs the next one: `to`, `in`.
  func needsNext(_ key: String) -> Bool {
    let meanings = meanings(of: key)
    return meanings.classes.contains(WordClasses(.dangling)) || meanings.lexemes.contains(.ahead)
  }
}
