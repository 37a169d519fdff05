/// Takes numbers and texts off the beginning of some bytes.
struct ByteReader {
  private(set) var rest: ArraySlice<UInt8>

  init(_ bytes: ArraySlice<UInt8>) {
    rest = bytes
  }

  /// The next so many bytes; `nil` when there are fewer.
  mutating func bytes(_ count: Int) -> ArraySlice<UInt8>? {
    guard count <= rest.count else { return nil }
    defer { rest = rest.dropFirst(count) }
    return rest.prefix(count)
  }

  /// A number that begins with its lowest byte.
  mutating func number<Number: FixedWidthInteger>(_ type: Number.Type) -> Number? {
    bytes(Number.bitWidth / 8)?.reversed().reduce(0) { $0 << 8 | Number(truncatingIfNeeded: $1) }
  }

  /// A text after its length in 2 bytes; `nil` also when it is no UTF-8.
  mutating func text() -> String? {
    guard let length = number(UInt16.self), let bytes = bytes(Int(length)) else { return nil }
    return String(validating: bytes, as: UTF8.self)
  }
}

extension [UInt8] {
  mutating func append<Number: FixedWidthInteger>(number: Number) {
    for shift in stride(from: 0, to: Number.bitWidth, by: 8) { append(UInt8(truncatingIfNeeded: number >> shift)) }
  }

  /// Whether the text is short enough.
  mutating func append(text: String) -> Bool {
    guard let length = UInt16(exactly: text.utf8.count) else { return false }
    append(number: length)
    append(contentsOf: text.utf8)
    return true
  }
}
