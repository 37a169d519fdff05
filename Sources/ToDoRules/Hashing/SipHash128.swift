/// SipHash-2-4 with 128 bits of output (Aumasson and Bernstein, https://github.com/veorq/SipHash): an attacker
/// without the key cannot make two inputs collide.
package struct SipHash128 {
  private var v0, v1, v2, v3: UInt64
  /// The bytes that do not yet fill a word, the first in the lowest bits.
  private var tail: UInt64 = 0
  private var byteCount: UInt64 = 0

  /// Creates a hash with a key.
  ///
  /// - Parameters:
  ///   - low: the first eight bytes of the key, the first byte in the lowest bits.
  ///   - high: the other eight bytes.
  package init(keyLow low: UInt64, high: UInt64) {
    v0 = low ^ 0x736f_6d65_7073_6575
    v1 = high ^ 0x646f_7261_6e64_6f6d ^ 0xee
    v2 = low ^ 0x6c79_6765_6e65_7261
    v3 = high ^ 0x7465_6462_7974_6573
  }

  /// Adds a byte.
  package mutating func combine(byte: UInt8) {
    let filled = byteCount & 7
    tail |= UInt64(byte) << (8 * filled)
    byteCount &+= 1
    if filled == 7 {
      compress(tail)
      tail = 0
    }
  }

  /// Adds bytes.
  package mutating func combine(_ bytes: UnsafeBufferPointer<UInt8>) {
    guard let start = bytes.baseAddress else { return }
    let shift = 8 * (byteCount & 7)
    let wordCount = bytes.count / 8
    for index in 0..<wordCount {
      let word = UInt64(
        littleEndian: UnsafeRawPointer(start).loadUnaligned(fromByteOffset: index &* 8, as: UInt64.self))
      add(word, shift)
    }
    for index in wordCount &* 8..<bytes.count { combine(byte: bytes[index]) }
  }

  /// Adds a text's UTF-8 and a terminator that never occurs in UTF-8, so that "a", "bc" differs from "ab", "c".
  package mutating func combine(_ text: String) {
    var text = text
    text.withUTF8 { combine($0) }
    combine(byte: 0xFF)
  }

  /// Adds the eight bytes of a number, the least significant first.
  package mutating func combine(_ number: Int64) {
    add(UInt64(bitPattern: number), 8 * (byteCount & 7))
  }

  /// Returns the hash: its first eight bytes, the first byte in the lowest bits, and its last eight bytes.
  package consuming func finish() -> (low: UInt64, high: UInt64) {
    compress(tail | byteCount << 56)
    v2 ^= 0xee
    for _ in 0..<4 { round() }
    let low = v0 ^ v1 ^ v2 ^ v3
    v1 ^= 0xdd
    for _ in 0..<4 { round() }
    return (low, v0 ^ v1 ^ v2 ^ v3)
  }

  /// Adds eight bytes.
  ///
  /// - Parameter shift: the number of bits in the tail.
  @inline(__always)
  private mutating func add(_ word: UInt64, _ shift: UInt64) {
    byteCount &+= 8
    compress(tail | word << shift)
    tail = shift == 0 ? 0 : word >> (64 - shift)
  }

  @inline(__always)
  private mutating func compress(_ word: UInt64) {
    v3 ^= word
    round()
    round()
    v0 ^= word
  }

  @inline(__always)
  private mutating func round() {
    v0 = v0 &+ v1
    v2 = v2 &+ v3
    v1 = Self.rotated(v1, 13) ^ v0
    v3 = Self.rotated(v3, 16) ^ v2
    v0 = Self.rotated(v0, 32)
    v2 = v2 &+ v1
    v0 = v0 &+ v3
    v1 = Self.rotated(v1, 17) ^ v2
    v3 = Self.rotated(v3, 21) ^ v0
    v2 = Self.rotated(v2, 32)
  }

  @inline(__always)
  private static func rotated(_ value: UInt64, _ count: UInt64) -> UInt64 {
    value &<< count | value &>> (64 &- count)
  }
}
