extension [UInt8] {
  /// The field of a protobuf message that holds text, bytes or another message of fewer than 128 bytes.
  static func field(_ number: UInt8, _ bytes: [UInt8]) -> [UInt8] {
    precondition(number < 16 && bytes.count < 128, "one byte for the tag, one for the length")
    return [number << 3 | 2, UInt8(bytes.count)] + bytes
  }

  static func field(_ number: UInt8, _ text: String) -> [UInt8] { field(number, Array(text.utf8)) }
}
