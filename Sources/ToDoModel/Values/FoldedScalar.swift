/// The lower case of a Unicode scalar, for scalars that can be compared one by one.
///
/// These are scalars that neither combine with the scalar before them nor are canonically equivalent to another single
/// scalar. Texts of such scalars are canonically equivalent only if they are equal. All other scalars are unsupported.
struct FoldedScalar: Equatable {
  let value: UInt32

  /// `nil` if the scalar is not supported.
  @inline(__always)
  init?(_ scalar: UInt32) {
    switch scalar {
    case 0..<0x590:
      let folded = Self.low[Int(scalar)]
      guard folded > 0 || scalar == 0 else { return nil }
      value = UInt32(folded)
    case 0x1E00..<0x1F00:
      let folded = Self.latinAdditional[Int(scalar - 0x1E00)]
      guard folded > 0 else { return nil }
      value = UInt32(folded)
    // Punctuation, currencies, arrows, symbols, kana, ideographs, Hangul syllables and emoji have no case.
    case 0x2002..<0x20D0, 0x2190..<0x2329, 0x232B..<0x24B6, 0x24EA..<0x2ADC, 0x2ADD..<0x2C00, 0x3000..<0x302A,
      0x3030..<0x3099, 0x309B..<0xA4D0, 0xAC00..<0xD7A4, 0x1F000..<0x2F800:
      value = scalar
    default:
      return nil
    }
  }

  /// Whether a byte of the scalar's UTF-8 meets a condition; later bytes are not tried.
  @inline(__always)
  func anyByte(_ condition: (UInt8) -> Bool) -> Bool {
    func byte(_ shift: UInt32) -> UInt8 { UInt8(truncatingIfNeeded: 0x80 | value >> shift & 0x3F) }
    switch value {
    case 0..<0x80: return condition(UInt8(truncatingIfNeeded: value))
    case 0x80..<0x800: return condition(UInt8(truncatingIfNeeded: 0xC0 | value >> 6)) || condition(byte(0))
    case 0x800..<0x10000:
      return condition(UInt8(truncatingIfNeeded: 0xE0 | value >> 12)) || condition(byte(6)) || condition(byte(0))
    default:
      return condition(UInt8(truncatingIfNeeded: 0xF0 | value >> 18)) || condition(byte(12)) || condition(byte(6))
        || condition(byte(0))
    }
  }

  private static let low = table(of: 0..<0x590)
  private static let latinAdditional = table(of: 0x1E00..<0x1F00)

  /// The lower case of each scalar of a range; 0 for those that are not supported.
  private static func table(of range: Range<UInt32>) -> [UInt16] {
    range.map { value in
      guard let scalar = Unicode.Scalar(value), !isExcluded(value),
        scalar.properties.canonicalCombiningClass == .notReordered
      else { return 0 }
      let folded = scalar.properties.lowercaseMapping.unicodeScalars
      guard folded.count == 1, let first = folded.first else { return 0 }
      return UInt16(truncatingIfNeeded: first.value)
    }
  }

  /// Whether a scalar of the tables is canonically equivalent to another, or an enclosing mark.
  private static func isExcluded(_ value: UInt32) -> Bool {
    switch value {
    case 0x300..<0x370, 0x374, 0x37E, 0x387, 0x483..<0x48A: true
    default: false
    }
  }
}
