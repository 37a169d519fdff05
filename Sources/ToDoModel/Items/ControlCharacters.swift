extension Unicode.Scalar {
  /// Whether this is a control character: C0, DEL or C1.
  package var isControl: Bool { value < 0x20 || (0x7F...0x9F).contains(value) }

  /// Whether a terminal may interpret the character instead of displaying it.
  package var isTerminalControl: Bool {
    switch value {
    // The most frequent case comes first.
    case 0x20...0x7E: false
    // Arabic letter mark, left-to-right and right-to-left mark.
    case 0x061C, 0x200E, 0x200F: true
    // Line and paragraph separator, then embeddings and overrides.
    case 0x2028...0x202E: true
    // Isolates, and the deprecated format characters after them.
    case 0x2066...0x206F: true
    // Interlinear annotations.
    case 0xFFF9...0xFFFB: true
    default: isControl
    }
  }
}

extension String {
  /// The text without control characters.
  package var withoutControls: String {
    guard unicodeScalars.contains(where: \.isControl) else { return self }
    return String(String.UnicodeScalarView(unicodeScalars.lazy.filter { !$0.isControl }))
  }

  /// Returns the text with every character that could control a terminal escaped, as in `\u{1B}`.
  ///
  /// These are all control characters (C0, DEL, C1), line and paragraph separators, and characters that change the text
  /// direction.
  ///
  /// - Parameter keepingLines: whether to preserve line feeds.
  package func escapingControls(keepingLines: Bool = false) -> String {
    guard unicodeScalars.contains(where: \.isTerminalControl) else { return self }
    var escaped = ""
    for scalar in unicodeScalars {
      if scalar.isTerminalControl, !(keepingLines && scalar == "\n") {
        escaped += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
      } else {
        escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }

  /// Returns the longest prefix of whole characters with at most `limit` bytes of UTF-8.
  package func truncated(toUTF8Count limit: Int) -> String {
    guard utf8.count > limit else { return self }
    var (end, size) = (startIndex, 0)
    while end < endIndex {
      let next = index(after: end)
      size += utf8.distance(from: end, to: next)
      guard size <= limit else { break }
      end = next
    }
    return String(self[..<end])
  }
}
