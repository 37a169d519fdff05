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
