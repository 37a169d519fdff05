public import ToDoModel

/// The first items of a listing.
public struct ItemListing: Equatable, Sendable {
  /// The items, in order.
  public var items: [ToDoItem]
  /// Whether the selection matches more items than its limits allow.
  public var hasMore: Bool
  /// The owner's revision when the items were read.
  public var revision: Revision

  /// Creates a listing.
  public init(items: [ToDoItem], hasMore: Bool, revision: Revision) {
    self.items = items
    self.hasMore = hasMore
    self.revision = revision
  }
}

/// A selection of items.
public struct ItemSelection: Equatable, Sendable {
  /// A filter: only items in this state.
  public var state: ItemState
  /// A filter: only items that contain a text.
  public var text: TextFilter
  /// A filter: only the items with these numbers; empty for all items.
  public var numbers: Set<ItemNumber>
  /// A filter by due date; `nil` for all items.
  public var due: DueFilter?
  /// A filter: only items whose place contains a text.
  public var place: TextFilter
  /// A filter by tags.
  public var tags: TagFilter
  /// A filter: only items with one of these priorities, where `nil` stands for none; empty for all items.
  public var priorities: Set<Priority?>
  /// A filter by whether items wait.
  public var wait: WaitFilter?
  /// A filter by texts and alternatives; `nil` for all items.
  public var combination: FilterCombination?
  /// Whether deleted items are selected, that have not expired.
  public var deleted: DeletedItems
  /// The current time, which decides whether deleted items have expired.
  public var now: Timestamp
  /// The order of the items.
  public var order: ItemOrder
  /// A lower bound: only items after this position; `nil` for no bound.
  public var after: ItemPosition?
  /// The maximum number of items, at least 1.
  public var limit: Int
  /// The maximum number of done items, at least 1: the listing ends before a done item that would exceed it.
  public var doneLimit: Int
  /// The size of text in bytes, at least 1, at which the listing ends.
  public var sizeLimit: Int

  /// Creates a selection.
  public init(
    state: ItemState = .all, text: TextFilter = TextFilter(""), numbers: Set<ItemNumber> = [],
    due: DueFilter? = nil, place: TextFilter = TextFilter(""), tags: TagFilter = TagFilter(),
    priorities: Set<Priority?> = [], wait: WaitFilter? = nil, combination: FilterCombination? = nil,
    deleted: DeletedItems = .excluded, now: Timestamp = Timestamp(microseconds: 0),
    order: ItemOrder = .list, after: ItemPosition? = nil, limit: Int,
    doneLimit: Int = .max, sizeLimit: Int = .max
  ) {
    self.state = state
    self.text = text
    self.numbers = numbers
    self.due = due
    self.place = place
    self.tags = tags
    self.priorities = priorities
    self.wait = wait
    self.combination = combination
    self.deleted = deleted
    self.now = now
    self.order = order
    self.after = after
    self.limit = limit
    self.doneLimit = doneLimit
    self.sizeLimit = sizeLimit
  }
}

/// The size of a listing while it is read, compared with its selection's limits.
package struct ListingFill {
  private var count = 0
  /// The number of done items.
  package private(set) var doneCount = 0
  private var size = 0

  /// Creates the fill of an empty listing.
  package init() {}

  /// Whether the listing ends before an item.
  package func ends(before item: ToDoItem, _ selection: ItemSelection) -> Bool {
    count >= selection.limit || size >= selection.sizeLimit || (item.isDone && doneCount >= selection.doneLimit)
  }

  /// Adds an item.
  package mutating func add(_ item: ToDoItem) {
    count += 1
    if item.isDone { doneCount += 1 }
    size += item.content.textSize
  }
}

/// A selection of changes.
public struct ChangeSelection: Equatable, Sendable {
  /// The revision after which the changes start.
  public var after: Revision
  /// The number of changes, at least 1, at which no further revision is added.
  public var limit: Int
  /// The size of text in bytes, at least 1, at which no further revision is added.
  public var sizeLimit: Int

  /// Creates a selection.
  public init(after: Revision, limit: Int, sizeLimit: Int = .max) {
    self.after = after
    self.limit = limit
    self.sizeLimit = sizeLimit
  }

  /// Whether a further revision may be added to a listing with this number of changes and bytes of text.
  public func allowsRevision(afterChanges count: Int, size: Int) -> Bool { count < limit && size < sizeLimit }
}

/// Consecutive changes of a list.
public struct ChangeListing: Equatable, Sendable {
  /// The changes, without gaps after the requested revision. Empty only if that is the current revision.
  public var sets: [ChangeSet]
  /// The owner's revision when the changes were read.
  public var revision: Revision

  /// Creates a listing.
  public init(sets: [ChangeSet], revision: Revision) {
    self.sets = sets
    self.revision = revision
  }
}
