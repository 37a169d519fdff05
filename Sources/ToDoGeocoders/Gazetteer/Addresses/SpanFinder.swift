/// Finds the gazetteer's names in an address.
struct SpanFinder {
  private let file: GazetteerFile
  private let index: NameIndex
  private let text: FoldedAddress
  /// For each word, whether it belongs to the name of a street.
  let streets: [Bool]

  /// The maximum number of words in a name.
  private static let maximumNameWordCount = 8
  /// The maximum number of characters in a name whose script has no spaces.
  private static let maximumUnspacedNameLength = 12

  init(_ text: FoldedAddress, in file: GazetteerFile) {
    self.file = file
    index = NameIndex(file)
    self.text = text
    streets = StreetWords.streets(in: text)
  }

  /// Returns the names, except those within a longer name: "New York" does not contain York.
  func spans() -> [NamedSpan] {
    var spans: [NamedSpan] = []
    for first in text.words.indices {
      if text.words[first].isUnspaced {
        spans += unspacedSpans(from: first)
      } else {
        spans += spacedSpans(from: first)
      }
    }
    let names = spans.filter { span in span.postings.contains { $0.quality == .name } }
    return spans.filter { span in
      !names.contains { $0.words.count > span.words.count && $0.words.contains(span.words) }
    }
  }

  private func spacedSpans(from first: Int) -> [NamedSpan] {
    var spans: [NamedSpan] = []
    for end in first + 1...min(first + Self.maximumNameWordCount, text.words.count) {
      guard text.words[end - 1].part == text.words[first].part else { break }
      let words = first..<end
      let match = index.find(text.bytes(of: words))
      if let offset = match.postingsOffset {
        if !text.isNumber(first) || words.count > 1 { spans.append(span(words, index.postings(at: offset))) }
      } else if let postings = postingsForSpellings(of: words) {
        spans.append(span(words, postings))
      }
      // An alternate spelling may have longer names even if the written spelling has none.
      if !match.hasLongerNames, match.postingsOffset == nil, !Self.hasAlternateSpellings(text.bytes(of: words)) {
        break
      }
    }
    return spans
  }

  /// Returns consecutive names from the start of a word, each as long as possible, up to the first town: for example a
  /// country, a region and a town.
  private func unspacedSpans(from word: Int) -> [NamedSpan] {
    var spans: [NamedSpan] = []
    var rest = text.bytes(of: word..<word + 1)
    while let (postings, end) = longestPrefix(of: rest) {
      spans.append(span(word..<word + 1, postings, bytes: rest.startIndex..<end))
      rest = rest[end...]
      if rest.isEmpty || postings.contains(where: { file.kind(of: $0.record) == .place }) { break }
    }
    return spans
  }

  private func longestPrefix(of word: ArraySlice<UInt8>) -> (postings: [NameIndex.Posting], end: Int)? {
    // The ends of characters, which are before the first byte of another character.
    let ends = (word.startIndex + 1..<word.endIndex + 1).lazy.filter { $0 == word.endIndex || word[$0] & 0xC0 != 0x80 }
    for end in ends.prefix(Self.maximumUnspacedNameLength).reversed() {
      if let offset = index.find(word[..<end]).postingsOffset { return (index.postings(at: offset), end) }
    }
    return nil
  }

  private func span(_ words: Range<Int>, _ postings: [NameIndex.Posting], bytes: Range<Int>? = nil) -> NamedSpan {
    let part = text.words[words.lowerBound].part
    func isIgnorable(_ word: Int) -> Bool { text.words[word].part != part || text.words[word].belongsToNumber }
    let isWhole = text.words.indices.allSatisfy { words.contains($0) || isIgnorable($0) }
    return NamedSpan(
      words: words, bytes: bytes ?? text.bytes(of: words).indices, part: part, postings: postings,
      isUnspaced: text.words[words.lowerBound].isUnspaced,
      isStreet: !isWhole && words.contains { streets[$0] }, isWholePart: isWhole,
      endsPart: (words.upperBound..<text.words.count).allSatisfy(isIgnorable))
  }
}

// MARK: - Spellings

extension SpanFinder {
  /// Returns the postings of an alternate spelling, for example "munchen" for "muenchen" or "saint" for "st".
  private func postingsForSpellings(of words: Range<Int>) -> [NameIndex.Posting]? {
    let name = text.bytes(of: words)
    guard Self.hasAlternateSpellings(name) else { return nil }
    let spellings = [Self.withoutUmlauts(name), Self.withSaint(name)]
    for spelling in spellings where !spelling.elementsEqual(name) {
      if let offset = index.find(spelling[...]).postingsOffset { return index.postings(at: offset) }
    }
    return nil
  }

  private static func hasAlternateSpellings(_ name: ArraySlice<UInt8>) -> Bool {
    name.starts(with: "st ".utf8) || zip(name, name.dropFirst()).contains { isUmlaut($0, $1) }
  }

  /// Returns the name with transcribed umlauts removed. The gazetteer contains "munchen" and "arhus", which also stand
  /// for "muenchen" and "aarhus".
  private static func withoutUmlauts(_ name: ArraySlice<UInt8>) -> [UInt8] {
    var (spelling, rest) = ([UInt8](), name)
    while let byte = rest.popFirst() {
      spelling.append(byte)
      if let next = rest.first, isUmlaut(byte, next) { rest.removeFirst() }
    }
    return spelling
  }

  private static func isUmlaut(_ first: UInt8, _ second: UInt8) -> Bool {
    switch first {
    case UInt8(ascii: "o"), UInt8(ascii: "u"): second == UInt8(ascii: "e")
    case UInt8(ascii: "a"): second == UInt8(ascii: "e") || second == UInt8(ascii: "a")
    default: false
    }
  }

  private static func withSaint(_ name: ArraySlice<UInt8>) -> [UInt8] {
    name.starts(with: "st ".utf8) ? Array("saint ".utf8) + name.dropFirst(3) : Array(name)
  }
}
