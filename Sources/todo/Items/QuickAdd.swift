import ToDoModel

/// What the words after `todo add` say: a title, a due date at its end, and a place after `@`.
///
/// One argument is a title as it is. Words after `--` are not read.
struct QuickAdd: Equatable {
  private(set) var title: String
  private(set) var due: DueDate?
  private(set) var place: String?

  /// - Parameters:
  ///   - readsDue: whether to look for a due date.
  ///   - readsPlace: whether to look for a place.
  init(_ arguments: [UserText], _ parser: DueDateParser, readsDue: Bool, readsPlace: Bool) {
    guard arguments.count > 1 else {
      title = arguments.first?.text ?? ""
      return
    }
    var words = arguments.prefix { !$0.isLiteral }.map(\.text)
    let literal = arguments.dropFirst(words.count).map(\.text)
    var (place, rest) = readsPlace ? Self.takePlace(&words) : ([], [])
    if readsDue {
      // The date may be before the place or after it.
      due = Self.takeDue(&words, parser) ?? Self.takeDue(&place, parser)
    }
    rest += literal
    title = (words + rest).joined(separator: " ")
    self.place = place.isEmpty ? nil : place.joined(separator: " ")
  }

  /// Removes the place, which begins with `@` after the first word and ends before a word with `+`.
  ///
  /// - Returns: the words of the place, and the words after it.
  private static func takePlace(_ words: inout [String]) -> (place: [String], rest: [String]) {
    guard let start = words.dropFirst().firstIndex(where: { $0.hasPrefix("@") && $0.count > 1 }) else {
      return ([], [])
    }
    let place = words[start...].prefix { !$0.hasPrefix("+") }
    let rest = Array(words[place.endIndex...])
    words.removeSubrange(start...)
    return ([String(place[start].dropFirst())] + place.dropFirst(), rest)
  }

  /// Removes the longest date at the end, which leaves at least one word, and a preposition before it.
  private static func takeDue(_ words: inout [String], _ parser: DueDateParser) -> DueDate? {
    for start in words.indices.dropFirst() {
      guard let due = try? parser.parse(words[start...].joined(separator: " ")) else { continue }
      let first = words[start].lowercased()
      words.removeSubrange(start...)
      if words.count > 1, let last = words.last?.lowercased(),
        last == "due" || last == "by" || (last == "on" && !relativeDays.contains(first))
      {
        words.removeLast()
      }
      return due
    }
    return nil
  }

  /// Words before which "on" belongs to the title: "log on tomorrow".
  private static let relativeDays: Set<String> = ["today", "tomorrow", "tonight", "yesterday", "next", "this", "in"]
}
