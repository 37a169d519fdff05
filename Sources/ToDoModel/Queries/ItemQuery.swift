/// Which items to list, in which order, and how many at a time.
public struct ItemQuery: Hashable, Sendable {
  public var state: ItemState
  /// Only items whose title, description, place name or address contains this text, whatever the case; at most
  /// 1,024 bytes of UTF-8. Empty: all.
  public var text: String
  public var order: ItemOrder
  /// How many items at most: 100 when `nil`, at least 1; more than 1,000 counts as 1,000. Fewer when there is much text.
  public var pageSize: Int?
  /// Where to go on: `ItemPage.nextPageToken` of the page before, with all else the same. `nil`: the first page.
  public var pageToken: String?

  public init(
    state: ItemState = .all, text: String = "", order: ItemOrder = .list, pageSize: Int? = nil, pageToken: String? = nil
  ) {
    self.state = state
    self.text = text
    self.order = order
    self.pageSize = pageSize
    self.pageToken = pageToken
  }

  public enum Limits {
    public static let defaultPageSize = 100
    public static let pageSize = 1000
    public static let text = 1024
    /// How many bytes of text a page holds at most, so that it fits into a message of 4 MiB; the rest is on the next.
    public static let pageTextSize = 2 << 20
  }
}

/// Which items a listing holds.
public enum ItemState: String, CaseIterable, Sendable {
  case all, toDo, done

  public func includes(_ item: ToDoItem) -> Bool {
    switch self {
    case .all: true
    case .toDo: !item.isDone
    case .done: item.isDone
    }
  }
}

/// The order of a listing. Every order is total: items that tie are ordered by their identity.
public enum ItemOrder: String, CaseIterable, Sendable {
  /// Undone items by due date (none last), then by creation; after them done items, the most recently completed first.
  case list
  /// The oldest first.
  case created
  /// The most recently changed first.
  case updated
}

/// One page of a listing.
public struct ItemPage: Equatable, Sendable {
  public var items: [ToDoItem]
  /// `nil` on the last page.
  public var nextPageToken: String?
  /// The list's revision when the page was read.
  public var revision: Revision

  public init(items: [ToDoItem], nextPageToken: String? = nil, revision: Revision) {
    self.items = items
    self.nextPageToken = nextPageToken
    self.revision = revision
  }
}

/// Which items a bulk deletion removes.
public enum BulkDeletion: String, CaseIterable, Sendable {
  case all, done
}
