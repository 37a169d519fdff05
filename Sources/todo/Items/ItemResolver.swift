import TTRPC
import ToDoModel

/// Finds the items that prefixes of ids name. The list is read at most once, and not at all for whole ids.
struct ItemResolver {
  private let service: any ToDoService
  private var listing: [ToDoItem]?

  init(_ service: any ToDoService) {
    self.service = service
  }

  /// - Throws: `Failure` with the status `usage` when the text is no id or fits several items, `notFound` when it fits
  ///   none; and what the service throws.
  mutating func item(_ text: String) async throws -> ToDoItem {
    guard let prefix = IDPrefix(text) else { throw Failure.malformedID(text) }
    if let id = prefix.wholeID { return try await service.item(id) }
    let matches = try await items().filter { prefix.matches($0.id) }
    guard let item = matches.first else { throw Failure.unknownID(text) }
    guard matches.count == 1 else { throw Failure.ambiguousID(text, matches, try await prefixes()) }
    return item
  }

  /// The prefixes that name the items.
  mutating func prefixes() async throws -> ShortestPrefixes {
    ShortestPrefixes(of: try await items().map(\.id))
  }

  /// The prefixes as far as they are known without asking the service.
  var knownPrefixes: ShortestPrefixes { ShortestPrefixes(of: listing?.map(\.id) ?? []) }

  private mutating func items() async throws -> [ToDoItem] {
    if let listing { return listing }
    let items = try await service.allItems().items
    listing = items
    return items
  }
}

extension Failure {
  static func malformedID(_ text: String) -> Failure {
    .usage(
      "'\(text.escapingControls())' is not an id: write the beginning of an id as `todo list` shows it",
      reason: "INVALID_ID")
  }

  static func unknownID(_ text: String) -> Failure {
    Failure(code: .notFound, reason: "ITEM_NOT_FOUND", message: "there is no item whose id begins with '\(text)'")
  }

  static func ambiguousID(_ text: String, _ matches: [ToDoItem], _ prefixes: ShortestPrefixes) -> Failure {
    let width = matches.map { prefixes[$0.id].count }.max() ?? 0
    let shown = matches.prefix(candidateLimit).map {
      "\(prefixes[$0.id].padded(toWidth: width))  \($0.title.escapingControls())"
    }
    let more = matches.count > shown.count ? ["and \(matches.count - shown.count) more"] : []
    return .usage(
      "'\(text)' is the beginning of \(matches.count) ids; write more of it", reason: "AMBIGUOUS_ID",
      details: shown + more)
  }

  private static let candidateLimit = 10
}
