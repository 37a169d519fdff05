import FoundationEssentials

/// The place in a listing where the next page begins, as an opaque text.
///
/// The text is the Base64url form of a position and a checksum over that position and the query's other
/// arguments, so a token that was altered, or belongs to another query, is noticed. It is a check, not a secret: whoever
/// forges a token gets to another place in the list that is theirs anyway.
struct PageToken: Equatable {
  let position: ItemPosition

  /// Bytes: version, section, primary, secondary, identity (two halves), checksum; integers big-endian.
  private static let length = 1 + 1 + 8 + 8 + 16 + 8
  private static let version: UInt8 = 1

  init(position: ItemPosition) {
    self.position = position
  }

  func encoded(for query: ItemQuery) -> String {
    var bytes: [UInt8] = [Self.version, position.section]
    bytes.append(UInt64(bitPattern: position.primary))
    bytes.append(UInt64(bitPattern: position.secondary))
    bytes.append(position.tieBreak.high)
    bytes.append(position.tieBreak.low)
    bytes.append(Self.checksum(of: bytes, query))
    return Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
  }

  /// - Throws: `ToDoError.invalidPageToken` for anything that `encoded(for:)` did not make for the same query.
  init(_ text: String, for query: ItemQuery) throws {
    let base64 = text.replacing("-", with: "+").replacing("_", with: "/")
    guard let data = Data(base64Encoded: base64), data.count == Self.length, data[0] == Self.version,
      data.bigEndianInteger(at: 34) == Self.checksum(of: data.prefix(34), query)
    else { throw ToDoError.invalidPageToken }
    position = ItemPosition(
      section: data[1],
      primary: Int64(bitPattern: data.bigEndianInteger(at: 2)),
      secondary: Int64(bitPattern: data.bigEndianInteger(at: 10)),
      tieBreak: ItemID(high: data.bigEndianInteger(at: 18), low: data.bigEndianInteger(at: 26)))
    // Base64 has spare bits at its end: only the one true spelling is accepted.
    guard encoded(for: query) == text else { throw ToDoError.invalidPageToken }
  }

  private static func checksum(of bytes: some Sequence<UInt8>, _ query: ItemQuery) -> UInt64 {
    var hash = FNV1a()
    for byte in bytes { hash.combine(byte: byte) }
    hash.combine(query.state.rawValue)
    hash.combine(query.order.rawValue)
    hash.combine(query.text)
    return hash.value
  }
}

extension [UInt8] {
  fileprivate mutating func append(_ number: UInt64) {
    for shift in stride(from: UInt64(56), through: 0, by: -8) { append(UInt8(truncatingIfNeeded: number >> shift)) }
  }
}

extension Data {
  fileprivate func bigEndianInteger(at offset: Int) -> UInt64 {
    self[offset..<offset + 8].reduce(0) { $0 << 8 | UInt64($1) }
  }
}
