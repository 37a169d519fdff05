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
  /// - Throws: `RPCError` if the listing has no end or exceeds the limits of the client; any error of the service.
  func allItems(_ query: ItemQuery = ItemQuery()) async throws -> Listing {
    var query = query
    query.pageSize = ItemQuery.Limits.pageSize
    var page = try await items(query)
    var pages = PageSequence()
    try pages.add(page.items, nextPageToken: page.nextPageToken)
    var listing = Listing(items: page.items, revision: page.revision)
    var seen = Set(page.nextPageToken == nil ? [] : page.items.map(\.id))
    while let token = page.nextPageToken {
      query.pageToken = token
      page = try await items(query)
      try pages.add(page.items, nextPageToken: page.nextPageToken)
      listing.items += page.items.filter { seen.insert($0.id).inserted }
    }
    return listing
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
