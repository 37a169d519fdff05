/// A query for one page of a list's history, the latest revision first.
public struct HistoryQuery: Equatable, Sendable {
  /// Only revisions before this one; `nil` for all.
  public var before: Revision?
  /// A filter: only changes of this item; `nil` for all.
  public var item: ItemID?
  /// The target number of changes, at least 1. `nil` means 100; more than 1,000 counts as 1,000. A page contains all
  /// revisions that it begins, so it can be longer.
  public var pageSize: Int?

  /// Creates a query.
  public init(before: Revision? = nil, item: ItemID? = nil, pageSize: Int? = nil) {
    self.before = before
    self.item = item
    self.pageSize = pageSize
  }

  /// The limits of a history page.
  public enum Limits {
    /// The default of `pageSize`.
    public static let defaultPageSize = 100
    /// The maximum of `pageSize`.
    public static let pageSize = 1000
    /// The maximum number of changes in a revision's record.
    public static let changes = 100
  }
}

/// One page of a list's history.
public struct HistoryPage: Equatable, Sendable {
  /// The revisions, the latest first.
  public var revisions: [RevisionRecord]
  /// Whether earlier revisions are retained.
  public var hasMore: Bool

  /// Creates a page.
  public init(revisions: [RevisionRecord], hasMore: Bool) {
    self.revisions = revisions
    self.hasMore = hasMore
  }
}
