/// The words of a sentence that are left for the title.
struct Title {
  let text: String
  private let lastKey: String?

  /// - Parameter ranges: the words that are left out, with the punctuation beside them. A comma remains if the title goes on after
  ///   it: `Gig sat 21:00, bring strings`.
  init(_ words: [Word], without ranges: [Range<Int>]) {
    func isLeftOut(_ position: Int) -> Bool { ranges.contains { $0.contains(position) } }
    var texts: [String] = []
    var last: Word?
    for (position, word) in words.enumerated() where !isLeftOut(position) {
      let isBeforeGap = isLeftOut(position + 1)
      let isBesideGap = isBeforeGap || isLeftOut(position - 1) || texts.isEmpty
      if word.isPunctuation, !word.isMark, isBesideGap, word.text.count < 3, word.text != "&" { continue }
      if isLeftOut(position - 1), words[position - 1].trailing.hasSuffix(","), let text = texts.popLast() {
        texts.append(text.last?.isPunctuation == true ? text : text + ",")
      }
      texts.append(isBeforeGap ? Self.withoutSeparator(word.text) : word.text)
      last = word
    }
    let joined = texts.joined(separator: " ")
    text = joined.contains("(") && !joined.contains(")") ? joined.replacing("(", with: "") : joined
    lastKey = last?.key
  }

  private static func withoutSeparator(_ text: String) -> String {
    let end = text.lastIndex { !",:;-–—(".contains($0) }
    return end.map { String(text[...$0]) } ?? text
  }

  /// Whether the title has words, and does not end in one that needs another.
  func isComplete(_ vocabulary: Vocabulary) -> Bool {
    guard let lastKey else { return false }
    return !vocabulary.isWord(lastKey, .dangling)
  }
}
