/// A query for one page of changes.
public struct ChangeQuery: Equatable, Sendable {
  /// The last revision that the caller has received in full.
  public var after: Revision
  /// A filter: only changes of items that have this state before or after the change.
  public var state: ItemState
  /// The target number of changes, at least 1. `nil` means 100; more than 1,000 counts as 1,000. A page ends at the end
  /// of a revision, so it can be longer. It is shorter if the changes have much text.
  public var pageSize: Int?
  /// The `nextPageToken` of the previous page, to resume within a revision. `after` is then that page's `nextRevision`.
  public var pageToken: String?

  /// Creates a query.
  public init(after: Revision, state: ItemState = .all, pageSize: Int? = nil, pageToken: String? = nil) {
    self.after = after
    self.state = state
    self.pageSize = pageSize
    self.pageToken = pageToken
  }

  /// The limits of a change page.
  public enum Limits {
    /// The default of `pageSize`.
    public static let defaultPageSize = 100
    /// The maximum of `pageSize`.
    public static let pageSize = 1000
    /// The maximum size of a page's text, in bytes, so that the page fits into a message of 4 MiB.
    public static let pageTextSize = 2 << 20
    /// The maximum number of changes in a page, however long a revision is.
    public static let changes = 10_000
  }
}

/// One page of changes.
public struct ChangePage: Equatable, Sendable {
  /// The changes, in the order of their revisions.
  public var changes: [ItemChange]
  /// The user who made each of the changes; empty if no user is known.
  public var users: [String]
  /// The last revision that the caller has now received in full, including filtered-out changes.
  public var nextRevision: Revision
  /// Whether later changes exist.
  public var hasMore: Bool
  /// A token for the next page if this page ends within a revision, otherwise `nil`.
  public var nextPageToken: String?

  /// Creates a page.
  ///
  /// - Parameter users: the user of each change; `nil` if none is known.
  public init(
    changes: [ItemChange], users: [String]? = nil, nextRevision: Revision, hasMore: Bool, nextPageToken: String? = nil
  ) {
    self.changes = changes
    self.users = users ?? changes.map { _ in "" }
    self.nextRevision = nextRevision
    self.hasMore = hasMore
    self.nextPageToken = nextPageToken
  }
}
