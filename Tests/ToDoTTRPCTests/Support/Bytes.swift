import NIOCore

/// Bytes in hexadecimal notation. A `#` starts a comment that ends with its line.
func hex(_ text: String) throws -> [UInt8] {
  let lines = text.split(whereSeparator: \.isNewline).map { $0.prefix { $0 != "#" } }
  return try Array(ByteBuffer(plainHexEncodedBytes: lines.joined(separator: " ")).readableBytesView)
}

extension [UInt8] {
  /// The field of a protobuf message that holds text, bytes or another message of fewer than 128 bytes.
  static func field(_ number: UInt8, _ bytes: [UInt8]) -> [UInt8] {
    precondition(number < 16 && bytes.count < 128, "one byte for the tag, one for the length")
    return [number << 3 | 2, UInt8(bytes.count)] + bytes
  }

  static func field(_ number: UInt8, _ text: String) -> [UInt8] { field(number, Array(text.utf8)) }
}
