/// The ID of a to-do item: a UUID that the client generates, so that an add can be retried safely.
///
/// Any UUID is accepted, in either case. `description` is the canonical lower-case form with hyphens. IDs sort by their
/// 16 bytes, so version 7 UUIDs sort by creation time.
public struct ItemID: Hashable, Sendable {
  /// The first eight bytes, most significant first.
  public let high: UInt64
  /// The last eight bytes, most significant first.
  public let low: UInt64

  /// Creates an ID from its bytes.
  public init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// Generates a version 7 UUID (RFC 9562, section 5.7): 48 bits of Unix time in milliseconds, then random bits.
  ///
  /// Stores keep IDs sorted, and insert increasing IDs about twice as fast as random ones. The time only affects the
  /// order; it is never read back.
  public init(time: Timestamp, using generator: inout some RandomNumberGenerator) {
    let milliseconds = UInt64(clamping: time.microseconds / 1000) & 0xFFFF_FFFF_FFFF
    let random = generator.next()
    high = milliseconds << 16 | 0x7000 | random >> 52
    low = 0x8000_0000_0000_0000 | generator.next() >> 2
  }

  /// Generates a version 7 UUID with the system's clock and random number generator.
  public init() { self.init(time: SystemWallClock().now()) }

  /// Generates a version 7 UUID with the system's random number generator.
  public init(time: Timestamp) {
    var generator = SystemRandomNumberGenerator()
    self.init(time: time, using: &generator)
  }
}

extension ItemID: Comparable {
  /// Whether the first ID sorts earlier.
  public static func < (left: ItemID, right: ItemID) -> Bool {
    (left.high, left.low) < (right.high, right.low)
  }
}
