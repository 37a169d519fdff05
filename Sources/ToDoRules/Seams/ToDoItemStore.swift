public import ToDoModel
public import Waiters

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
/// **Changes.** The store remembers what every write changed, for at least as long as its `ChangeRetention` says and
/// through whatever the items themselves survive. It forgets whole revisions, the earliest first, and only while it
/// writes. An item that one write changes several times has one change, the last.
///
/// **Errors.** Whatever the body throws is rethrown unchanged. The store itself throws `ToDoError.storeFull` and
/// `ToDoError.storeUnavailable`, and `CancellationError` when the caller was cancelled before the body ran. A write
/// that has begun is not interrupted.
///
/// `StoreContract` in TestSupport is this contract as a test suite; every implementation passes it.
public protocol ToDoItemStore: NearbyItemStore, PendingLookupStore {
  /// The key of the fingerprints that the items have in this store. It stays the same for as long as the items.
  var fingerprintKey: FingerprintKey { get }

  /// The incarnation of all lists in the store. It stays the same for as long as the store does, and is replaced when
  /// a backup is restored.
  var incarnation: ListIncarnation { get }

  /// Looks an item up. The value is `nil` if the owner has no item with this ID.
  ///
  /// - Returns: The item if it is cached, or the work that reads it.
  func lookUpItem(_ id: ItemID, of owner: OwnerID) -> Lookup<ToDoItem?>

  /// Returns the owner's current revision, or `nil` if it is not cached. While the revision stays the same, so does every
  /// listing.
  func cachedRevision(of owner: OwnerID) -> Revision?

  /// The first items of a listing, in order, and the owner's revision at that moment.
  func items(_ selection: ItemSelection, of owner: OwnerID) async throws -> ItemListing

  /// The owner's changes after a revision: whole revisions in order, without a gap, each as that change left its item.
  ///
  /// - Throws: `ToDoError.revisionCompacted` when some of them are no longer kept, `ToDoError.revisionInFuture`.
  func changes(_ selection: ChangeSelection, of owner: OwnerID) async throws -> ChangeListing

  /// Calls `report` once when it starts, then within 250 milliseconds of every write that another process made to the
  /// same items. Writes of this store are not reported, except in rare cases. Returns when its task is cancelled, or
  /// immediately if no other process can write.
  ///
  /// - Throws: `ToDoError.storeUnavailable` when the store is closed or cannot be read.
  func reportForeignChanges(to report: @escaping @Sendable () -> Void) async throws

  /// Calls `observer` with each later commit of this store until the returned observation is released.
  ///
  /// The calls are made in commit order, never concurrently, and before the commit's `write` calls return. The observer
  /// may run on the thread that writes, so it must return soon and must not wait. Commits of other processes are not
  /// passed on: an observer notices them as a gap between revisions.
  func observeCommits(_ observer: @escaping @Sendable (ListCommit) -> Void) -> CommitObservation

  /// Gives the room that the store keeps back to the next writes, so that deletions succeed after `ToDoError.storeFull`.
  func releaseReserve() async

  /// Runs `body` in a transaction on the owner's items, and returns its value when the changes are kept.
  ///
  /// It may run several times, of which the last counts, so it changes nothing but the items.
  func write<Value: Sendable>(
    _ owner: OwnerID, _ body: @escaping @Sendable (any ItemTransaction) throws -> Value
  ) async throws -> Value
}

extension ToDoItemStore {
  /// Returns the item, or `nil` if the owner has no item with this ID.
  public func item(_ id: ItemID, of owner: OwnerID) async throws -> ToDoItem? {
    try await lookUpItem(id, of: owner).value
  }

  /// Returns the item if it is cached.
  package func cachedItem(_ id: ItemID, of owner: OwnerID) -> ToDoItem? {
    if case .ready(let item) = lookUpItem(id, of: owner) { item } else { nil }
  }

  /// For stores that keep no room back.
  public func releaseReserve() async {}

  /// Returns `nil`, for stores without a cache.
  public func cachedRevision(of owner: OwnerID) -> Revision? { nil }
}

/// The owner's items inside one write. Valid only within the body that it is given to.
public protocol ItemTransaction: PendingLookupTransaction {
  /// What the store knows of an identity.
  func record(of id: ItemID) throws -> ItemRecord

  /// Returns one of the incomplete items whose stored fingerprint matches, or `nil`.
  ///
  /// The time does not depend on the number of items that match, or that differ only in their coordinate.
  func undoneItem(matching fingerprint: ContentFingerprint) throws -> ItemID?

  /// The revision that every change of this transaction bears: one more than the owner's present one.
  ///
  /// The owner's revision grows when the transaction changes something, and only then.
  var revision: Revision { get throws }

  /// How many items the owner has, with what this transaction changed.
  var itemCount: Int { get throws }

  /// The bytes that the owner's items, changes and deleted IDs take, by `StoredSize`, with what this transaction changed.
  ///
  /// An item's latest change takes nothing beyond the item.
  var byteCount: Int { get throws }

  /// Forgets the owner's changes before this transaction, whatever the retention is.
  ///
  /// A store may free their room bit by bit: a transaction frees that of 1,024 changes at least, if there are as many.
  func forgetChanges() throws

  /// Adds an item whose identity is `ItemRecord.absent`, and keeps the fingerprint it was added with for good.
  ///
  /// - Parameter item: bears `revision`.
  func insert(_ item: ToDoItem, fingerprint: ContentFingerprint) throws

  /// Replaces an item that is there.
  ///
  /// - Parameters:
  ///   - item: bears `revision`.
  ///   - cause: what made it different.
  ///   - fingerprint: that of its new content.
  func update(_ item: ToDoItem, cause: PutCause, fingerprint: ContentFingerprint) throws

  /// Removes an item that is there. Its identity becomes `ItemRecord.deleted`, until `ChangeRetention.deletedIDAge` has
  /// passed and the store forgets it.
  func delete(_ id: ItemID, at time: Timestamp) throws

  /// Removes the owner's items, all or those that are done, and says how many there were.
  func delete(_ selection: BulkDeletion, at time: Timestamp) throws -> Int
}

/// What a store knows of an identity.
public enum ItemRecord: Equatable, Sendable {
  case absent
  case deleted
  /// The item as it is now, and the fingerprint of the content it was first added with; `nil` if that is not recorded.
  case present(ToDoItem, addedAs: ContentFingerprint?)
}

/// The beginning of a listing as a store reads it.
public struct ItemListing: Equatable, Sendable {
  public var items: [ToDoItem]
  /// Whether the selection matches more items than its limits allow.
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
  /// No further item is taken once the items have this many bytes of text; at least 1.
  public var sizeLimit: Int

  public init(
    state: ItemState = .all, text: TextFilter = TextFilter(""), order: ItemOrder = .list, after: ItemPosition? = nil,
    limit: Int, sizeLimit: Int = .max
  ) {
    self.state = state
    self.text = text
    self.order = order
    self.after = after
    self.limit = limit
    self.sizeLimit = sizeLimit
  }
}

/// Which changes a store is asked for.
public struct ChangeSelection: Equatable, Sendable {
  /// Only changes after this revision.
  public var after: Revision
  /// No further revision is begun once there are this many changes; at least 1.
  public var limit: Int
  /// No further revision is begun once the changes have this many bytes of text; at least 1.
  public var sizeLimit: Int

  public init(after: Revision, limit: Int, sizeLimit: Int = .max) {
    self.after = after
    self.limit = limit
    self.sizeLimit = sizeLimit
  }

  /// Whether a listing that has this many changes with this many bytes of text may begin another revision.
  package func allowsRevision(afterChanges count: Int, size: Int) -> Bool { count < limit && size < sizeLimit }
}

/// A part of the feed of changes as a store reads it.
public struct ChangeListing: Equatable, Sendable {
  /// Without a gap from the revision asked for; empty only when that is the present one.
  public var sets: [ChangeSet]
  /// The owner's revision when they were read.
  public var revision: Revision

  public init(sets: [ChangeSet], revision: Revision) {
    self.sets = sets
    self.revision = revision
  }
}
