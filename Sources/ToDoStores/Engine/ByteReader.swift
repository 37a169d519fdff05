/// Reads big-endian values from bytes of any content, one after the other, without reading past their end.
struct ByteReader {
  private var rest: UnsafeRawBufferPointer

  init(_ bytes: UnsafeRawBufferPointer) {
    rest = bytes
  }

  /// Whether all bytes were read.
  var isAtEnd: Bool { rest.isEmpty }

  /// Reads an integer; `nil` if too few bytes are left.
  mutating func integer<Integer: FixedWidthInteger>(as type: Integer.Type = Integer.self) -> Integer? {
    guard let bytes = take(MemoryLayout<Integer>.size) else { return nil }
    return Integer(bigEndian: bytes.loadUnaligned(as: type))
  }

  /// Reads the bits of a number; `nil` if too few bytes are left.
  mutating func double() -> Double? { integer(as: UInt64.self).map { Double(bitPattern: $0) } }

  /// Reads a text and its length; `nil` if too few bytes are left or the text is not valid UTF-8.
  mutating func text() -> String? {
    guard let count = integer(as: UInt32.self), let bytes = take(Int(count)) else { return nil }
    return String(validating: bytes, as: UTF8.self)
  }

  /// Reads a text of a size; `nil` if too few bytes are left or the text is not valid UTF-8.
  mutating func text(ofSize count: Int) -> String? {
    take(count).flatMap { String(validating: $0, as: UTF8.self) }
  }

  /// Reads the remaining bytes as a text; `nil` if they are not valid UTF-8.
  mutating func remainingText() -> String? { text(ofSize: rest.count) }

  /// Reads bytes and their length; `nil` if too few bytes are left.
  mutating func bytes() -> UnsafeRawBufferPointer? { integer(as: UInt32.self).flatMap { take(Int($0)) } }

  /// Reads a text and its length, up to the end of the bytes if the text is longer; `nil` if the length is missing.
  mutating func textPrefix() -> String? {
    guard let count = integer(as: UInt32.self), let bytes = take(min(Int(count), rest.count)) else { return nil }
    return String(decoding: bytes, as: UTF8.self)
  }

  private mutating func take(_ count: Int) -> UnsafeRawBufferPointer? {
    guard count <= rest.count else { return nil }
    defer { rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(count)) }
    return UnsafeRawBufferPointer(rebasing: rest.prefix(count))
  }
}

extension [UInt8] {
  /// Appends the big-endian bytes of an integer.
  mutating func append<Integer: FixedWidthInteger>(integer: Integer) {
    Swift.withUnsafeBytes(of: integer.bigEndian) { append(contentsOf: $0) }
  }

  /// Appends the bits of a number.
  mutating func append(double: Double) { append(integer: double.bitPattern) }

  /// Appends the length of a text in four bytes, and the text in UTF-8.
  mutating func append(text: String) {
    append(integer: UInt32(clamping: text.utf8.count))
    append(contentsOf: text.utf8)
  }

  /// Appends the length of bytes in four bytes, and the bytes.
  mutating func append(bytes: [UInt8]) {
    append(integer: UInt32(clamping: bytes.count))
    append(contentsOf: bytes)
  }
}
