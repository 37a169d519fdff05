/// The words of a sentence that are left for the title.
struct Title {
  let text: String
  private let lastKey: String?

  /// - Parameter ranges: the omitted words, with the punctuation beside them. A comma or a colon remains if the title goes on
  ///   after it: `Gig sat 21:00, bring strings`.
  init(_ words: [Word], without ranges: [Range<Int>]) {
    func isLeftOut(_ position: Int) -> Bool { ranges.contains { $0.contains(position) } }
    var texts: [String] = []
    var last: Word?
    // The parentheses that are open, as the indices of their texts, or nil for those that are left out.
    var open: [Int?] = []
    for (position, word) in words.enumerated() {
      guard !isLeftOut(position) else {
        if word.leading.contains("(") { open.append(nil) }
        if word.trailing.contains(")"), let index = open.popLast() ?? nil {
          texts[index] = Self.withoutParenthesis(texts[index])
        }
        continue
      }
      let isBeforeGap = isLeftOut(position + 1)
      let isBesideGap = isBeforeGap || isLeftOut(position - 1) || texts.isEmpty
      // `Call tomorrow - ask about fees`
      let isDashInside =
        ["-", "–", "—"].contains(word.text) && !isBeforeGap && !texts.isEmpty && position + 1 < words.count
      if word.isPunctuation, !word.isMark, isBesideGap, word.text.count < 3, !["&", "»", "«"].contains(word.text),
        !isDashInside
      {
        continue
      }
      if isLeftOut(position - 1), let mark = words[position - 1].trailing.last, ",:;".contains(mark),
        let text = texts.popLast()
      {
        texts.append(text.last?.isPunctuation == true ? text : text + "\(mark)")
      }
      if word.leading.contains("(") { open.append(texts.count) }
      var text = word.text
      if word.trailing.contains(")"), let opening = open.popLast(), opening == nil, text.hasSuffix(")") {
        text.removeLast()
      }
      texts.append(isBeforeGap ? Self.withoutSeparator(text) : text)
      last = word
    }
    text = texts.filter { !$0.isEmpty }.joined(separator: " ")
    lastKey = last?.key
  }

  private static func withoutParenthesis(_ text: String) -> String {
    text.firstIndex(of: "(").map { text[..<$0] + text[text.index(after: $0)...] }.map(String.init) ?? text
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
