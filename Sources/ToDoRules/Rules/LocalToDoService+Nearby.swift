public import ToDoModel

extension LocalToDoService {
  public func nearbyItems(_ query: NearbyQuery) async throws -> NearbyPage {
    let listing = try await store.nearbyItems(try NearbySelection(query, of: store.incarnation), of: owner)
    let items = listing.items.prefix(ofTextSize: ItemQuery.Limits.pageTextSize, \.item.content.textSize)
    let last = listing.hasMore || items.count < listing.items.count ? items.last : nil
    let next = last.map { NearbyPageToken(position: $0.position).encoded(for: query, of: store.incarnation) }
    return NearbyPage(items: Array(items), nextPageToken: next)
  }
}

extension NearbySelection {
  /// Validates a query and creates its selection.
  ///
  /// - Throws: `ToDoError.invalidRequest`, `ToDoError.invalidPageToken`, `ToDoError.listReplaced`.
  fileprivate init(_ query: NearbyQuery, of incarnation: ListIncarnation) throws {
    var violations: [FieldViolation] = []
    if let size = query.pageSize, size < 1 {
      violations.append(FieldViolation("page_size", "is \(size); it must be at least 1"))
    }
    if let radius = query.radius, !(radius > 0 && radius.isFinite) {
      violations.append(FieldViolation("radius_meters", "is \(radius); it must be a number greater than 0"))
    }
    guard violations.isEmpty else { throw ToDoError.invalidRequest(violations) }
    self.init(
      center: query.center,
      radius: min(query.radius ?? Coordinate.maximumDistance, Coordinate.maximumDistance),
      after: try query.pageToken.map { try NearbyPageToken($0, for: query, of: incarnation).position },
      limit: min(query.pageSize ?? ItemQuery.Limits.defaultPageSize, ItemQuery.Limits.pageSize))
  }
}
