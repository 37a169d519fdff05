/// A case-insensitive search for a text in an item's title, description, place name and address.
///
/// Case is ignored scalar by scalar (`Unicode.Scalar.Properties.lowercaseMapping`), and canonically equivalent texts are
/// equal. The time of a search is proportional to the length of the text, whatever both texts are. Texts without combining
/// characters are searched as UTF-8, without a copy; only other texts are searched character by character, which takes
/// about thirty times as long.
public struct TextFilter: Equatable, Sendable {
  private enum Kind: Equatable {
    /// The filter matches everything.
    case empty
    /// The filter is ASCII. No scalar beyond ASCII has one of its letters as lower case.
    case ascii
    /// The filter is ASCII with a "k", which is also the lower case of U+212A, the Kelvin sign.
    case asciiWithK
    /// The filter has only scalars that `FoldedScalar` supports.
    case scalars
    case characters
  }

  private let kind: Kind
  private let needle: SubstringSearch<UInt8>
  private let text: String

  /// - Parameter text: the text to find; an empty text matches everything.
  public init(_ text: String) {
    self.text = text.lowercased()
    needle = SubstringSearch(Array(self.text.utf8))
    kind =
      if text.isEmpty {
        .empty
      } else if self.text.utf8.allSatisfy({ $0 < 0x80 }) {
        self.text.utf8.contains(UInt8(ascii: "k")) ? .asciiWithK : .ascii
      } else {
        self.text.unicodeScalars.allSatisfy { FoldedScalar($0.value) != nil } ? .scalars : .characters
      }
  }

  public var isEmpty: Bool { kind == .empty }

  /// Whether the title, the description, the place's name or its address contains the text.
  public func matches(_ content: ItemContent) -> Bool {
    isEmpty
      || [content.title, content.itemDescription, content.location?.name, content.location?.address].contains { text in
        guard var text else { return false }
        return text.withUTF8(matches)
      }
  }

  /// Whether a text contains this one.
  ///
  /// - Parameter utf8: the text in UTF-8. Bytes that are not valid UTF-8 match nothing.
  package func matches(_ utf8: UnsafeBufferPointer<UInt8>) -> Bool {
    switch kind {
    case .empty: true
    case .ascii: needle.isFoundIgnoringCase(in: utf8)
    case .asciiWithK: utf8.isASCII ? needle.isFoundIgnoringCase(in: utf8) : matchesScalars(utf8)
    case .scalars: utf8.isASCII ? false : matchesScalars(utf8)
    case .characters: utf8.isASCII ? false : matchesCharacters(utf8)
    }
  }

  private func matchesScalars(_ utf8: UnsafeBufferPointer<UInt8>) -> Bool {
    var isSupported = true
    let isFound = needle.withCursor { cursor in
      var index = 0
      while index < utf8.count {
        let byte = utf8[index]
        if byte < 0x80 {
          index += 1
          if cursor.advance(byte.asciiLowercased) { return true }
          continue
        }
        guard let (scalar, length) = utf8.scalar(at: index), let folded = FoldedScalar(scalar) else {
          isSupported = false
          return false
        }
        index += length
        if folded.anyByte({ cursor.advance($0) }) { return true }
      }
      return false
    }
    return isSupported ? isFound : matchesCharacters(utf8)
  }

  private func matchesCharacters(_ utf8: UnsafeBufferPointer<UInt8>) -> Bool {
    let needle = SubstringSearch(Array(text))
    var search = needle.start
    return String(decoding: utf8, as: UTF8.self).lowercased().contains { needle.advance(&search, $0) }
  }
}

extension UnsafeBufferPointer<UInt8> {
  fileprivate var isASCII: Bool {
    guard let baseAddress else { return true }
    var bits = UInt64(0)
    let wordCount = count / 8
    for word in 0..<wordCount {
      bits |= UnsafeRawPointer(baseAddress).loadUnaligned(fromByteOffset: word * 8, as: UInt64.self)
    }
    for index in wordCount * 8..<count { bits |= UInt64(self[index]) }
    return bits & 0x8080_8080_8080_8080 == 0
  }

  /// Decodes the scalar beyond ASCII that begins at an index; `nil` if its form is not that of UTF-8.
  @inline(__always)
  fileprivate func scalar(at index: Int) -> (value: UInt32, length: Int)? {
    let lead = UInt32(self[index])
    if lead & 0xE0 == 0xC0, lead >= 0xC2, index + 1 < count, self[index + 1] & 0xC0 == 0x80 {
      return ((lead & 0x1F) << 6 | UInt32(self[index + 1] & 0x3F), 2)
    }
    let length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2
    guard lead >= 0xC2, lead < 0xF5, index + length <= count else { return nil }
    var value = lead & (0x7F >> UInt32(length))
    for offset in 1..<length {
      let byte = UInt32(self[index + offset])
      guard byte & 0xC0 == 0x80 else { return nil }
      value = value << 6 | byte & 0x3F
    }
    return (value, length)
  }
}
