/// The characters that East Asian typography sets two columns wide.
///
/// The ranges are the values W and F of `EastAsianWidth.txt` in the Unicode Character Database, version 16.0
/// (unicode.org/Public/16.0.0/ucd). Ranges separated only by unassigned code points are merged. Characters with the
/// property `Emoji_Presentation`, which all have the value W, are handled by the standard library.
enum EastAsianWidth {
  /// Returns whether a scalar is two columns wide.
  static func isWide(_ scalar: Unicode.Scalar) -> Bool {
    var (low, high) = (0, ranges.count)
    while low < high {
      let middle = (low + high) / 2
      if ranges[middle].upperBound < scalar.value { low = middle + 1 } else { high = middle }
    }
    return low < ranges.count && ranges[low].contains(scalar.value)
  }

  /// The ranges of wide characters, sorted for binary search.
  static let ranges: [ClosedRange<UInt32>] = [
    0x1100...0x115F,  // Hangul initials
    0x2329...0x232A,  // angle brackets
    0x2630...0x2637,  // trigrams
    0x268A...0x268F,  // monograms and digrams
    0x2E80...0x303E,  // CJK radicals, ideographic description, CJK punctuation
    0x3041...0x3247,  // Hiragana, Katakana, Bopomofo, Hangul letters, enclosed CJK
    0x3250...0xA4C6,  // CJK compatibility, hexagrams, CJK ideographs, Yi
    0xA960...0xA97C,  // more Hangul initials
    0xAC00...0xD7A3,  // Hangul syllables
    0xF900...0xFAFF,  // CJK compatibility ideographs
    0xFE10...0xFE19,  // vertical forms
    0xFE30...0xFE6B,  // CJK compatibility forms, small forms
    0xFF01...0xFF60,  // full-width forms
    0xFFE0...0xFFE6,  // full-width signs
    0x16FE0...0x18D08,  // ideographic marks, Tangut, Khitan
    0x1AFF0...0x1B2FB,  // more Kana, Nushu
    0x1D300...0x1D356,  // Tai Xuan Jing
    0x1D360...0x1D376,  // counting rods
    0x1F200...0x1F265,  // enclosed ideographs
    0x20000...0x2FFFD,  // CJK ideographs
    0x30000...0x3FFFD,  // CJK ideographs
  ]
}
