package import ToDoModel
package import ToDoRPC

/// A limit for the memory of responses that a client collects: the pages of a listing, a snapshot, the changes of one
/// revision.
///
/// The server determines their number, so without a limit a malicious server could exhaust the client's memory.
package struct ReceiveBudget: Sendable {
  /// The default limit in bytes: about two million items without a description.
  package static let defaultLimit = 512 << 20

  private let field: String
  private let limit: Int
  private var size = 0

  /// Creates an unused budget.
  ///
  /// - Parameters:
  ///   - field: The path of the repeated field, for the error.
  ///   - limit: The limit in bytes. Each item counts as `ReceiveBudget.size(of:)`.
  package init(of field: String, limit: Int = ReceiveBudget.defaultLimit) {
    self.field = field
    self.limit = limit
  }

  /// Adds a page, which may be empty.
  ///
  /// - Throws: `RPCError.malformedResponse` if the limit is exceeded.
  package mutating func addPage(of items: some Sequence<ToDoItem>) throws(RPCError) {
    try add(Self.pageSize + items.reduce(0) { $0 + Self.size(of: $1) })
  }

  /// Adds changes.
  ///
  /// - Throws: `RPCError.malformedResponse` if the limit is exceeded.
  package mutating func add(_ changes: [ItemChange]) throws(RPCError) {
    try add(
      changes.reduce(Self.pageSize) { sum, change in
        if case .put(let item, _) = change { sum + Self.size(of: item) } else { sum + Self.itemSize }
      })
  }

  private mutating func add(_ count: Int) throws(RPCError) {
    size += count
    guard size <= limit else { throw .receiveLimitExceeded(field, limit: limit) }
  }

  /// Returns the size that an item counts as: the size of its text, and a constant for everything else.
  package static func size(of item: ToDoItem) -> Int { itemSize + item.content.textSize }

  private static let itemSize = 256
  /// The size that each page counts as in addition, so that the number of empty pages is limited, too.
  private static let pageSize = 16 << 10
}

extension RPCError {
  /// The server has sent more than the client accepts.
  package static func receiveLimitExceeded(_ field: String, limit: Int) -> RPCError {
    malformedResponse(field, "exceed the client's limit of \(limit >> 20) MiB")
  }
}

/// Limits the pages of one listing, and detects a listing that has no end.
package struct PageSequence {
  private var budget: ReceiveBudget
  private var tokens: Set<String> = []

  /// Creates a sequence without pages.
  ///
  /// - Parameter limit: As in `ReceiveBudget`.
  package init(limit: Int = ReceiveBudget.defaultLimit) {
    budget = ReceiveBudget(of: "items", limit: limit)
  }

  /// Adds a page.
  ///
  /// - Throws: `RPCError.malformedResponse` if the pages exceed the limit, or a page token repeats.
  package mutating func add(_ items: some Sequence<ToDoItem>, nextPageToken: String?) throws(RPCError) {
    try budget.addPage(of: items)
    guard let nextPageToken else { return }
    guard tokens.insert(nextPageToken).inserted else {
      throw .malformedResponse("next_page_token", "must not be that of an earlier page")
    }
  }
}
