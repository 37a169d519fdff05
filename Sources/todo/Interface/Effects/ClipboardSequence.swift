/// The control sequence with which a terminal copies a text to its clipboard (OSC 52 of xterm).
enum ClipboardSequence {
  static func copying(_ text: String) -> String { "\u{1B}]52;c;\(base64(Array(text.utf8)))\u{07}" }

  /// Encodes bytes in Base64 (RFC 4648).
  private static func base64(_ bytes: [UInt8]) -> String {
    var text = ""
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start..<min(start + 3, bytes.count)]
      var bits = group.reduce(0 as UInt32) { $0 << 8 | UInt32($1) }
      bits <<= 8 * UInt32(3 - group.count)
      for position in 0..<4 {
        let index = Int(bits >> (18 - 6 * UInt32(position)) & 0x3F)
        text.append(position <= group.count ? alphabet[index] : "=")
      }
    }
    return text
  }

  private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
}
