extension ItemID: LosslessStringConvertible {
  /// Reads the 36-character form, `8-4-4-4-12` hexadecimal digits in either case; `nil` for anything else.
  public init?(_ text: String) {
    var text = text
    let parsed = text.withUTF8 { ItemID(utf8: UnsafeRawBufferPointer($0)) }
    guard let parsed else { return nil }
    self = parsed
  }

  /// Reads the 36-character form from UTF-8 bytes; `nil` for anything else.
  public init?(utf8 bytes: UnsafeRawBufferPointer) {
    guard bytes.count == Self.textLength, Self.hasHyphens(bytes) else { return nil }
    // Every request comes by here: no branch for a digit, and one look at the end at whether all were digits.
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

  public var description: String {
    String(unsafeUninitializedCapacity: Self.textLength) { buffer in
      writeText(to: UnsafeMutableRawBufferPointer(buffer))
      return Self.textLength
    }
  }

  /// Writes the text form into the first `textLength` bytes.
  package func writeText(to bytes: UnsafeMutableRawBufferPointer) {
    precondition(bytes.count >= Self.textLength, "the text has \(Self.textLength) bytes")
    func write(_ digits: UInt64, at offset: Int) {
      bytes.storeBytes(of: digits.littleEndian, toByteOffset: offset, as: UInt64.self)
    }
    let groups = (Self.digits(high >> 32), Self.digits(high), Self.digits(low >> 32), Self.digits(low))
    // Of the two in the middle a hyphen parts the halves, so their second halves are written again behind it. In this
    // order nothing is written over that has to stay.
    write(groups.0, at: 0)
    write(groups.1, at: 9)
    write(groups.1 >> 32, at: 14)
    write(groups.2, at: 19)
    write(groups.2 >> 32, at: 24)
    write(groups.3, at: 28)
    let hyphen = UInt8(ascii: "-")
    (bytes[8], bytes[13], bytes[18], bytes[23]) = (hyphen, hyphen, hyphen, hyphen)
  }

  /// The length of the text form in bytes.
  public static var textLength: Int { 36 }

  private static func hasHyphens(_ bytes: UnsafeRawBufferPointer) -> Bool {
    let hyphen = UInt8(ascii: "-")
    return bytes[8] == hyphen && bytes[13] == hyphen && bytes[18] == hyphen && bytes[23] == hyphen
  }

  /// The value of a hexadecimal digit; 16 or more for any other byte.
  private static func digit(_ byte: UInt8) -> UInt64 {
    let decimal = byte &- UInt8(ascii: "0")
    let letter = (byte | 0x20) &- UInt8(ascii: "a")
    return UInt64(decimal < 10 ? decimal : letter < 6 ? letter + 10 : 0xFF)
  }

  /// The eight hexadecimal digits of the lower 32 bits, the first in the lowest byte.
  private static func digits(_ number: UInt64) -> UInt64 {
    // Each half byte gets a byte of its own, and then all eight become characters at once.
    var lanes = UInt64(UInt32(truncatingIfNeeded: number).byteSwapped)
    lanes = (lanes | lanes << 16) & 0x0000_FFFF_0000_FFFF
    lanes = (lanes | lanes << 8) & 0x00FF_00FF_00FF_00FF
    let values = lanes >> 4 & 0x000F_000F_000F_000F | (lanes & 0x000F_000F_000F_000F) << 8
    let isLetter = (values + 0x0606_0606_0606_0606) >> 4 & 0x0101_0101_0101_0101
    return values + 0x3030_3030_3030_3030 + isLetter * UInt64(UInt8(ascii: "a") - UInt8(ascii: "0") - 10)
  }
}
