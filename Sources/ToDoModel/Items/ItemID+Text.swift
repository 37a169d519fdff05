extension ItemID: LosslessStringConvertible {
  /// Parses the 36-character form, `8-4-4-4-12` hexadecimal digits in either case. Returns `nil` for any other text.
  public init?(_ text: String) {
    var text = text
    let parsed = text.withUTF8 { ItemID(utf8: UnsafeRawBufferPointer($0)) }
    guard let parsed else { return nil }
    self = parsed
  }

  /// Parses the 36-character form from UTF-8 bytes. Returns `nil` for any other bytes.
  public init?(utf8 bytes: UnsafeRawBufferPointer) {
    guard bytes.count == Self.textLength, Self.hasHyphens(bytes) else { return nil }
    // This is on the path of every request: digits are parsed without branches and validated together at the end.
    var seen: UInt64 = 0
    func number(_ range: Range<Int>, after start: UInt64 = 0) -> UInt64 {
      var number = start
      for index in range {
        let digit = Self.digit(bytes[index])
        seen |= digit
        number = number << 4 | digit
      }
      return number
    }
    let high = number(14..<18, after: number(9..<13, after: number(0..<8)))
    let low = number(24..<36, after: number(19..<23))
    guard seen < 16 else { return nil }
    self.init(high: high, low: low)
  }

  /// The canonical text form: lower case, with hyphens.
  public var description: String {
    String(unsafeUninitializedCapacity: Self.textLength) { buffer in
      writeText(to: UnsafeMutableRawBufferPointer(buffer))
      return Self.textLength
    }
  }

  /// Writes the text form into the first `textLength` bytes of a buffer.
  package func writeText(to bytes: UnsafeMutableRawBufferPointer) {
    precondition(bytes.count >= Self.textLength, "the text has \(Self.textLength) bytes")
    func write(_ digits: UInt64, at offset: Int) {
      bytes.storeBytes(of: digits.littleEndian, toByteOffset: offset, as: UInt64.self)
    }
    let groups = (Self.digits(high >> 32), Self.digits(high), Self.digits(low >> 32), Self.digits(low))
    // A hyphen divides each of the two middle groups, so their second halves are written again after it. In this order
    // no write overwrites a final byte.
    write(groups.0, at: 0)
    write(groups.1, at: 9)
    write(groups.1 >> 32, at: 14)
    write(groups.2, at: 19)
    write(groups.2 >> 32, at: 24)
    write(groups.3, at: 28)
    let hyphen = UInt8(ascii: "-")
    (bytes[8], bytes[13], bytes[18], bytes[23]) = (hyphen, hyphen, hyphen, hyphen)
  }

  /// The length of the text form, in bytes.
  public static var textLength: Int { 36 }

  private static func hasHyphens(_ bytes: UnsafeRawBufferPointer) -> Bool {
    let hyphen = UInt8(ascii: "-")
    return bytes[8] == hyphen && bytes[13] == hyphen && bytes[18] == hyphen && bytes[23] == hyphen
  }

  /// Returns the value of a hexadecimal digit, or a value of 16 or more for any other byte.
  private static func digit(_ byte: UInt8) -> UInt64 {
    let decimal = byte &- UInt8(ascii: "0")
    let letter = (byte | 0x20) &- UInt8(ascii: "a")
    return UInt64(decimal < 10 ? decimal : letter < 6 ? letter + 10 : 0xFF)
  }

  /// Returns the eight hexadecimal digits of the lower 32 bits, the first digit in the lowest byte.
  private static func digits(_ number: UInt64) -> UInt64 {
    // Each half byte is spread into its own byte; then all eight are converted to characters in one operation.
    var lanes = UInt64(UInt32(truncatingIfNeeded: number).byteSwapped)
    lanes = (lanes | lanes << 16) & 0x0000_FFFF_0000_FFFF
    lanes = (lanes | lanes << 8) & 0x00FF_00FF_00FF_00FF
    let values = lanes >> 4 & 0x000F_000F_000F_000F | (lanes & 0x000F_000F_000F_000F) << 8
    let isLetter = (values + 0x0606_0606_0606_0606) >> 4 & 0x0101_0101_0101_0101
    return values + 0x3030_3030_3030_3030 + isLetter * UInt64(UInt8(ascii: "a") - UInt8(ascii: "0") - 10)
  }
}
