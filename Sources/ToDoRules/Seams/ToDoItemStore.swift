public import ToDoModel
public import ToDoSupport

/// Stores items, durably or not, always with serializable writes.
///
/// **Owners.** Every call names the owner. Items of other owners do not exist for the call.
///
/// **Writes.** `write` runs its body inside one transaction. No other call sees a part of the transaction, no other
/// write to the owner's items runs between its reads and its writes, and an error thrown by the body rolls it back.
/// When `write` returns, the changes are as durable as the store: a store on disk has synced them. Several writes may
/// share one commit. A body may run on any thread, never runs concurrently with another, and must not block.
///
/// **Reads** see every write that returned before they began, and no part of a write.
///
/// **Changes.** The store retains the changes of every write for at least the time of its `ChangeRetention`, as durably
/// as the items. It compacts whole revisions, the earliest first, and only during writes. If a write changes an item
/// several times, only the last change is recorded.
///
/// **Errors.** An error thrown by the body is rethrown unchanged. The store itself throws `ToDoError.storeFull` and
/// `ToDoError.storeUnavailable`, and `CancellationError` if the caller was canceled before the body ran. A write that
/// has begun is not interrupted.
///
/// `StoreContract` in ToDoTesting is this contract as a test suite, which every implementation passes.
public protocol ToDoItemStore: NearbyItemStore, PendingLookupStore {
  /// The key of all stored fingerprints, which never changes.
  var fingerprintKey: FingerprintKey { get }

  /// The incarnation of all lists in the store. It changes only when a backup is restored.
  var incarnation: ListIncarnation { get }

  /// Looks up an item. The value is `nil` if the owner has no item with this ID.
  ///
  /// - Returns: The item if it is cached, or the work that reads it.
  func lookUpItem(_ id: ItemID, of owner: OwnerID) -> Lookup<ToDoItem?>

  /// Returns the owner's current revision, or `nil` if it is not cached. While the revision stays the same, so does every
  /// listing.
  func cachedRevision(of owner: OwnerID) -> Revision?

  /// Returns a listing's first items, in order, and the owner's revision at the time of the read.
  func items(_ selection: ItemSelection, of owner: OwnerID) async throws -> ItemListing

  /// Returns the owner's changes after a revision: complete revisions in order, without gaps, each with the item as the
  /// change left it.
  ///
  /// - Throws: `ToDoError.revisionCompacted` if some of the changes have been compacted, `ToDoError.revisionInFuture`.
  func changes(_ selection: ChangeSelection, of owner: OwnerID) async throws -> ChangeListing

  /// Returns recorded revisions of an owner, the latest first.
  func history(_ selection: HistorySelection, of owner: OwnerID) async throws -> HistoryListing

  /// Calls `report` with `anyList` once at the start, then within 250 ms of each write by another process. Writes of this
  /// store are not reported, except in rare cases. Returns when its task is canceled, or immediately if no other process can
  /// write.
  ///
  /// - Throws: `ToDoError.storeUnavailable` if the store is closed or cannot be read.
  func observeExternalChanges(_ report: @escaping @Sendable (ExternalChange) -> Void) async throws

  /// Calls `observer` with each later commit of this store until the returned observation is deinitialized.
  ///
  /// The calls are made in commit order, never concurrently, and before the commit's `write` calls return. They may be
  /// made on the writing thread, so the observer must return quickly and must not block. Commits of other processes are
  /// not reported; an observer recognizes them by a gap between revisions.
  func observeCommits(_ observer: @escaping @Sendable (ListCommit) -> Void) -> CommitObservation

  /// Releases the space that the store reserves, so that deletions succeed after `ToDoError.storeFull`.
  func releaseReserve() async

  /// Runs `body` in a transaction on the owner's items, and returns its value once the changes are committed.
  ///
  /// The body may run several times; only the last run has an effect. It must have no other side effects.
  ///
  /// - Parameter reads: the records that the body reads, as far as they are known. They affect only the speed.
  func write<Value: Sendable>(
    _ owner: OwnerID, reading reads: ItemReads, _ body: @escaping @Sendable (any ItemTransaction) throws -> Value
  ) async throws -> Value

  /// Runs `body` in one transaction on the items of two owners, and returns its value once the changes are committed.
  ///
  /// Everything that holds for a write to one owner holds for both: an error undoes the changes of both, and both are
  /// committed together. Concurrent writes to the same owners, in any order, all end.
  ///
  /// - Precondition: The owners differ.
  /// - Parameters:
  ///   - reads: the records of either owner that the body reads.
  ///   - body: receives the transactions of the first and the second owner.
  func write<Value: Sendable>(
    _ first: OwnerID, _ second: OwnerID, reading reads: ItemReads,
    _ body: @escaping @Sendable (any ItemTransaction, any ItemTransaction) throws -> Value
  ) async throws -> Value
}

extension ToDoItemStore {
  /// Runs `body` in a transaction on the owner's items, without declared reads.
  public func write<Value: Sendable>(
    _ owner: OwnerID, _ body: @escaping @Sendable (any ItemTransaction) throws -> Value
  ) async throws -> Value {
    try await write(owner, reading: ItemReads(), body)
  }

  /// Returns the item, or `nil` if the owner has no item with this ID.
  public func item(_ id: ItemID, of owner: OwnerID) async throws -> ToDoItem? {
    try await lookUpItem(id, of: owner).value
  }

  /// Returns the item if it is cached.
  package func cachedItem(_ id: ItemID, of owner: OwnerID) -> ToDoItem? {
    if case .ready(let item) = lookUpItem(id, of: owner) { item } else { nil }
  }

  /// Does nothing, for stores without reserved space.
  public func releaseReserve() async {}

  /// Returns `nil`, for stores without a cache.
  public func cachedRevision(of owner: OwnerID) -> Revision? { nil }
}

/// The owner's items inside one write. A transaction is valid only within the body that receives it.
public protocol ItemTransaction: PendingLookupTransaction, HistoryTransaction {
  /// Returns the record of an ID.
  func record(of id: ItemID) throws -> ItemRecord

  /// Returns one of the incomplete items whose stored fingerprint matches, or `nil`.
  ///
  /// The time does not depend on the number of items that match, or that differ only in their coordinate.
  func incompleteItem(matching fingerprint: ContentFingerprint) throws -> ItemID?

  /// Returns incomplete items whose stored fingerprint matches, at most `limit`, in any order.
  ///
  /// Only called if `incompleteItem(matching:)` has returned an item at another place, because it may take longer.
  func incompleteItems(matching fingerprint: ContentFingerprint, limit: Int) throws -> [ItemID]

  /// The account version at which a change to users or tokens may last have ended a caller's access to the list, or a
  /// lower bound of the current account version if none has. The same database's account store sets it in the
  /// transaction that makes such a change.
  var accessVersion: Int64 { get throws }

  /// Whether the list can be read and changed: `false` for a further list of a user that was deleted. A database with a store of
  /// lists reads it there.
  var isListAvailable: Bool { get throws }

  /// The revision of every change in this transaction: the owner's current revision plus one.
  ///
  /// The owner's revision is incremented if and only if the transaction changes something.
  var revision: Revision { get throws }

  /// The next inserted item's number: one more than the highest that any item of the owner has had.
  var nextNumber: ItemNumber { get throws }

  /// The number of the owner's items, including the effects of this transaction.
  var itemCount: Int { get throws }

  /// The size of the owner's items, changes and deleted IDs, as counted by `StoredSize`, including the effects of this
  /// transaction.
  ///
  /// An item's latest change adds nothing to the size of the item.
  var byteCount: Int { get throws }

  /// Compacts the owner's changes before this transaction, regardless of the retention.
  ///
  /// A store may free the space step by step: a transaction frees the space of at least 1,024 changes, if there are as
  /// many.
  func compactChanges() throws

  /// Adds an item whose ID is `ItemRecord.absent`, and permanently stores the fingerprint that it was added with.
  ///
  /// - Parameter item: an item with `revision` and `nextNumber`.
  func insert(_ item: ToDoItem, fingerprint: ContentFingerprint) throws

  /// Adds an item whose ID is `ItemRecord.deleted`, and which the store has not kept, as `insert` does. The ID is no
  /// longer reserved.
  ///
  /// - Precondition: Another transaction deleted the item.
  /// - Parameter item: an item with `revision` and `nextNumber`.
  func reinsert(_ item: ToDoItem, fingerprint: ContentFingerprint) throws

  /// Replaces an existing item.
  ///
  /// - Parameters:
  ///   - item: an item with `revision`.
  ///   - cause: the operation that changed the item.
  ///   - fingerprint: the fingerprint of the new content.
  func update(_ item: ToDoItem, cause: PutCause, fingerprint: ContentFingerprint) throws

  /// Deletes an existing item. Its ID becomes `ItemRecord.deleted`, and `absent` again once the store has removed the
  /// reserved ID after `ChangeRetention.deletedIDAge`.
  ///
  /// - Parameter expiry: the time until which the store keeps the deleted item; `nil` to remove it immediately.
  func delete(_ id: ItemID, at time: Timestamp, restorableUntil expiry: Timestamp?) throws

  /// Deletes all or all done items of the owner, and returns their number. Not for `BulkDeletion.deleted`.
  ///
  /// - Parameters:
  ///   - expiry: the time until which the store keeps the deleted items; `nil` to remove them immediately.
  ///   - byteLimit: the size of the list, by `StoredSize`, that the store exceeds neither for the history nor for items that it
  ///     keeps. It compacts the earlier changes first, and then removes items instead of keeping them.
  func delete(
    _ selection: BulkDeletion, at time: Timestamp, restorableUntil expiry: Timestamp?, byteLimit: Int
  ) throws -> Int

  /// Returns a deleted item that the store has kept, with `deletion`, or `nil`. It may have expired.
  func deletedItem(_ id: ItemID) throws -> ToDoItem?

  /// Makes a deleted item that the store has kept an item again, with the fingerprint that it was added with.
  ///
  /// - Parameter item: the item with `revision` and without `deletion`.
  func restore(_ item: ToDoItem, fingerprint: ContentFingerprint) throws

  /// Removes the deleted items that the store has kept, the earliest expiry first. Their IDs stay reserved. This
  /// is not a change of the list.
  ///
  /// - Parameters:
  ///   - limit: the maximum number of items, at least 1.
  ///   - sizeLimit: the size of removed items, by `StoredSize`, at which no further item is removed; at least 1.
  /// - Returns: the number of removed items.
  func removeDeletedItems(limit: Int, sizeLimit: Int) throws -> Int
}

/// The state of an ID in a store.
public enum ItemRecord: Equatable, Sendable {
  /// No item has had the ID, or its reservation has expired.
  case absent
  /// The ID is reserved, because its item was deleted.
  case deleted
  /// The current item, and the fingerprint of the content that it was first added with, or `nil` if that is not
  /// recorded.
  case present(ToDoItem, addedAs: ContentFingerprint?)
}
