import ToDoClient
import ToDoModel
import ToDoText

/// All items that match a query.
struct Listing: Equatable, Sendable {
  var items: [ToDoItem]
  /// The list's revision when the first page was read. The listing may or may not contain later changes.
  var revision: Revision
}

extension ToDoService {
  /// Reads all pages. An item that changes its position while the pages are read is listed at most once.
  ///
  /// - Throws: `RPCError` if the listing has no end or exceeds the client's limits; any error of the service.
  func allItems(_ query: ItemQuery = ItemQuery()) async throws -> Listing {
    var query = query
    query.pageSize = ItemQuery.Limits.pageSize
    return try await listing(query).listing
  }

  /// Reads all incomplete items and the newest done ones, in one request if they fit on a page.
  ///
  /// - Returns: the listing, and whether there are more done items.
  /// - Throws: as `allItems`.
  func items(_ query: ItemQuery, doneLimit: Int) async throws -> (listing: Listing, hasMore: Bool) {
    var query = query
    (query.pageSize, query.doneLimit) = (ItemQuery.Limits.pageSize, doneLimit)
    return try await listing(query)
  }

  /// Reads pages until they have as many done items as the query permits.
  private func listing(_ query: ItemQuery) async throws -> (listing: Listing, hasMore: Bool) {
    var query = query
    var page = try await items(query)
    var pages = PageSequence()
    try pages.add(page.items, nextPageToken: page.nextPageToken)
    var listing = Listing(items: page.items, revision: page.revision)
    var seen = Set(page.nextPageToken == nil ? [] : page.items.map(\.id))
    while let token = page.nextPageToken {
      if let limit = query.doneLimit, page.doneCount >= limit { break }
      query.pageToken = token
      page = try await items(query)
      try pages.add(page.items, nextPageToken: page.nextPageToken)
      listing.items += page.items.filter { seen.insert($0.id).inserted }
    }
    let surplus = query.doneLimit.map { listing.removeDoneItems(beyond: $0) } ?? false
    return (listing, surplus || page.nextPageToken != nil)
  }
}

extension ItemPage {
  fileprivate var doneCount: Int { items.count { $0.isDone } }
}

extension Listing {
  /// Removes the last done items, which an earlier server returns whatever the limit.
  ///
  /// - Returns: whether there were any.
  fileprivate mutating func removeDoneItems(beyond limit: Int) -> Bool {
    let size = items.count
    var doneCount = 0
    items.removeAll { item in
      if item.isDone { doneCount += 1 }
      return item.isDone && doneCount > limit
    }
    return items.count < size
  }
}

extension Listing {
  /// Reverses the order of the incomplete items, and of done ones, which follow them.
  mutating func reverse() {
    items = items.filter { !$0.isDone }.reversed() + items.filter(\.isDone).reversed()
  }
}

extension JSONValue {
  /// Creates the JSON form of a listing.
  init(_ listing: Listing) {
    self = .object([
      Member("revision", .integer(listing.revision.number)),
      Member("items", .array(listing.items.map { JSONValue($0) })),
    ])
  }
}
