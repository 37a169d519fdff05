extension Unicode.Scalar {
  /// Whether this is a control character: C0, DEL or C1.
  package var isControl: Bool { value < 0x20 || (0x7F...0x9F).contains(value) }
}

extension String {
  /// The text without control characters.
  package var withoutControls: String {
    guard unicodeScalars.contains(where: \.isControl) else { return self }
    return String(String.UnicodeScalarView(unicodeScalars.lazy.filter { !$0.isControl }))
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
