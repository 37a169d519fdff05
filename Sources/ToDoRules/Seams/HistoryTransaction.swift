public import ToDoModel

/// The part of a transaction that records and reads the list's history.
///
/// The store retains the state before each change for as long as the change.
public protocol HistoryTransaction {
  /// Sets the origin of this transaction's changes, which is unknown by default.
  func attribute(to origin: ChangeOrigin)

  /// Returns changes of one earlier revision, in the order of the item IDs, with the states before them.
  ///
  /// - Parameters:
  ///   - last: only changes of items after this ID; `nil` for all.
  ///   - limit: the maximum number of changes, at least 1.
  ///   - sizeLimit: the size in bytes, of the changes and the states before them, at which no further change is added; at
  ///     least 1. A store may count its own encoding instead of the text.
  /// - Returns: the changes, and whether there may be more.
  /// - Throws: `ToDoError.revisionCompacted`, `ToDoError.revisionInFuture`.
  func changes(of revision: Revision, after last: ItemID?, limit: Int, sizeLimit: Int) throws -> (
    changes: [RevertibleChange], hasMore: Bool
  )
}

/// A change, and the state of the item before it.
public struct RevertibleChange: Equatable, Sendable {
  /// The change.
  public var change: ItemChange
  /// The item before the change. `nil` if the change added or restored the item, if it deleted the item, or if the state
  /// is no longer retained.
  public var former: ToDoItem?
  /// The other list, if the change moved the item between two lists.
  public var moved: ListMove?

  /// The text size of the change and the state before it, in bytes.
  public var textSize: Int { change.textSize + (former?.content.textSize ?? 0) }

  /// Creates a change.
  public init(_ change: ItemChange, former: ToDoItem?, moved: ListMove? = nil) {
    self.change = change
    self.former = former
    self.moved = moved
  }
}

/// A selection of recorded revisions.
public struct HistorySelection: Equatable, Sendable {
  /// Only revisions before this one; `nil` for all.
  public var before: Revision?
  /// A filter: only changes of this item; `nil` for all.
  public var item: ItemID?
  /// The number of changes, at least 1, at which no further revision is added.
  public var limit: Int

  /// Creates a selection.
  public init(before: Revision? = nil, item: ItemID? = nil, limit: Int) {
    self.before = before
    self.item = item
    self.limit = limit
  }
}

/// Recorded revisions of a list.
public struct HistoryListing: Equatable, Sendable {
  /// The revisions, the latest first. `isOwn` is false.
  public var revisions: [RevisionRecord]
  /// Whether earlier revisions are retained.
  public var hasMore: Bool

  /// Creates a listing.
  public init(revisions: [RevisionRecord], hasMore: Bool) {
    self.revisions = revisions
    self.hasMore = hasMore
  }
}
