package import TTRPC
package import ToDoModel

/// The memory that a client spends on responses that it has to hold together: the pages of a listing, a snapshot, the
/// changes of one revision.
///
/// A server decides how many of these there are, so that without a budget one server could take all memory.
package struct ReceiveBudget: Sendable {
  /// The default limit in bytes: about two million items without a description.
  package static let defaultLimit = 512 << 20

  private let field: String
  private let limit: Int
  private var size = 0

  /// - Parameters:
  ///   - field: the path of the repeated field, for the error.
  ///   - limit: in bytes, where an item counts as `ReceiveBudget.size(of:)`.
  package init(of field: String, limit: Int = ReceiveBudget.defaultLimit) {
    self.field = field
    self.limit = limit
  }

  /// Adds a page, with or without items.
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
    guard size <= limit else { throw .tooMuch(field, limit: limit) }
  }

  /// Returns the size that an item counts as: its text, and what else it takes.
  package static func size(of item: ToDoItem) -> Int { itemSize + item.content.textSize }

  private static let itemSize = 256
  /// The size that a page counts as by itself, so that pages without items come to an end, too.
  private static let pageSize = 16 << 10
}

extension RPCError {
  /// The server has sent more than a client holds.
  package static func tooMuch(_ field: String, limit: Int) -> RPCError {
    malformedResponse(field, "take more than \(limit >> 20) MiB in all, which is more than this client holds")
  }
}

/// The pages of one listing: bounds them, and notices a listing that has no end.
package struct PageSequence {
  private var budget: ReceiveBudget
  private var tokens: Set<String> = []

  /// - Parameter limit: as in `ReceiveBudget`.
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
