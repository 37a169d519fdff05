public import ToDoModel

/// A search for the words of a text, in any order, in an item's title, description, place name and address.
///
/// White space separates the words. Each must be in a text of the item, perhaps inside a longer word. Case and accents are ignored,
/// and canonically equivalent texts are equal (`ScalarFolding`). A match does not separate a letter from the marks that folding
/// keeps, such as vowel signs. Both texts are folded (`FoldedText`) and then compared byte by byte, so the time is proportional
/// to their length.
public struct TextFilter: Equatable, Sendable {
  /// The maximum number of words, which bounds the search time. The last word then has all the rest, with its white space.
  static let wordLimit = 16

  /// The words, the longest first, since it is probably the rarest.
  private let words: [FoldedWord]

  /// - Parameter text: the text to find; a text without words matches everything.
  public init(_ text: String) {
    guard !text.isEmpty else {
      words = []
      return
    }
    var folded: [[UInt8]] = []
    for word in Self.split(text) {
      let bytes = FoldedText.bytes(of: String(word))
      if !bytes.isEmpty, !folded.contains(bytes) { folded.append(bytes) }
    }
    words = folded.sorted { $0.count > $1.count }.map(FoldedWord.init)
  }

  private static func split(_ text: String) -> [Substring.UnicodeScalarView] {
    var (rest, words) = (Substring(text).unicodeScalars, [Substring.UnicodeScalarView]())
    while true {
      rest = rest.drop(while: \.properties.isWhitespace)
      guard let last = rest.lastIndex(where: { !$0.properties.isWhitespace }) else { return words }
      let word = words.count + 1 < wordLimit ? rest.prefix { !$0.properties.isWhitespace } : rest[...last]
      words.append(word)
      rest = rest[word.endIndex...]
    }
  }

  /// Whether the text has no words, so that every item passes.
  public var isEmpty: Bool { words.isEmpty }

  /// Whether the title, the description, the place's name or its address contains each word.
  public func matches(_ content: ItemContent) -> Bool {
    isEmpty || matches(FoldedText(of: content))
  }

  /// Whether the place's name or its address contains each word.
  package func matches(placeOf content: ItemContent) -> Bool {
    isEmpty || matches(FoldedText(placeOf: content))
  }

  /// Whether the folded texts contain each word.
  package func matches(_ folded: FoldedText) -> Bool {
    folded.withBytes { folded in words.allSatisfy { $0.firstMatch(in: folded, from: 0) != nil } }
  }

  /// Returns the index at which the longest word first occurs from an index on; `nil` if it does not. The filter is not empty.
  ///
  /// - Parameter folded: bytes of `FoldedText`; whole texts with their separators.
  package func firstMatchOfLongestWord(in folded: UnsafeBufferPointer<UInt8>, from start: Int) -> Int? {
    words[0].firstMatch(in: folded, from: start)
  }

  /// Whether texts contain the words other than the longest one.
  ///
  /// - Parameter folded: as for `firstMatchOfLongestWord(in:from:)`.
  package func matchesOtherWords(in folded: UnsafeBufferPointer<UInt8>) -> Bool {
    words.dropFirst().allSatisfy { $0.firstMatch(in: folded, from: 0) != nil }
  }
}
