package import ToDoModel

/// The place in a listing where the next page begins.
package struct PageToken: Equatable {
  let position: ItemPosition

  /// Bytes: version, section, primary, secondary, identity (two halves).
  private static let length = 1 + 1 + 8 + 8 + 16
  private static let version: UInt8 = 1

  package init(position: ItemPosition) {
    self.position = position
  }

  package func encoded(for query: ItemQuery, of incarnation: ListIncarnation) -> String {
    var bytes: [UInt8] = [Self.version, position.section]
    bytes.append(UInt64(bitPattern: position.primary))
    bytes.append(UInt64(bitPattern: position.secondary))
    bytes.append(position.tieBreak.high)
    bytes.append(position.tieBreak.low)
    return PageTokenText.encode(bytes, of: incarnation) { $0.combine(query) }
  }

  /// - Throws: `ToDoError.invalidPageToken` for anything that `encoded(for:of:)` did not make for the same query.
  ///   `ToDoError.listReplaced` for another incarnation of the list.
  package init(_ text: String, for query: ItemQuery, of incarnation: ListIncarnation) throws {
    let bytes = try PageTokenText.decode(text, length: Self.length, of: incarnation) { $0.combine(query) }
    guard bytes[0] == Self.version else { throw ToDoError.invalidPageToken }
    position = ItemPosition(
      section: bytes[1],
      primary: Int64(bitPattern: bytes.integer(at: 2)),
      secondary: Int64(bitPattern: bytes.integer(at: 10)),
      tieBreak: ItemID(high: bytes.integer(at: 18), low: bytes.integer(at: 26)))
  }
}

extension FNV1a {
  fileprivate mutating func combine(_ query: ItemQuery) {
    combine(query.state.rawValue)
    combine(query.order.rawValue)
    combine(query.text)
  }
}
