extension String {
  /// The number of terminal columns that the text occupies. The text must not contain control characters.
  package var displayWidth: Int {
    // Fast path: segmenting text into characters dominates the cost of a listing.
    if utf8.allSatisfy({ $0 < 0x80 }) { return utf8.count }
    return reduce(0) { $0 + $1.displayWidth }
  }

  /// Returns the text truncated to a number of columns, with an ellipsis if anything is cut off.
  ///
  /// The result is narrower if a wide character would cross the limit.
  package func truncated(toWidth limit: Int) -> String {
    guard displayWidth > limit else { return self }
    guard limit >= 1 else { return "" }
    var prefix = ""
    var width = 0
    for character in self {
      width += character.displayWidth
      guard width < limit else { break }
      prefix.append(character)
    }
    return prefix + "…"
  }

  /// Returns the text padded with trailing spaces to a number of columns.
  package func padded(toWidth width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - displayWidth))
  }

  /// Returns the text padded with leading spaces to a number of columns.
  package func padded(toLeftWidth width: Int) -> String {
    String(repeating: " ", count: max(0, width - displayWidth)) + self
  }
}

extension Character {
  /// The number of columns: 0, 1 or 2, or more for the few clusters that a terminal shows as several letters.
  ///
  /// Every emoji is two columns wide, including flags, keycaps and sequences with zero-width joiners. For other clusters,
  /// terminals add the widths of the scalars.
  package var displayWidth: Int {
    if isASCII { return 1 }
    return isShownAsEmoji ? 2 : unicodeScalars.reduce(0) { $0 + $1.displayWidth }
  }

  private var isShownAsEmoji: Bool {
    guard let first = unicodeScalars.first else { return false }
    return first.properties.isEmojiPresentation
      || first.properties.isEmoji && unicodeScalars.dropFirst().contains { $0 == "\u{FE0F}" || $0 == "\u{20E3}" }
  }
}

extension Unicode.Scalar {
  /// The width of the scalar on its own, in columns: 0, 1 or 2.
  var displayWidth: Int {
    if value < 0x300 { return 1 }
    if isZeroWidth { return 0 }
    return EastAsianWidth.isWide(self) ? 2 : 1
  }

  /// Whether the scalar is a combining mark, a format character, or a Hangul vowel or final that joins a syllable.
  private var isZeroWidth: Bool {
    switch properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format: true
    default: (0x1160...0x11FF).contains(value) || (0xD7B0...0xD7FB).contains(value)
    }
  }
}
