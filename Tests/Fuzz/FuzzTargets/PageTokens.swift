import ToDoModel
import ToDoRules

extension FuzzTarget {
  /// The page token parsers of all listings.
  static let pageTokens = FuzzTarget(name: "page-tokens") { bytes in
    let text = String(decoding: bytes, as: UTF8.self)
    let listing = ItemQuery()
    // The incarnation of the tokens in the corpus.
    guard let list = ListIncarnation(1) else { return }
    if let token = try? PageToken(text, for: listing, of: list) {
      precondition(token.encoded(for: listing, of: list) == text, "a token has exactly one encoding")
    }
    _ = try? ChangePageToken(text, for: ChangeQuery(after: Revision(7)), of: list)
    guard let center = Coordinate(latitude: 48, longitude: 11) else { return }
    _ = try? NearbyPageToken(text, for: NearbyQuery(center: center), of: list)
  }
}
