/// The 64-bit FNV-1a hash (draft-eastlake-fnv). Unlike `Hasher`, it is the same on every machine and in every run.
package struct FNV1a {
  /// The hash of the bytes combined so far.
  package private(set) var value: UInt64 = 0xcbf2_9ce4_8422_2325

  /// Creates the hash of no bytes.
  package init() {}

  /// Adds a byte.
  package mutating func combine(byte: UInt8) {
    value = (value ^ UInt64(byte)) &* 0x100_0000_01b3
  }

  /// Adds a text's UTF-8 and a terminator that never occurs in UTF-8, so that "a", "bc" differs from "ab", "c".
  package mutating func combine(_ text: String) {
    for byte in text.utf8 { combine(byte: byte) }
    combine(byte: 0xFF)
  }

  /// Adds the eight bytes of a number, the least significant first.
  package mutating func combine(_ number: Int64) {
    let bits = UInt64(bitPattern: number)
    for shift in stride(from: UInt64(0), to: 64, by: 8) { combine(byte: UInt8(truncatingIfNeeded: bits >> shift)) }
  }
}
