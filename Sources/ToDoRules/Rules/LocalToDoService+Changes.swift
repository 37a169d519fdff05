public import ToDoModel

extension LocalToDoService {
  public func watch(from start: WatchStart, state: ItemState, filter: ItemFilter) -> WatchEvents {
    WatchEvents(measured: { [store, feed, owner] in
      let watch = LocalWatch(of: owner, from: start, state, filter, store, feed)
      return ({ try await watch.next() }, { watch.bufferedBytes })
    })
  }

  public func changes(_ query: ChangeQuery) async throws -> ChangePage {
    try query.validate()
    try check(query.after)
    let limit = min(query.pageSize ?? ChangeQuery.Limits.defaultPageSize, ChangeQuery.Limits.pageSize)
    let resumed = try query.pageToken.map { try ChangePageToken($0, for: query, of: store.incarnation) }
    let selection = ChangeSelection(after: query.after, limit: limit, sizeLimit: ChangeQuery.Limits.pageTextSize)
    let listing = try await store.changes(selection, of: owner)
    var page = ChangePage(changes: [], nextRevision: stamped(query.after), hasMore: false)
    var room = ChangeRoom()
    for (index, set) in listing.sets.enumerated() {
      var changes = set.concerning(query.state)?.changes ?? []
      if index == 0, let resumed { changes.removeAll { $0.id <= resumed.last } }
      let fitting = room.fit(changes)
      guard fitting.count == changes.count else {
        page.hasMore = true
        // A revision is split only at the start of a page, where nothing else can be returned.
        guard index == 0, let last = fitting.last else { return page }
        page.changes = Array(fitting)
        page.users = fitting.map { _ in set.user }
        page.nextPageToken = ChangePageToken(last: last.id).encoded(for: query, of: store.incarnation)
        return page
      }
      page.changes += changes
      page.users += changes.lazy.map { _ in set.user }
      page.nextRevision = stamped(set.revision)
    }
    page.hasMore = page.nextRevision < listing.revision
    return page
  }
}

/// The remaining capacity of a page.
private struct ChangeRoom {
  private var changes = ChangeQuery.Limits.changes
  private var textSize = ChangeQuery.Limits.pageTextSize

  /// Takes the longest prefix of some changes that fits. The first change of a page always fits.
  mutating func fit(_ candidates: [ItemChange]) -> ArraySlice<ItemChange> {
    let end = candidates.firstIndex { change in
      changes -= 1
      textSize -= change.textSize
      return changes < 0 || textSize < 0
    }
    return candidates[..<(end ?? candidates.endIndex)]
  }
}

extension ChangeQuery {
  fileprivate func validate() throws {
    var violations: [FieldViolation] = []
    if after < .initial { violations.append(FieldViolation("after_revision", "must not be negative")) }
    if let pageSize, pageSize < 1 {
      violations.append(FieldViolation("page_size", "is \(pageSize); it must be at least 1"))
    }
    guard violations.isEmpty else { throw ToDoError.invalidRequest(violations) }
  }
}
