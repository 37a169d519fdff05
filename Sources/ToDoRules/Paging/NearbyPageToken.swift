package import ToDoModel

/// A position among the items near a point, where the next page starts.
package struct NearbyPageToken: Equatable {
  let position: NearbyPosition

  /// Bytes: version, distance, ID (two halves).
  private static let length = 1 + 8 + 16
  private static let version: UInt8 = 3

  /// Creates a token for the page after a position.
  package init(position: NearbyPosition) {
    self.position = position
  }

  /// Returns the token's text, bound to a query and an incarnation.
  package func encoded(for query: NearbyQuery, of incarnation: ListIncarnation) -> String {
    var bytes: [UInt8] = [Self.version]
    bytes.append(position.distance.bitPattern)
    bytes.append(position.id.high)
    bytes.append(position.id.low)
    return PageTokenText.encode(bytes, of: incarnation) { $0.combine(query) }
  }

  /// Decodes a token's text.
  ///
  /// - Throws: `ToDoError.invalidPageToken` if `encoded(for:of:)` did not create the text for the same query;
  ///   `ToDoError.listReplaced` if the token names another incarnation of the list.
  package init(_ text: String, for query: NearbyQuery, of incarnation: ListIncarnation) throws {
    let bytes = try PageTokenText.decode(text, length: Self.length, of: incarnation) { $0.combine(query) }
    let distance = Double(bitPattern: bytes.integer(at: 1))
    // The checksum is not a secret, so a client can forge any payload.
    guard bytes[0] == Self.version, distance >= 0, distance.isFinite else { throw ToDoError.invalidPageToken }
    position = NearbyPosition(
      distance: distance,
      id: ItemID(high: bytes.integer(at: 9), low: bytes.integer(at: 17)))
  }
}

extension FNV1a {
  fileprivate mutating func combine(_ query: NearbyQuery) {
    for number in [query.center.latitude, query.center.longitude, query.radius ?? -1] {
      combine(Int64(bitPattern: number.bitPattern))
    }
  }
}
