import FoundationEssentials
import ToDoModel

/// A page token's opaque text: a payload, the incarnation of the list, and a checksum over both and over the query
/// that the token belongs to.
///
/// The checksum detects a token that was altered or belongs to another query. It is not a secret: a client that forges
/// a token only reaches another position in its own list.
enum PageTokenText {
  /// Returns the text of a payload.
  ///
  /// - Parameter query: adds the query to the checksum.
  static func encode(
    _ payload: [UInt8], of incarnation: ListIncarnation, boundTo query: (inout FNV1a) -> Void
  ) -> String {
    encode(payload + incarnation.bytes, query)
  }

  private static func encode(_ payload: [UInt8], _ query: (inout FNV1a) -> Void) -> String {
    var bytes = payload
    bytes.append(checksum(of: payload, query))
    return Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
  }

  /// Returns the payload of a text.
  ///
  /// - Throws: `ToDoError.invalidPageToken` if `encode` did not create the text from a payload of this length and the
  ///   same query; `ToDoError.listReplaced` if the token names another incarnation.
  static func decode(
    _ text: String, length: Int, of incarnation: ListIncarnation, boundTo query: (inout FNV1a) -> Void
  ) throws -> [UInt8] {
    let base64 = text.replacing("-", with: "+").replacing("_", with: "/")
    guard let data = Data(base64Encoded: base64), data.count == length + 16 else { throw ToDoError.invalidPageToken }
    let payload = Array(data.prefix(length + 8))
    // Base64 has unused bits at its end: only the canonical form is accepted.
    guard encode(payload, query) == text else { throw ToDoError.invalidPageToken }
    guard payload.integer(at: length) == incarnation.number else { throw ToDoError.listReplaced }
    return Array(payload.prefix(length))
  }

  private static func checksum(of bytes: [UInt8], _ query: (inout FNV1a) -> Void) -> UInt64 {
    var hash = FNV1a()
    for byte in bytes { hash.combine(byte: byte) }
    query(&hash)
    return hash.value
  }
}

extension ListIncarnation {
  fileprivate var bytes: [UInt8] {
    var bytes: [UInt8] = []
    bytes.append(number)
    return bytes
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
