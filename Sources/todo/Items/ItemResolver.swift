import RPC
import ToDoModel

/// Finds items by prefixes of their IDs. Reads the list at most once, and not at all for complete IDs.
struct ItemResolver {
  private let service: any ToDoService
  private var listing: [ToDoItem]?

  init(_ service: any ToDoService) {
    self.service = service
  }

  /// Returns the item whose ID begins with a prefix.
  ///
  /// - Throws: `Failure` with the status `usage` if the text is not a prefix or matches several items, or `notFound` if it
  ///   matches none; any error of the service.
  mutating func item(_ text: String) async throws -> ToDoItem {
    guard let prefix = IDPrefix(text) else { throw Failure.malformedID(text) }
    if let id = prefix.wholeID { return try await service.item(id) }
    let matches = try await items().filter { prefix.matches($0.id) }
    guard let item = matches.first else { throw Failure.unknownID(text) }
    guard matches.count == 1 else { throw Failure.ambiguousID(text, matches, try await prefixes()) }
    return item
  }

  /// Returns the shortest unique prefixes of the items, reading the list if necessary.
  mutating func prefixes() async throws -> ShortestPrefixes {
    ShortestPrefixes(of: try await items().map(\.id))
  }

  /// The prefixes if the list has been read; otherwise, prefixes that are probably unique.
  var cachedPrefixes: ShortestPrefixes { ShortestPrefixes(of: listing?.map(\.id) ?? []) }

  private mutating func items() async throws -> [ToDoItem] {
    if let listing { return listing }
    let items = try await service.allItems().items
    listing = items
    return items
  }
}

extension Failure {
  /// The text is not a prefix of an ID.
  static func malformedID(_ text: String) -> Failure {
    .usage(
      "'\(text.escapingControls())' is not an item ID; 'todo list' prints the IDs",
      reason: "INVALID_ID")
  }

  /// No ID begins with the prefix.
  static func unknownID(_ text: String) -> Failure {
    Failure(
      code: .notFound, reason: "ITEM_NOT_FOUND",
      message: "no item has an ID that begins with '\(text)'; 'todo list' prints the IDs")
  }

  /// Several IDs begin with the prefix.
  static func ambiguousID(_ text: String, _ matches: [ToDoItem], _ prefixes: ShortestPrefixes) -> Failure {
    let width = matches.map { prefixes[$0.id].count }.max() ?? 0
    let shown = matches.prefix(candidateLimit).map {
      "\(prefixes[$0.id].padded(toWidth: width))  \($0.title.escapingControls())"
    }
    let more = matches.count > shown.count ? ["and \(matches.count - shown.count) more"] : []
    return .usage(
      "'\(text)' matches \(matches.count) items; use a longer prefix", reason: "AMBIGUOUS_ID",
      details: shown + more)
  }

  private static let candidateLimit = 10
}
