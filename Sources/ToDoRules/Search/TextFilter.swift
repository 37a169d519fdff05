public import ToDoModel

/// A case-insensitive search for a text in an item's title, description, place name and address.
///
/// Case is ignored scalar by scalar (`Unicode.Scalar.Properties.lowercaseMapping`, and ς is σ), and canonically equivalent texts are
/// equal. A match does not separate a letter from its combining marks: "cafe" is not in "café". Both texts are folded
/// (`FoldedText`) and then compared byte by byte, so the time of a search is proportional to the length of the text.
public struct TextFilter: Equatable, Sendable {
  private let search: SubstringSearch<UInt8>
  private let beginsWithMark: Bool

  /// - Parameter text: the text to find; an empty text matches everything.
  public init(_ text: String) {
    // Folding makes a table, which takes longer than listing 1,000 items.
    guard !text.isEmpty else {
      (search, beginsWithMark) = (SubstringSearch([]), false)
      return
    }
    var (text, folded) = (text, FoldedText())
    text.withUTF8 { folded.append($0) }
    search = SubstringSearch(folded.withBytes { Array($0.dropLast()) })
    beginsWithMark = text.unicodeScalars.first.map { ScalarFolding.isMark($0.value) } ?? false
  }

  /// Whether the text is empty, so that every item passes.
  public var isEmpty: Bool { search.needle.isEmpty }

  /// Whether the title, the description, the place's name or its address contains the text.
  public func matches(_ content: ItemContent) -> Bool {
    if isEmpty { return true }
    var folded = FoldedText()
    folded.append(content)
    return matches(folded)
  }

  /// Whether the place's name or its address contains the text.
  package func matches(placeOf content: ItemContent) -> Bool {
    var folded = FoldedText()
    folded.append(placeOf: content)
    return matches(folded)
  }

  /// Whether one of the folded texts contains this text.
  package func matches(_ folded: FoldedText) -> Bool {
    isEmpty || folded.withBytes { firstMatch(in: $0, from: 0) } != nil
  }

  /// Returns the index of the first match from an index on; `nil` if there is none. The filter is not empty.
  ///
  /// - Parameter folded: bytes of `FoldedText`; whole texts with their separators.
  package func firstMatch(in folded: UnsafeBufferPointer<UInt8>, from start: Int) -> Int? {
    search.firstMatch(in: folded, from: start) { isWhole($0, folded) }
  }

  /// Whether a match begins and ends with whole characters.
  @inline(__always)
  private func isWhole(_ start: Int, _ folded: UnsafeBufferPointer<UInt8>) -> Bool {
    let end = start &+ search.needle.count
    // U+0300 to U+033F are marks.
    if end < folded.count, folded[end] >= 0x80,
      folded[end] == 0xCC || folded.scalar(at: end).map({ ScalarFolding.isMark($0.value) }) == true
    {
      return false
    }
    guard beginsWithMark, start > 0 else { return true }
    // A mark is a character only at the start of a text and after a control character.
    return folded[start - 1] == FoldedText.separator || folded[start - 1] < 0x20
  }
}
