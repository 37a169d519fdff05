package import ToDoModel

/// The place among the items near a point where the next page begins.
package struct NearbyPageToken: Equatable {
  let position: NearbyPosition

  /// Bytes: version, distance, identity (two halves).
  private static let length = 1 + 8 + 16
  private static let version: UInt8 = 3

  package init(position: NearbyPosition) {
    self.position = position
  }

  package func encoded(for query: NearbyQuery, of incarnation: ListIncarnation) -> String {
    var bytes: [UInt8] = [Self.version]
    bytes.append(position.distance.bitPattern)
    bytes.append(position.id.high)
    bytes.append(position.id.low)
    return PageTokenText.encode(bytes, of: incarnation) { $0.combine(query) }
  }

  /// - Throws: `ToDoError.invalidPageToken` for anything that `encoded(for:of:)` did not make for the same query.
  ///   `ToDoError.listReplaced` for another incarnation of the list.
  package init(_ text: String, for query: NearbyQuery, of incarnation: ListIncarnation) throws {
    let bytes = try PageTokenText.decode(text, length: Self.length, of: incarnation) { $0.combine(query) }
    let distance = Double(bitPattern: bytes.integer(at: 1))
    // Whoever knows the checksum can forge any.
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
