extension String {
  /// How many columns of a terminal the text takes. The text has no controls left in it.
  var displayWidth: Int {
    // Most text: finding its characters is most of the work of a listing.
    if utf8.allSatisfy({ $0 < 0x80 }) { return utf8.count }
    return reduce(0) { $0 + $1.displayWidth }
  }

  /// The text cut to so many columns, with an ellipsis where something was cut off.
  ///
  /// A wide character that would stick out by half is left out, so the result can be narrower.
  func truncated(toWidth limit: Int) -> String {
    guard displayWidth > limit else { return self }
    guard limit >= 1 else { return "" }
    var kept = ""
    var width = 0
    for character in self {
      width += character.displayWidth
      guard width < limit else { break }
      kept.append(character)
    }
    return kept + "…"
  }

  /// The text with blanks after it up to so many columns.
  func padded(toWidth width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - displayWidth))
  }
}

extension Character {
  /// 0, 1 or 2, or more for the few clusters that a terminal shows as several letters side by side.
  ///
  /// An emoji is two columns wide whatever it is composed of: flags, keycaps, families joined by zero-width joiners.
  /// For the rest, terminals add the widths of the scalars.
  var displayWidth: Int {
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
  /// The columns of a scalar by itself: 0, 1 or 2.
  var displayWidth: Int {
    if value < 0x300 { return 1 }
    if isZeroWidth { return 0 }
    return EastAsianWidth.isWide(self) ? 2 : 1
  }

  /// Marks that combine, format characters, and the vowels and finals that join a Hangul syllable.
  private var isZeroWidth: Bool {
    switch properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format: true
    default: (0x1160...0x11FF).contains(value) || (0xD7B0...0xD7FB).contains(value)
    }
  }
}
