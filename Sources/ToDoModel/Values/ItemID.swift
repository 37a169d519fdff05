/// The identity of a to-do item: a UUID that the client makes, so that sending an item twice is harmless.
///
/// Any UUID is accepted, in either case; `description` is the canonical lower-case form with hyphens.
/// Identifiers order as their 16 bytes do, so version 7 identifiers order by the time they were made.
public struct ItemID: Hashable, Sendable {
  /// The first eight bytes, most significant first.
  public let high: UInt64
  /// The last eight bytes, most significant first.
  public let low: UInt64

  public init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// Makes a version 7 UUID (RFC 9562, section 5.7): 48 bits of Unix time in milliseconds, then random bits.
  ///
  /// Stores keep identifiers sorted, and insert ones that grow with time about twice as fast as random ones.
  /// The time is only a hint for the order: it is never read back.
  public init(time: Timestamp, using generator: inout some RandomNumberGenerator) {
    let milliseconds = UInt64(clamping: time.microseconds / 1000) & 0xFFFF_FFFF_FFFF
    let random = generator.next()
    high = milliseconds << 16 | 0x7000 | random >> 52
    low = 0x8000_0000_0000_0000 | generator.next() >> 2
  }

  /// Makes a version 7 UUID from the system's random number generator.
  public init(time: Timestamp) {
    var generator = SystemRandomNumberGenerator()
    self.init(time: time, using: &generator)
  }
}

extension ItemID: Comparable {
  public static func < (left: ItemID, right: ItemID) -> Bool {
    (left.high, left.low) < (right.high, right.low)
  }
}

extension ItemID: LosslessStringConvertible {
  /// Reads the 36-character form, `8-4-4-4-12` hexadecimal digits in either case; `nil` for anything else.
  public init?(_ text: String) {
    var text = text
    let parsed = text.withUTF8 { ItemID(utf8: UnsafeRawBufferPointer($0)) }
    guard let parsed else { return nil }
    self = parsed
  }

  /// Reads the 36-character form from UTF-8 bytes; `nil` for anything else.
  public init?(utf8 bytes: UnsafeRawBufferPointer) {
    guard bytes.count == Self.textLength else { return nil }
    var halves: (UInt64, UInt64) = (0, 0)
    var digits = 0
    for index in 0..<Self.textLength {
      if Self.isHyphen(at: index) {
        guard bytes[index] == UInt8(ascii: "-") else { return nil }
        continue
      }
      guard let digit = Self.digit(bytes[index]) else { return nil }
      if digits < 16 { halves.0 = halves.0 << 4 | digit } else { halves.1 = halves.1 << 4 | digit }
      digits += 1
    }
    self.init(high: halves.0, low: halves.1)
  }

  public var description: String {
    String(unsafeUninitializedCapacity: Self.textLength) { buffer in
      var index = 0
      for position in 0..<32 {
        if Self.isHyphen(at: index) {
          buffer[index] = UInt8(ascii: "-")
          index += 1
        }
        let half = position < 16 ? high : low
        let digit = UInt8(truncatingIfNeeded: half >> UInt64(60 - (position & 15) * 4) & 15)
        buffer[index] = digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") - 10 + digit
        index += 1
      }
      return index
    }
  }

  /// The length of the text form in bytes.
  public static var textLength: Int { 36 }

  /// Whether a hyphen stands at `index` of the text form: positions 8, 13, 18 and 23, kept as a bit set.
  private static func isHyphen(at index: Int) -> Bool {
    (0x84_2100 as UInt64) >> UInt64(index) & 1 == 1
  }

  private static func digit(_ byte: UInt8) -> UInt64? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt64(byte - UInt8(ascii: "0"))
    case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt64(byte - UInt8(ascii: "a") + 10)
    case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt64(byte - UInt8(ascii: "A") + 10)
    default: nil
    }
  }
}
