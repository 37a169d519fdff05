/// Decodes UTF-8 byte by byte.
///
/// Each maximal part of an invalid sequence yields one U+FFFD, as the Unicode Standard (section 3.9) recommends. The result
/// does not depend on the pieces in which the bytes arrive.
struct UTF8Decoder: Equatable, Sendable {
  /// The value of the incomplete character.
  private var value: UInt32 = 0
  /// The number of bytes that the character lacks.
  private var missing = 0
  /// The valid values of the next byte.
  private var valid: ClosedRange<UInt8> = 0x80...0xBF

  /// Whether a character is incomplete.
  var isPending: Bool { missing > 0 }

  /// Decodes a byte.
  ///
  /// - Parameter report: receives the characters that the byte completes or proves invalid.
  mutating func decode(_ byte: UInt8, _ report: (Unicode.Scalar) -> Void) {
    if missing > 0 {
      if valid.contains(byte) { return proceed(with: byte, report) }
      reset(report)
    }
    switch byte {
    case 0x00...0x7F: report(Unicode.Scalar(byte))
    case 0xC2...0xDF: start(byte & 0x1F, missing: 1)
    // Excluded are overlong forms and surrogates, then values above U+10FFFF.
    case 0xE0...0xEF:
      start(byte & 0x0F, missing: 2, byte == 0xE0 ? 0xA0...0xBF : byte == 0xED ? 0x80...0x9F : 0x80...0xBF)
    case 0xF0...0xF4:
      start(byte & 0x07, missing: 3, byte == 0xF0 ? 0x90...0xBF : byte == 0xF4 ? 0x80...0x8F : 0x80...0xBF)
    default: report("\u{FFFD}")
    }
  }

  /// Discards an incomplete character, and reports U+FFFD instead.
  mutating func reset(_ report: (Unicode.Scalar) -> Void) {
    guard missing > 0 else { return }
    missing = 0
    report("\u{FFFD}")
  }

  private mutating func start(_ bits: UInt8, missing: Int, _ valid: ClosedRange<UInt8> = 0x80...0xBF) {
    (value, self.missing, self.valid) = (UInt32(bits), missing, valid)
  }

  private mutating func proceed(with byte: UInt8, _ report: (Unicode.Scalar) -> Void) {
    value = value << 6 | UInt32(byte & 0x3F)
    missing -= 1
    valid = 0x80...0xBF
    if missing == 0 { report(Unicode.Scalar(value) ?? "\u{FFFD}") }
  }
}
