import Synchronization
public import ToDoModel

extension LocalToDoService {
  public func deleteItem(
    _ id: ItemID, ifRevision: Revision?, permanentlyIfFull: Bool
  ) async throws -> DeletionResult {
    try check(ifRevision)
    try admit(1, textSize: 0)
    return try await purging(permanentlyIfFull) { permanentlyIfFull in
      let reads = ItemReads(ids: [id])
      let deletion = try await performDeletion(reading: reads, permanentlyIfFull) { [self] transaction, isKept in
        _ = try transaction.existingItem(id, ifRevision: ifRevision)
        let now = clock.now()
        try transaction.delete(id, at: now, restorableUntil: isKept ? expiry(ofDeletionAt: now) : nil)
        return try transaction.revision
      }
      return DeletionResult(
        revision: deletion.value, isPermanent: !deletion.isKept, removedCount: deletion.removedCount)
    }
  }

  public func deleteItems(_ selection: BulkDeletion, permanentlyIfFull: Bool) async throws -> BulkDeletionResult {
    if selection == .deleted, membership != nil { throw ToDoError.notPermitted(needed: .owner) }
    try admit(1, textSize: 0)
    guard selection != .deleted else { return try await removeDeletedItems() }
    let result = try await purging(permanentlyIfFull) { try await delete(selection, $0) }
    // The number of items is known only now. The limiter makes later writes wait for it.
    charge(max(0, result.deletedCount - 1), textSize: 0)
    return result
  }

  private func delete(_ selection: BulkDeletion, _ permanentlyIfFull: Bool) async throws -> BulkDeletionResult {
    // On a full disk, an attempt that fails may have deleted some of the items.
    let firstCount = Mutex(Int?.none)
    do {
      let reads = ItemReads(isLong: true)
      let deletion = try await performDeletion(reading: reads, permanentlyIfFull) { [self] transaction, isKept in
        let (revision, now) = (try transaction.revision, clock.now())
        let present = try transaction.itemCount
        let earlier = firstCount.withLock { first in
          first = first ?? present
          return max((first ?? present) - present, 0)
        }
        let isKept = try isKept && keepsDeletions(of: present, permanentlyIfFull, in: transaction)
        let expiry = isKept ? expiry(ofDeletionAt: now) : nil
        let count = try transaction.delete(selection, at: now, restorableUntil: expiry, byteLimit: byteLimit)
        return BulkDeletionResult(
          deletedCount: earlier + count, revision: count > 0 ? revision : revision.previous, isPermanent: !isKept)
      }
      var result = deletion.value
      result.removedCount = deletion.removedCount
      return result
    } catch ToDoError.storeFull where permanentlyIfFull {
      return try await deleteInBatches(selection, of: firstCount.withLock(\.self))
    }
  }

  /// Returns whether the quota has room for the records of deletions. Compacts the earlier changes if it does not.
  private func keepsDeletions(
    of count: Int, _ permanentlyIfFull: Bool, in transaction: any ItemTransaction
  ) throws -> Bool {
    let overhead = count * StoredSize.deletion
    if try transaction.byteCount + overhead > byteLimit { try transaction.compactChanges() }
    let fits = try transaction.byteCount + overhead <= byteLimit
    guard fits || permanentlyIfFull else { throw ToDoError.quotaExceeded(limitBytes: byteLimit) }
    return fits
  }

  /// Runs a deletion, which may be permanent only if the caller permits that and owns the list.
  ///
  /// - Parameters:
  ///   - permanentlyIfFull: whether the caller permits it.
  ///   - deletion: receives whether it may be permanent.
  /// - Throws: `ToDoError.notPermitted` if a member permits a deletion that a full disk or quota would make permanent.
  private func purging<Value>(
    _ permanentlyIfFull: Bool, _ deletion: (_ permanentlyIfFull: Bool) async throws -> Value
  ) async throws -> Value {
    guard membership != nil, permanentlyIfFull else {
      return try await explainingRefusal(permanentlyIfFull, deletion)
    }
    do { return try await deletion(false) } catch let error as ToDoError {
      switch error {
      case .quotaExceeded, .storeFull: throw ToDoError.notPermitted(needed: .owner)
      default: throw error
      }
    }
  }

  /// Runs a deletion, and names what a full disk or quota would make it remove for good.
  private func explainingRefusal<Value>(
    _ permanentlyIfFull: Bool, _ deletion: (_ permanentlyIfFull: Bool) async throws -> Value
  ) async throws -> Value {
    do { return try await deletion(permanentlyIfFull) } catch ToDoError.quotaExceeded(let limit)
      where !permanentlyIfFull
    {
      throw ToDoError.deletionMustBePermanent(deletedCount: try await removableCount(), limitBytes: limit)
    } catch ToDoError.storeFull where !permanentlyIfFull {
      throw ToDoError.deletionMustBePermanent(deletedCount: try await removableCount(), limitBytes: nil)
    }
  }

  /// Returns the number of deleted items that a deletion removes at most.
  private func removableCount() async throws -> Int {
    let selection = ItemSelection(deleted: .only, order: .created, limit: Self.removedItems)
    return try await store.items(selection, of: owner).items.count
  }

  public func undeleteItem(_ id: ItemID, ifRevision: Revision?, allowingDuplicate: Bool) async throws -> ToDoItem {
    try check(ifRevision)
    try admit(1, textSize: 0)
    // Needs no quota, because a deleted item counts as much as an item.
    return try await settling(ItemContent.Limits.allText) {
      try await write(reading: ItemReads(ids: [id])) { [self] transaction in
        let now = clock.now()
        guard let deleted = try transaction.restorableItem(id, at: now) else {
          if case .present = try transaction.record(of: id) { throw ToDoError.itemNotDeleted(id) }
          throw ToDoError.itemNotFound(id)
        }
        guard ifRevision == nil || ifRevision == deleted.revision else {
          throw ToDoError.revisionMismatch(id, current: deleted.revision)
        }
        if !allowingDuplicate, let existing = try duplicate(of: deleted, in: transaction) {
          throw ToDoError.duplicateItem(id, existing: existing)
        }
        return try restore(deleted, in: transaction, at: now)
      }
    }
  }

  /// Turns a deleted item into an item again.
  func restore(_ deleted: ToDoItem, in transaction: any ItemTransaction, at now: Timestamp) throws -> ToDoItem {
    guard try transaction.itemCount < itemLimit else { throw ToDoError.listFull(limit: itemLimit) }
    var item = deleted
    item.deletion = nil
    item.updatedAt = now
    item.revision = try transaction.revision
    try transaction.restore(item, fingerprint: ContentFingerprint(of: item.content, key: store.fingerprintKey))
    return item
  }

  /// Returns an incomplete item that an item would duplicate if it were saved.
  func duplicate(of item: ToDoItem, in transaction: any ItemTransaction) throws -> ItemID? {
    guard !item.isDone else { return nil }
    let fingerprint = ContentFingerprint(of: item.content, key: store.fingerprintKey)
    return try transaction.duplicate(of: item.content, fingerprint, except: item.id)
  }

  /// Returns the time until which an item can be restored, or `nil` if it cannot.
  func expiry(ofDeletionAt time: Timestamp) -> Timestamp? {
    guard deletedItemAge > .zero else { return nil }
    let latest = Timestamp.supportedRange.upperBound
    let expiry = Timestamp(microseconds: time.microseconds + Int64(deletedItemAge / .microseconds(1)))
    return min(expiry, latest)
  }

  /// Removes all deleted items for good, in several writes.
  private func removeDeletedItems() async throws -> BulkDeletionResult {
    var count = 0
    while true {
      let (removed, revision) = try await write(reading: ItemReads(isLong: true)) { transaction in
        let removed = try transaction.removeDeletedItems(limit: Self.removedItems, sizeLimit: Self.removedBytes)
        return (removed, try transaction.revision.previous)
      }
      count += removed
      guard removed > 0 else { return BulkDeletionResult(deletedCount: count, revision: revision) }
    }
  }

  /// Deletes a selection in several writes, each of which frees the space that the next one needs.
  ///
  /// - Parameter firstCount: the number of items in the list before the call deleted any; `nil` if it deleted none.
  private func deleteInBatches(_ selection: BulkDeletion, of firstCount: Int?) async throws -> BulkDeletionResult {
    let query = ItemSelection(state: selection == .all ? .all : .done, order: .created, limit: 16)
    let present = try await write(reading: ItemReads()) { try $0.itemCount }
    var count = max((firstCount ?? present) - present, 0)
    while true {
      let listing = try await store.items(query, of: owner)
      guard !listing.items.isEmpty else {
        return BulkDeletionResult(deletedCount: count, revision: listing.revision, isPermanent: true)
      }
      count += try await write(reading: ItemReads(ids: listing.items.map(\.id))) { [clock] transaction in
        try transaction.compactChanges()
        var count = 0
        for item in listing.items {
          // Another call may have deleted or unchecked the item since the read.
          guard case .present(let item, _) = try transaction.record(of: item.id), selection == .all || item.isDone
          else { continue }
          try transaction.delete(item.id, at: clock.now(), restorableUntil: nil)
          count += 1
        }
        return count
      }
      // Otherwise the log would grow with every batch, until the disk has no room for the next one.
      await store.releaseReserve()
    }
  }

  /// The result of a deletion, and what it took.
  typealias PerformedDeletion<Value> = (value: Value, isKept: Bool, removedCount: Int)

  /// Runs a deletion. If the quota or the disk is full, keeps neither the history nor, with permission, deleted items.
  ///
  /// - Parameters:
  ///   - reads: the records that the deletion reads.
  ///   - permanentlyIfFull: the permission.
  ///   - prepare: runs in the same transaction before it makes room.
  ///   - deletion: receives whether to keep the deleted items.
  /// - Throws: `ToDoError.storeFull` or `ToDoError.quotaExceeded` without the permission.
  func performDeletion<Value: Sendable>(
    reading reads: ItemReads, _ permanentlyIfFull: Bool,
    beforeMakingRoom prepare: @escaping @Sendable (any ItemTransaction) throws -> Void = { _ in },
    _ deletion: @escaping @Sendable (any ItemTransaction, _ isKept: Bool) throws -> Value
  ) async throws -> PerformedDeletion<Value> {
    do {
      return try await write(reading: reads) { [byteLimit] transaction in
        let limit = byteLimit - Self.deletionReserve
        guard try transaction.byteCount > limit else { return (try deletion(transaction, true), true, 0) }
        try prepare(transaction)
        try transaction.compactChanges()
        guard try transaction.byteCount > limit else { return (try deletion(transaction, true), true, 0) }
        guard permanentlyIfFull else { throw ToDoError.quotaExceeded(limitBytes: byteLimit) }
        let removed = try transaction.removeDeletedItems(limit: Self.removedItems, sizeLimit: Self.removedBytes)
        let isKept = try transaction.byteCount <= limit
        return (try deletion(transaction, isKept), isKept, removed)
      }
    } catch ToDoError.storeFull where permanentlyIfFull {
      await store.releaseReserve()
      return try await write(reading: reads) { transaction in
        try transaction.compactChanges()
        let removed = try transaction.removeDeletedItems(limit: Self.removedItems, sizeLimit: Self.removedBytes)
        return (try deletion(transaction, false), false, removed)
      }
    }
  }

  /// The remaining quota in bytes below which deletions make room.
  static let deletionReserve = 64 << 10
}

extension ItemTransaction {
  /// Returns a deleted item that can still be restored.
  func restorableItem(_ id: ItemID, at now: Timestamp) throws -> ToDoItem? {
    guard let item = try deletedItem(id), let deletion = item.deletion, deletion.expiresAt > now else { return nil }
    return item
  }
}
