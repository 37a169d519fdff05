import ToDoModel

/// The text of a bracketed paste, up to the sequence `CSI 201 ~`.
struct PasteBuffer: Equatable, Sendable {
  private var bytes: [UInt8] = []
  private var isCutOff = false
  /// The number of the end sequence's bytes that have arrived.
  private var matched = 0

  /// The maximum size of a paste, in bytes. The rest is dropped.
  static let limit = 64 * 1024
  private static let end: [UInt8] = Array("\u{1B}[201~".utf8)

  /// Appends a byte.
  ///
  /// - Returns: whether the paste is complete.
  mutating func append(_ byte: UInt8) -> Bool {
    if byte == Self.end[matched] {
      matched += 1
      return matched == Self.end.count
    }
    // The start of another sequence is text, without its escape character.
    for byte in Self.end.prefix(matched).dropFirst() { store(byte) }
    matched = byte == Self.end[0] ? 1 : 0
    if matched == 0 { store(byte) }
    return false
  }

  private mutating func store(_ byte: UInt8) {
    if bytes.count < Self.limit { bytes.append(byte) } else { isCutOff = true }
  }

  /// The text with line feeds as newlines, without other control characters except tabs.
  var text: String {
    var bytes = bytes[...]
    if isCutOff { bytes.removeIncompleteCharacter() }
    var text = String.UnicodeScalarView()
    var previous: Unicode.Scalar?
    for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars {
      switch scalar {
      // Terminals send line breaks as carriage returns.
      case "\r": text.append("\n")
      case "\n" where previous == "\r": break
      case "\n", "\t": text.append(scalar)
      default: if !scalar.isControl { text.append(scalar) }
      }
      previous = scalar
    }
    return String(text)
  }
}

extension ArraySlice<UInt8> {
  /// Removes an incomplete UTF-8 character at the end.
  fileprivate mutating func removeIncompleteCharacter() {
    var decoder = UTF8Decoder()
    var incomplete = 0
    for byte in suffix(4) {
      decoder.decode(byte) { _ in }
      incomplete = decoder.isPending ? incomplete + 1 : 0
    }
    removeLast(incomplete)
  }
}
