/// A query for one page of items.
public struct ItemQuery: Hashable, Sendable {
  /// A filter: only items in this state.
  public var state: ItemState
  /// A filter: only items that contain each word of this text, in any order, in their title, description, place name or address,
  /// ignoring case and accents. White space separates the words, which may be parts of longer words. At most 1,024 bytes of UTF-8;
  /// a text without words matches every item.
  public var text: String
  /// A filter: only the items with these numbers, at most 500. Empty for all items.
  public var numbers: [ItemNumber]
  /// A filter by due date, place, tags, priority and waiting.
  public var filter: ItemFilter
  /// Whether the listing contains deleted items that can be restored. They follow the other items, the most recently
  /// deleted first, and `state` filters them by the state in which they were deleted.
  public var deleted: DeletedItems
  /// The order of the items.
  public var order: ItemOrder
  /// The maximum number of items, at least 1. `nil` means 100; more than 1,000 counts as 1,000. A page has fewer items
  /// if they have much text.
  public var pageSize: Int?
  /// The maximum number of done items on a page, at least 1: the page ends before a done item that would exceed it. `nil`
  /// means no limit. An earlier server ignores it.
  public var doneLimit: Int?
  /// The previous page's `nextPageToken`, or `nil` for the first page. Only the limits of the query may change.
  public var pageToken: String?

  /// Creates a query.
  public init(
    state: ItemState = .all, text: String = "", numbers: [ItemNumber] = [], filter: ItemFilter = ItemFilter(),
    deleted: DeletedItems = .excluded, order: ItemOrder = .list, pageSize: Int? = nil, doneLimit: Int? = nil,
    pageToken: String? = nil
  ) {
    self.state = state
    self.text = text
    self.numbers = numbers
    self.filter = filter
    self.deleted = deleted
    self.order = order
    self.pageSize = pageSize
    self.doneLimit = doneLimit
    self.pageToken = pageToken
  }

  /// The limits of an item page.
  public enum Limits {
    /// The default of `pageSize`.
    public static let defaultPageSize = 100
    /// The maximum of `pageSize`.
    public static let pageSize = 1000
    /// The maximum size of `ItemQuery.text`, in bytes of UTF-8.
    public static let text = 1024
    /// The maximum of `ItemQuery.numbers`.
    public static let numbers = 500
    /// The maximum size of a page's text, in bytes, so that the page fits into a message of 4 MiB. Further items are on
    /// the next page.
    public static let pageTextSize = 2 << 20
  }
}

/// A filter for the state of items. The enum is complete: an item is done or not, and other properties have filters of their own.
public enum ItemState: String, CaseIterable, Sendable {
  case all, toDo, done

  /// Whether an item passes the filter.
  public func includes(_ item: ToDoItem) -> Bool {
    switch self {
    case .all: true
    case .toDo: !item.isDone
    case .done: item.isDone
    }
  }
}

/// Whether a listing contains deleted items.
@nonexhaustive
public enum DeletedItems: String, CaseIterable, Sendable {
  /// Only items that are not deleted.
  case excluded
  /// All items.
  case included
  /// Only deleted items, in any state.
  case only
}

/// The order of a listing. Every order is total: ties are ordered by item ID.
@nonexhaustive
public enum ItemOrder: String, CaseIterable, Sendable {
  /// Incomplete items by due date (items without one last), then by creation; then done items, the most recently
  /// completed first.
  case list
  /// By creation, the oldest item first.
  case created
  /// By last change, the most recently changed item first.
  case updated
}

/// One page of a listing.
public struct ItemPage: Equatable, Sendable {
  /// The items.
  public var items: [ToDoItem]
  /// A token for the next page, or `nil` on the last page.
  public var nextPageToken: String?
  /// The list's revision when the page was read.
  public var revision: Revision

  /// Creates a page.
  public init(items: [ToDoItem], nextPageToken: String? = nil, revision: Revision) {
    self.items = items
    self.nextPageToken = nextPageToken
    self.revision = revision
  }
}

/// The items that a bulk deletion removes.
@nonexhaustive
public enum BulkDeletion: String, CaseIterable, Sendable {
  /// All items, or all done items. They can be restored.
  case all, done
  /// All deleted items, for good. This is not a change of the list.
  case deleted
}
