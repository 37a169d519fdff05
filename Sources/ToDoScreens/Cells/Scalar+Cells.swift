extension Unicode.Scalar {
  /// The column width of a frequent character that is its own cluster unless a character follows that is not
  /// `isSeparate`; `nil` for other characters.
  ///
  /// All characters of these ranges have the value Other, LV or LVT of the property Grapheme_Cluster_Break.
  var separateWidth: Int? {
    switch value {
    // ASCII comes first, because it is the most frequent.
    case 0x20...0x7E: 1
    // Latin without the soft hyphen, Greek, Cyrillic.
    case 0xA0...0xAC, 0xAE...0x2FF, 0x370...0x482: 1
    // Letters of Hebrew and Arabic.
    case 0x5D0...0x5EA, 0x620...0x64A: 1
    // Punctuation, arrows.
    case 0x2010...0x2027, 0x2190...0x2199: 1
    // Box drawing, block elements, some geometric shapes; Braille.
    case 0x2500...0x25BF, 0x2800...0x28FF: 1
    // Hiragana, Katakana.
    case 0x3041...0x3096, 0x30A0...0x30FF: 2
    // Chinese characters, Hangul syllables, full-width forms.
    case 0x4E00...0x9FFF, 0xAC00...0xD7A3, 0xFF01...0xFF60: 2
    default: nil
    }
  }

  /// Whether the character never joins the cluster of a preceding character that has a `separateWidth`.
  var isSeparate: Bool { value < 0x20 || separateWidth != nil }

  /// Whether a terminal that implements bidirectional text may reorder the character.
  ///
  /// The ranges contain all characters of the bidirectional classes R and AL (Unicode Standard Annex 9), and a few others
  /// between them.
  var isRightToLeft: Bool {
    switch value {
    case ..<0x590: false
    // Hebrew, Arabic, Syriac, Thaana, NKo, Samaritan, Mandaic.
    case 0x590...0x8FF: true
    // Presentation forms of Hebrew and Arabic.
    case 0xFB1D...0xFDFF, 0xFE70...0xFEFE: true
    // Historic scripts of the Middle East; Mende Kikakui, Adlam, Arabic mathematical symbols.
    case 0x10800...0x10FFF, 0x1E800...0x1EFFF: true
    default: false
    }
  }
}
