/// Which changes to list, and how many at a time.
public struct ChangeQuery: Equatable, Sendable {
  /// The last revision that the caller has in full.
  public var after: Revision
  /// Only changes of items that have this state before or after the change.
  public var state: ItemState
  /// How many changes to aim at: 100 when `nil`, at least 1; more than 1,000 counts as 1,000. A page ends where a
  /// revision ends, so it can be longer; it is shorter when there is much text.
  public var pageSize: Int?
  /// Goes on inside of a revision: `ChangePage.nextPageToken` of the page before, with `after` its `nextRevision`.
  public var pageToken: String?

  public init(after: Revision, state: ItemState = .all, pageSize: Int? = nil, pageToken: String? = nil) {
    self.after = after
    self.state = state
    self.pageSize = pageSize
    self.pageToken = pageToken
  }

  public enum Limits {
    public static let defaultPageSize = 100
    public static let pageSize = 1000
    /// How many bytes of text a page holds at most, so that it fits into a message of 4 MiB.
    public static let pageTextSize = 2 << 20
    /// How many changes a page holds at most, however long a revision is.
    public static let changes = 10_000
  }
}

/// One page of the feed of changes.
public struct ChangePage: Equatable, Sendable {
  /// In order of revision.
  public var changes: [ItemChange]
  /// The last revision that the caller now has in full, filtered-out changes included.
  public var nextRevision: Revision
  /// Whether there is more already.
  public var hasMore: Bool
  /// Set when the page ends inside of a revision: it goes on in the next page.
  public var nextPageToken: String?

  public init(changes: [ItemChange], nextRevision: Revision, hasMore: Bool, nextPageToken: String? = nil) {
    self.changes = changes
    self.nextRevision = nextRevision
    self.hasMore = hasMore
    self.nextPageToken = nextPageToken
  }
}
