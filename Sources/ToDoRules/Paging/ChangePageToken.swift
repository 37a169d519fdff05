package import ToDoModel

/// The place inside of one revision's changes where the next page begins.
package struct ChangePageToken: Equatable {
  /// The identity of the last item whose change the caller has.
  let last: ItemID

  /// Bytes: version, identity (two halves).
  private static let length = 1 + 16
  private static let version: UInt8 = 2

  package init(last: ItemID) {
    self.last = last
  }

  package func encoded(for query: ChangeQuery, of incarnation: ListIncarnation) -> String {
    var bytes: [UInt8] = [Self.version]
    bytes.append(last.high)
    bytes.append(last.low)
    return PageTokenText.encode(bytes, of: incarnation) { $0.combine(query) }
  }

  /// - Throws: `ToDoError.invalidPageToken` for anything that `encoded(for:of:)` did not make for the same query.
  ///   `ToDoError.listReplaced` for another incarnation of the list.
  package init(_ text: String, for query: ChangeQuery, of incarnation: ListIncarnation) throws {
    let bytes = try PageTokenText.decode(text, length: Self.length, of: incarnation) { $0.combine(query) }
    guard bytes[0] == Self.version else { throw ToDoError.invalidPageToken }
    last = ItemID(high: bytes.integer(at: 1), low: bytes.integer(at: 9))
  }
}

extension FNV1a {
  fileprivate mutating func combine(_ query: ChangeQuery) {
    combine(query.state.rawValue)
    combine(query.after.number)
  }
}
