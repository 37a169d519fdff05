/// The words in a sentence that name one of the user's lists: `/work`, `/two-words`, `/"two words"`.
struct ListMarks {
  /// The lists that are named, each once, in the order of the sentence.
  private(set) var names: [String] = []
  /// The words that name a list.
  private(set) var ranges: [Range<Int>] = []

  /// The list that is named, or `nil` if there is none or more than one.
  var name: String? { names.count == 1 ? names[0] : nil }

  /// Finds the words that name a list.
  ///
  /// - Parameter lists: the names of the user's lists.
  init(_ words: [Word], in lists: Set<String>, _ vocabulary: Vocabulary) {
    guard !lists.isEmpty, words.contains(where: { $0.text.hasPrefix("/") }) else { return }
    let byKey = Dictionary(grouping: lists.sorted(), by: Self.key)
    var position = 0
    while position < words.count {
      guard let mark = Self.mark(words, position), let lists = byKey[Self.key(mark.name)],
        // `Look it up in /work`: the sentence needs the word.
        position == 0 || !vocabulary.needsNext(words[position - 1].key)
      else {
        position += 1
        continue
      }
      // `two-words` is a list's name, or else it stands for `two words`.
      let exact = lists.filter { $0 == mark.name }
      let spelled = lists.filter { $0.lowercased() == mark.name.lowercased() }
      for name in exact.isEmpty ? spelled.isEmpty ? lists : spelled : exact where !names.contains(name) {
        names.append(name)
      }
      ranges.append(position..<mark.end)
      position = mark.end
    }
  }

  /// Returns a name after a slash, without the punctuation after it, and the position after its words.
  private static func mark(_ words: [Word], _ position: Int) -> (name: String, end: Int)? {
    guard words[position].text.hasPrefix("/") else { return nil }
    let text = words[position].text.dropFirst()
    guard text.first.map(isQuote) == true else {
      return (withoutPunctuation(text), position + 1)
    }
    for last in position..<min(words.count, position + wordLimit) {
      let isFirst = last == position
      let end = withoutPunctuation(isFirst ? text.dropFirst() : words[last].text[...])
      guard let quote = end.last, isQuote(quote) else { continue }
      let before = isFirst ? [] : [String(text.dropFirst())] + words[(position + 1)..<last].map(\.text)
      return ((before + [String(end.dropLast())]).joined(separator: " "), last + 1)
    }
    return nil
  }

  /// The maximum number of words in quotes.
  private static let wordLimit = 16

  private static func isQuote(_ character: Character) -> Bool { "\"“”„«»".contains(character) }

  private static func withoutPunctuation(_ text: Substring) -> String {
    var text = text
    while let last = text.last, ".,;:!?)…".contains(last) { text.removeLast() }
    return String(text)
  }

  /// Returns the common form of names that mean the same: those that differ only in case, or have hyphens for blanks.
  private static func key(_ name: String) -> String { name.lowercased().replacing(" ", with: "-") }
}
