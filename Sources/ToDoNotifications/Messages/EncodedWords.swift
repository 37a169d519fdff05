import FoundationEssentials

/// Texts in headers, encoded as RFC 2047 does.
enum EncodedWords {
  /// Whether a text can stand in a header as it is: printable ASCII that no reader takes for an encoded word, without spaces at its
  /// ends.
  static func isPlain(_ text: String) -> Bool {
    text.utf8.allSatisfy { (0x20...0x7E).contains($0) } && !text.contains("=?") && text.utf8.first != 0x20
      && text.utf8.last != 0x20
  }

  /// Encodes a text in words of at most `size` bytes before their encoding. No scalar is divided.
  static func encode(_ text: String, size: Int) -> [String] {
    var words: [String] = []
    var word = ""
    for scalar in text.unicodeScalars {
      if word.utf8.count + UTF8.width(scalar) > size {
        words.append(word)
        word = ""
      }
      word.unicodeScalars.append(scalar)
    }
    words.append(word)
    return words.map { "=?UTF-8?B?\(Data($0.utf8).base64EncodedString())?=" }
  }
}
