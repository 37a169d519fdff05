/// Reads integers and strings from the start of a slice of bytes.
struct ByteReader {
  private(set) var remaining: ArraySlice<UInt8>

  init(_ bytes: ArraySlice<UInt8>) {
    remaining = bytes
  }

  /// Reads `count` bytes, or returns `nil` if fewer remain.
  mutating func readBytes(_ count: Int) -> ArraySlice<UInt8>? {
    guard count <= remaining.count else { return nil }
    defer { remaining = remaining.dropFirst(count) }
    return remaining.prefix(count)
  }

  /// Reads a little-endian integer.
  mutating func readInteger<Integer: FixedWidthInteger>(_ type: Integer.Type) -> Integer? {
    readBytes(Integer.bitWidth / 8)?.reversed().reduce(0) { $0 << 8 | Integer(truncatingIfNeeded: $1) }
  }

  /// Reads a string that follows its length in 2 bytes. Returns `nil` if bytes are missing or are not valid UTF-8.
  mutating func readString() -> String? {
    guard let length = readInteger(UInt16.self), let bytes = readBytes(Int(length)) else { return nil }
    return String(validating: bytes, as: UTF8.self)
  }
}

extension [UInt8] {
  /// Appends a little-endian integer.
  mutating func append<Integer: FixedWidthInteger>(integer: Integer) {
    for shift in stride(from: 0, to: Integer.bitWidth, by: 8) { append(UInt8(truncatingIfNeeded: integer >> shift)) }
  }

  /// Appends a string after its length in 2 bytes. Returns `false`, and appends nothing, if the string is too long.
  mutating func append(string: String) -> Bool {
    guard let length = UInt16(exactly: string.utf8.count) else { return false }
    append(integer: length)
    append(contentsOf: string.utf8)
    return true
  }
}
