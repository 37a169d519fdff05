#if GRPC || HTTP
extension [UInt8] {
  /// The bytes in base64 without padding, as in the header of an error's details.
  package var base64: String {
    var digits: [UInt8] = []
    digits.reserveCapacity((count * 4 + 2) / 3)
    for start in stride(from: 0, to: count, by: 3) {
      let group = self[start..<Swift.min(start + 3, count)]
      let bits = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
      for index in 0...group.count { digits.append(Self.base64Digits[bits >> (18 - 6 * index) & 63]) }
    }
    return String(decoding: digits, as: UTF8.self)
  }

  private static let base64Digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
}
#endif
