/// The 64-bit FNV-1a hash (draft-eastlake-fnv): the same on every machine and in every run, unlike `Hasher`.
package struct FNV1a {
  package private(set) var value: UInt64 = 0xcbf2_9ce4_8422_2325

  package init() {}

  package mutating func combine(byte: UInt8) {
    value = (value ^ UInt64(byte)) &* 0x100_0000_01b3
  }

  /// Takes the text's UTF-8 and an end mark that is no byte of UTF-8, so that "a", "bc" differs from "ab", "c".
  package mutating func combine(_ text: String) {
    for byte in text.utf8 { combine(byte: byte) }
    combine(byte: 0xFF)
  }

  /// Takes the eight bytes of a number, the least significant first.
  package mutating func combine(_ number: Int64) {
    let bits = UInt64(bitPattern: number)
    for shift in stride(from: UInt64(0), to: 64, by: 8) { combine(byte: UInt8(truncatingIfNeeded: bits >> shift)) }
  }
}
