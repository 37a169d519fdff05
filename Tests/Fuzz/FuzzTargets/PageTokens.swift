import ToDoModel

extension FuzzTarget {
  /// A page token, for each kind of listing.
  static let pageTokens = FuzzTarget(name: "page-tokens") { bytes in
    let text = String(decoding: bytes, as: UTF8.self)
    let listing = ItemQuery()
    if let token = try? PageToken(text, for: listing) {
      precondition(token.encoded(for: listing) == text, "a token has one spelling")
    }
    _ = try? ChangePageToken(text, for: ChangeQuery(after: Revision(7)))
    guard let center = Coordinate(latitude: 48, longitude: 11) else { return }
    _ = try? NearbyPageToken(text, for: NearbyQuery(center: center))
  }
}
