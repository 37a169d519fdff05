#if HTTP
import NIOCore
import ToDoTransport

/// Base64 with the standard alphabet, in groups of four digits.
extension ByteBuffer {
  /// The bytes as padded base64.
  var base64Encoded: ByteBuffer {
    let text = Array(readableBytesView).base64
    return ByteBuffer(string: text + String(repeating: "=", count: (4 - text.utf8.count % 4) % 4))
  }

  /// The bytes of padded base64; `nil` if the text is something else. Padding may occur in the middle, because clients encode
  /// the parts of a body one by one.
  var base64Decoded: ByteBuffer? {
    guard readableBytes.isMultiple(of: 4) else { return nil }
    var bytes = ByteBuffer()
    bytes.reserveCapacity(readableBytes / 4 * 3)
    let isValid = withUnsafeReadableBytes { text in
      stride(from: 0, to: text.count, by: 4).allSatisfy {
        bytes.writeGroup(text[$0], text[$0 + 1], text[$0 + 2], text[$0 + 3])
      }
    }
    return isValid ? bytes : nil
  }

  /// Appends the bytes of four digits, and returns whether they are valid.
  private mutating func writeGroup(_ first: UInt8, _ second: UInt8, _ third: UInt8, _ fourth: UInt8) -> Bool {
    guard let first = first.base64Value, let second = second.base64Value else { return false }
    let bits = UInt32(first) << 18 | UInt32(second) << 12
    if third == .padding {
      guard fourth == .padding, second & 15 == 0 else { return false }
      writeInteger(UInt8(truncatingIfNeeded: bits >> 16))
      return true
    }
    guard let third = third.base64Value else { return false }
    if fourth == .padding {
      guard third & 3 == 0 else { return false }
      writeInteger(UInt16(truncatingIfNeeded: (bits | UInt32(third) << 6) >> 8))
      return true
    }
    guard let fourth = fourth.base64Value else { return false }
    let all = bits | UInt32(third) << 6 | UInt32(fourth)
    writeInteger(UInt16(truncatingIfNeeded: all >> 8))
    writeInteger(UInt8(truncatingIfNeeded: all))
    return true
  }
}

extension UInt8 {
  fileprivate static let padding = UInt8(ascii: "=")

  /// The value of a digit.
  fileprivate var base64Value: UInt8? {
    switch self {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): self - UInt8(ascii: "A")
    case UInt8(ascii: "a")...UInt8(ascii: "z"): self - UInt8(ascii: "a") + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0") + 52
    case UInt8(ascii: "+"): 62
    case UInt8(ascii: "/"): 63
    default: nil
    }
  }
}
#endif
