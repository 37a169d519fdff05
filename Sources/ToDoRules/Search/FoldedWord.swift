/// A word to search in the bytes of `FoldedText`.
struct FoldedWord: Equatable, Sendable {
  private let search: SubstringSearch<UInt8>
  private let beginsWithMark: Bool

  /// - Parameter bytes: the word as `FoldedText` has it, not empty.
  init(_ bytes: [UInt8]) {
    search = SubstringSearch(bytes)
    beginsWithMark = bytes.withUnsafeBufferPointer { bytes in
      bytes[0] >= 0x80 && bytes.scalar(at: 0).map { ScalarFolding.isMark($0.value) } == true
    }
  }

  /// Returns the index of the first match from an index on; `nil` if there is none.
  ///
  /// - Parameter folded: whole texts with their separators.
  func firstMatch(in folded: UnsafeBufferPointer<UInt8>, from start: Int) -> Int? {
    search.firstMatch(in: folded, from: start) { isWhole($0, folded) }
  }

  /// Whether a match begins and ends with whole characters.
  @inline(__always)
  private func isWhole(_ start: Int, _ folded: UnsafeBufferPointer<UInt8>) -> Bool {
    let end = start &+ search.needle.count
    if end < folded.count, folded[end] >= 0x80,
      folded.scalar(at: end).map({ ScalarFolding.isMark($0.value) }) == true
    {
      return false
    }
    guard beginsWithMark, start > 0 else { return true }
    // A mark is a character only at the start of a text and after a control character.
    return folded[start - 1] == FoldedText.separator || folded[start - 1] < 0x20
  }
}
