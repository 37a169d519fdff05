/// An address in the form in which it is compared with the gazetteer: folded, and split into parts and words. Commas and
/// line breaks separate parts.
///
/// In `bytes` the words are separated by one space, so that consecutive words are one slice in the form of the
/// gazetteer's names. `make-gazetteer` folds these names in the same way.
struct FoldedAddress {
  struct Word {
    /// The word's range in `bytes`.
    var range: Range<Int>
    /// The index of the part that contains the word.
    var part: Int
    var hasDigit: Bool
    /// Whether the word is a number or the letters next to a number: "221b", and both words of "1012 JS".
    var belongsToNumber: Bool
    /// Whether the word is in a script that puts no spaces between words, and larger areas before smaller ones.
    var isUnspaced: Bool
  }

  /// The maximum number of words; further words are ignored. No address has as many words, and the time of a lookup grows
  /// with their square.
  static let wordLimit = 40

  private(set) var bytes: [UInt8] = []
  private(set) var words: [Word] = []
  private var part = 0
  private var start = 0
  /// The number of characters since the word began, or since the last dot in it.
  private var runLength = 0

  init(_ text: String, by table: FoldTable) {
    for scalar in text.unicodeScalars {
      if words.count == Self.wordLimit { break }
      switch scalar {
      case "a"..."z", "0"..."9": append(scalar)
      default: appendFolded(scalar, by: table)
      }
    }
    if words.count < Self.wordLimit { endWord() }
    markLettersNextToNumbers()
  }

  private mutating func appendFolded(_ scalar: Unicode.Scalar, by table: FoldTable) {
    guard let folded = table.folded(scalar) else { return append(scalar) }
    for scalar in String(decoding: folded, as: UTF8.self).unicodeScalars { append(scalar) }
  }

  private mutating func append(_ scalar: Unicode.Scalar) {
    switch scalar {
    case "." where runLength == 1:
      // The dots of "D.C." join letters; the dot of "St.Petersburg" separates words.
      runLength = 0
    case " ", ".":
      endWord()
    case ",":
      endWord()
      if words.last?.part == part { part += 1 }
    default:
      bytes.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
      runLength += 1
    }
  }

  private mutating func endWord() {
    runLength = 0
    guard bytes.count > start else { return }
    let range = start..<bytes.count
    let isUnspaced = String(decoding: bytes[range], as: UTF8.self).unicodeScalars.first?.isOfUnspacedScript ?? false
    let hasDigit = bytes[range].contains(where: \.isDigit)
    words.append(Word(range: range, part: part, hasDigit: hasDigit, belongsToNumber: hasDigit, isUnspaced: isUnspaced))
    bytes.append(UInt8(ascii: " "))
    start = bytes.count
  }

  /// Returns the folded words, separated by one space, as a name of the gazetteer.
  func bytes(of span: Range<Int>) -> ArraySlice<UInt8> {
    bytes[words[span.lowerBound].range.lowerBound..<words[span.upperBound - 1].range.upperBound]
  }

  /// Returns the folded words as a string, for `StreetWords` and tests.
  func text(of span: Range<Int>) -> String { String(decoding: bytes(of: span), as: UTF8.self) }
}

extension FoldedAddress {
  /// Returns whether a word consists of digits only. "5th" does not.
  func isNumber(_ word: Int) -> Bool { bytes[words[word].range].allSatisfy(\.isDigit) }

  /// Marks words of at most two bytes next to a number as belonging to the number.
  private mutating func markLettersNextToNumbers() {
    for word in words.indices where words[word].range.count <= 2 {
      for other in [word - 1, word + 1] where words.indices.contains(other) {
        if words[other].part == words[word].part, words[other].hasDigit { words[word].belongsToNumber = true }
      }
    }
  }
}

extension UInt8 {
  fileprivate var isDigit: Bool { UInt8(ascii: "0") <= self && self <= UInt8(ascii: "9") }
}

extension Unicode.Scalar {
  fileprivate var isOfUnspacedScript: Bool {
    switch value {
    case 0x0E00...0x0EFF, 0x1000...0x109F, 0x1780...0x17FF: true  // Thai, Lao, Burmese, Khmer
    case 0x2E80...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0x20000...0x3FFFF: true  // Han, Kana, Hangul
    default: false
    }
  }
}
