import FoundationEssentials

/// The opaque text of a page token: a payload and a checksum over it and over the query that it belongs to.
///
/// A token that was altered, or belongs to another query, is noticed. It is a check, not a secret: whoever forges a
/// token gets to another place in the list that is theirs anyway.
enum PageTokenText {
  /// - Parameter query: adds to the checksum what a token must not be used without.
  static func encode(_ payload: [UInt8], boundTo query: (inout FNV1a) -> Void) -> String {
    var bytes = payload
    bytes.append(checksum(of: payload, query))
    return Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
  }

  /// - Throws: `ToDoError.invalidPageToken` for anything that `encode` did not make from as long a payload and the
  ///   same query.
  static func decode(_ text: String, length: Int, boundTo query: (inout FNV1a) -> Void) throws -> [UInt8] {
    let base64 = text.replacing("-", with: "+").replacing("_", with: "/")
    guard let data = Data(base64Encoded: base64), data.count == length + 8 else { throw ToDoError.invalidPageToken }
    let payload = Array(data.prefix(length))
    // Base64 has spare bits at its end: only the one true spelling is accepted.
    guard encode(payload, boundTo: query) == text else { throw ToDoError.invalidPageToken }
    return payload
  }

  private static func checksum(of bytes: [UInt8], _ query: (inout FNV1a) -> Void) -> UInt64 {
    var hash = FNV1a()
    for byte in bytes { hash.combine(byte: byte) }
    query(&hash)
    return hash.value
  }
}

// Integers in tokens are big-endian.

extension [UInt8] {
  mutating func append(_ number: UInt64) {
    for shift in stride(from: UInt64(56), through: 0, by: -8) { append(UInt8(truncatingIfNeeded: number >> shift)) }
  }

  func integer(at offset: Int) -> UInt64 {
    self[offset..<offset + 8].reduce(0) { $0 << 8 | UInt64($1) }
  }
}
