/// Where items are kept: durable or not, but always with serializable writes.
///
/// **Owners.** Every call names the owner; an item of another owner does not exist for it.
///
/// **Writes.** `write` runs its body inside one transaction: nobody sees a part of it, no other write to the
/// owner's items runs between its reads and its writes, and a body that throws leaves nothing behind. When `write`
/// returns, the changes are as durable as the store is: a store on disk has synced them. Several writes may share one
/// commit. A body may run on any thread, never runs concurrently with another, and must not wait.
///
/// **Reads** see every write that returned before they began, and a whole number of writes.
///
/// **Errors.** Whatever the body throws is rethrown unchanged. The store itself throws `ToDoError.storeFull` and
/// `ToDoError.storeUnavailable`, and `CancellationError` when the caller was cancelled before the body ran. A write
/// that has begun is not interrupted.
///
/// `StoreContract` in TestSupport is this contract as a test suite; every implementation passes it.
public protocol ToDoItemStore: Sendable {
  /// The item, or `nil` when the owner has none with this identity.
  func item(_ id: ItemID, of owner: OwnerID) async throws -> ToDoItem?

  /// The first items of a listing, in order, and the owner's revision at that moment.
  func items(_ selection: ItemSelection, of owner: OwnerID) async throws -> ItemListing

  /// Runs `body` in a transaction on the owner's items, and returns its value when the changes are kept.
  func write<Value: Sendable>(
    _ owner: OwnerID, _ body: @escaping @Sendable (any ItemTransaction) throws -> Value
  ) async throws -> Value
}

/// The owner's items inside one write. Valid only within the body that it is given to.
public protocol ItemTransaction {
  /// What the store knows of an identity.
  func record(of id: ItemID) throws -> ItemRecord

  /// The undone items whose stored fingerprint is one of these, the oldest first.
  func undoneItems(withFingerprints fingerprints: [ContentFingerprint]) throws -> [ToDoItem]

  /// The revision that every change of this transaction bears: one more than the owner's present one.
  ///
  /// The owner's revision grows when the transaction changes something, and only then.
  var revision: Revision { get throws }

  /// Adds an item whose identity is `ItemRecord.absent`, and keeps the fingerprint it was added with for good.
  func insert(_ item: ToDoItem, fingerprint: ContentFingerprint) throws

  /// Replaces an item that is there; `fingerprint` is that of its new content.
  func update(_ item: ToDoItem, fingerprint: ContentFingerprint) throws

  /// Removes an item that is there. Its identity becomes `ItemRecord.deleted`.
  func delete(_ id: ItemID) throws

  /// Removes the owner's items, all or those that are done, and says how many there were.
  func delete(_ selection: BulkDeletion) throws -> Int
}

/// What a store knows of an identity.
public enum ItemRecord: Equatable, Sendable {
  case absent
  case deleted
  /// The item as it is now, and the fingerprint of the content it was first added with.
  case present(ToDoItem, addedAs: ContentFingerprint)
}

/// The beginning of a listing as a store reads it.
public struct ItemListing: Equatable, Sendable {
  public var items: [ToDoItem]
  /// Whether the selection matches more items than its limit.
  public var hasMore: Bool
  /// The owner's revision when the items were read.
  public var revision: Revision

  public init(items: [ToDoItem], hasMore: Bool, revision: Revision) {
    self.items = items
    self.hasMore = hasMore
    self.revision = revision
  }
}

/// What a store is asked to list.
public struct ItemSelection: Equatable, Sendable {
  public var state: ItemState
  public var text: TextFilter
  public var order: ItemOrder
  /// Only items that stand after this position; `nil`: from the first.
  public var after: ItemPosition?
  /// At least 1.
  public var limit: Int

  public init(
    state: ItemState = .all, text: TextFilter = TextFilter(""), order: ItemOrder = .list, after: ItemPosition? = nil,
    limit: Int
  ) {
    self.state = state
    self.text = text
    self.order = order
    self.after = after
    self.limit = limit
  }
}
