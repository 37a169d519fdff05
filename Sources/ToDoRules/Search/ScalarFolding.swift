@_spi(_Unicode) import Swift

/// The folded form of every Unicode scalar: its lower case, canonically decomposed, without accents, in UTF-8.
///
/// Accents are the combining marks of Latin, Greek and Cyrillic letters; those of other scripts are kept, since they are vowels or
/// tell words apart. A letter without a decomposition, such as "ø", is written as usual without its accent, and a final sigma is a
/// sigma.
///
/// Texts of different case, accents or canonical form have equal folded forms once combining marks are in canonical order.
/// Hangul syllables stay composed, since their decomposition triples the text.
enum ScalarFolding {
  /// The folded form of one scalar in a word: the bytes or their offset, their number, and the combining classes.
  struct Entry {
    let bits: UInt64

    /// The form of scalars that fold to themselves and do not combine.
    static var identity: Entry { Entry(bits: 0) }

    @inline(__always) var isIdentity: Bool { bits == 0 }
    /// The bytes in little-endian order, if there are at most five, or their offset in `Table.overflow`.
    @inline(__always) var payload: UInt64 { bits & 0xFF_FFFF_FFFF }
    @inline(__always) var byteCount: Int { Int(truncatingIfNeeded: bits >> 40 & 0xF) }
    @inline(__always) var isInline: Bool { bits & 1 << 44 == 0 }
    /// Whether the scalar belongs to the character of the scalar before it.
    @inline(__always) var isMark: Bool { bits & 1 << 45 != 0 }
    /// The canonical combining classes of the folded form's first and last scalars.
    @inline(__always) var firstClass: UInt8 { UInt8(truncatingIfNeeded: bits >> 48) }
    @inline(__always) var lastClass: UInt8 { UInt8(truncatingIfNeeded: bits >> 56) }
  }

  /// The entries of consecutive scalars.
  struct Table: Sendable {
    private(set) var entries: [UInt64] = []
    private(set) var overflow: [UInt8] = []

    init(_ range: Range<UInt32>) {
      entries.reserveCapacity(range.count)
      for value in range { entries.append(isAlwaysIdentity(value) ? 0 : bits(of: value)) }
      // So that any 16 bytes can be read at once.
      overflow.append(contentsOf: repeatElement(0, count: 16))
    }

    private mutating func bits(of value: UInt32) -> UInt64 {
      guard let scalar = Unicode.Scalar(value) else { return 0 }
      let folded = scalar.folded
      let bytes = folded.flatMap { Array($0.utf8) }
      guard bytes.count < 16 else { return 0 }
      // An accent keeps its class, by which the marks after it are in canonical order.
      let (first, last) = (folded.first ?? scalar, folded.last ?? scalar)
      var bits = UInt64(bytes.count) << 40
      bits |= UInt64(first.properties.canonicalCombiningClass.rawValue) << 48
      bits |= UInt64(last.properties.canonicalCombiningClass.rawValue) << 56
      if scalar.properties.isCombiningMark { bits |= 1 << 45 }
      if bytes.count > 5 {
        bits |= 1 << 44 | UInt64(overflow.count)
        overflow += bytes
      } else {
        for (index, byte) in bytes.enumerated() { bits |= UInt64(byte) << UInt64(8 * index) }
      }
      return bits
    }
  }

  /// The alphabets below U+3100.
  static let low = Table(0..<lowEnd)
  static let lowEnd: UInt32 = 0x3100
  /// Made when the first text has one of these rare scalars.
  private static let high = Table(highStart..<0x2_0000)
  private static let highStart: UInt32 = 0xA490
  private static let ideographs = Table(ideographStart..<0x2_FA20)
  private static let ideographStart: UInt32 = 0x2_F800

  /// Returns the entry of a scalar.
  static func entry(_ scalar: UInt32) -> Entry {
    switch scalar {
    case 0..<lowEnd: Entry(bits: low.entries[Int(scalar)])
    case _ where isAlwaysIdentity(scalar): .identity
    case highStart..<0x2_0000: Entry(bits: high.entries[Int(scalar - highStart)])
    case ideographStart..<0x2_FA20: Entry(bits: ideographs.entries[Int(scalar - ideographStart)])
    default: .identity
    }
  }

  /// Returns the bytes of the table that has a scalar's entry.
  static func overflow(of scalar: UInt32) -> [UInt8] {
    scalar < lowEnd ? low.overflow : scalar < ideographStart ? high.overflow : ideographs.overflow
  }

  /// Whether a scalar belongs to the character of the scalar before it.
  static func isMark(_ scalar: UInt32) -> Bool {
    switch scalar {
    case 0..<lowEnd: Entry(bits: low.entries[Int(scalar)]).isMark
    case 0xFE00..<0xFE10, 0xE_0020..<0xE_0080, 0xE_0100..<0xE_01F0: true
    default: entry(scalar).isMark
    }
  }

  /// Whether a scalar is an ideograph, a Hangul syllable, a symbol, a variation selector or for private use.
  @inline(__always)
  static func isAlwaysIdentity(_ scalar: UInt32) -> Bool {
    switch scalar {
    case 0x3100..<0xA490, 0xAC00..<0xD7A4, 0xD800..<0xF900, 0xFE00..<0xFE10, 0x1_F000..<0x2_F800, 0x2_FA20...: true
    default: false
    }
  }
}

extension Unicode.Scalar {
  /// The scalars of the lower case without accents. A letter that has no decomposition is written as usual without its accent.
  fileprivate var folded: [Unicode.Scalar] {
    var folded: [Unicode.Scalar] = []
    for scalar in properties.lowercaseMapping._nfd {
      switch scalar {
      case "\u{300}"..."\u{36F}": break
      case "ß": folded += ["s", "s"]
      case "æ": folded += ["a", "e"]
      case "œ": folded += ["o", "e"]
      case "ø": folded.append("o")
      case "đ", "ð": folded.append("d")
      case "ł": folded.append("l")
      case "ħ": folded.append("h")
      case "ı": folded.append("i")
      // It has the same upper case as any other sigma.
      case "ς": folded.append("σ")
      default: folded.append(scalar)
      }
    }
    return folded
  }
}

extension Unicode.Scalar.Properties {
  fileprivate var isCombiningMark: Bool {
    switch generalCategory {
    case .nonspacingMark, .spacingMark, .enclosingMark: true
    default: isGraphemeExtend
    }
  }
}
