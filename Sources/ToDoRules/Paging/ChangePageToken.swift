package import ToDoModel

/// A position within one revision's changes, where the next page starts.
package struct ChangePageToken: Equatable {
  /// The ID of the last item whose change the caller has received.
  let last: ItemID

  /// Bytes: version, ID (two halves).
  private static let length = 1 + 16
  private static let version: UInt8 = 2

  /// Creates a token for the page after an item.
  package init(last: ItemID) {
    self.last = last
  }

  /// Returns the token's text, bound to a query and an incarnation.
  package func encoded(for query: ChangeQuery, of incarnation: ListIncarnation) -> String {
    var bytes: [UInt8] = [Self.version]
    bytes.append(last.high)
    bytes.append(last.low)
    return PageTokenText.encode(bytes, of: incarnation) { $0.combine(query) }
  }

  /// Decodes a token's text.
  ///
  /// - Throws: `ToDoError.invalidPageToken` if `encoded(for:of:)` did not create the text for the same query;
  ///   `ToDoError.listReplaced` if the token names another incarnation of the list.
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
