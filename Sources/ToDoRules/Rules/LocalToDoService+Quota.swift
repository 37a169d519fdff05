public import ToDoModel

extension LocalToDoService {
  /// Checks the quota before content is added or replaces other content.
  ///
  /// - Throws: `ToDoError.quotaExceeded` if the write might exceed the quota.
  func checkQuota(for content: ItemContent, in transaction: any ItemTransaction) throws {
    // An edit retains the former content as history, so both add at most the size of the new content.
    guard try transaction.byteCount + StoredSize.of(content) <= byteLimit else {
      throw ToDoError.quotaExceeded(limitBytes: byteLimit)
    }
  }

  /// Runs a write. If it would exceed the list's quota, compacts the list's changes and tries again.
  ///
  /// Watches that have fallen behind then need a snapshot. Items take precedence over their history.
  func writeWithinQuota<Value: Sendable>(
    _ body: @escaping @Sendable (any ItemTransaction) throws -> Value
  ) async throws -> Value {
    do { return try await write(body) } catch ToDoError.quotaExceeded {
      guard try await compactChanges() else { throw ToDoError.quotaExceeded(limitBytes: byteLimit) }
      return try await write(body)
    }
  }

  /// Compacts the list's changes in short transactions, until half the quota is free or no change is left.
  ///
  /// - Returns: whether any space was freed.
  private func compactChanges() async throws -> Bool {
    var freed = false
    // Bounded, because other calls may keep writing.
    for _ in 0..<64 {
      let (before, after) = try await store.write(owner) { transaction in
        let before = try transaction.byteCount
        try transaction.compactChanges()
        return (before, try transaction.byteCount)
      }
      guard after < before else { break }
      freed = true
      if after < byteLimit / 2 { break }
    }
    return freed
  }
}

extension LocalToDoService {
  public func deleteItem(_ id: ItemID, ifRevision: Revision?) async throws -> Revision {
    try check(ifRevision)
    try writeRate?.admit(1, textSize: 0, to: owner)
    return try await performDeletion { [clock] transaction in
      _ = try transaction.existingItem(id, ifRevision: ifRevision)
      try transaction.delete(id, at: clock.now())
      return try transaction.revision
    }
  }

  public func deleteItems(_ selection: BulkDeletion) async throws -> BulkDeletionResult {
    try writeRate?.admit(1, textSize: 0, to: owner)
    let result: BulkDeletionResult
    do {
      result = try await performDeletion { [clock] transaction in
        let revision = try transaction.revision
        let count = try transaction.delete(selection, at: clock.now())
        return BulkDeletionResult(deletedCount: count, revision: count > 0 ? revision : revision.previous)
      }
    } catch ToDoError.storeFull {
      result = try await deleteInBatches(selection)
    }
    // The number of items is known only now. The limiter makes later writes wait for it.
    writeRate?.charge(max(0, result.deletedCount - 1), textSize: 0, to: owner)
    return result
  }

  /// Deletes a selection in several writes, each of which frees the space that the next one needs.
  private func deleteInBatches(_ selection: BulkDeletion) async throws -> BulkDeletionResult {
    let query = ItemSelection(state: selection == .all ? .all : .done, order: .created, limit: 16)
    var count = 0
    while true {
      let listing = try await store.items(query, of: owner)
      guard !listing.items.isEmpty else { return BulkDeletionResult(deletedCount: count, revision: listing.revision) }
      count += try await write { [clock] transaction in
        try transaction.compactChanges()
        var count = 0
        for item in listing.items {
          // Another call may have deleted or unchecked the item since the read.
          guard case .present(let item, _) = try transaction.record(of: item.id), selection == .all || item.isDone
          else { continue }
          try transaction.delete(item.id, at: clock.now())
          count += 1
        }
        return count
      }
    }
  }

  /// Runs a deletion. If the quota or the disk is full, does not retain the deleted items as history.
  private func performDeletion<Value: Sendable>(
    _ deletion: @escaping @Sendable (any ItemTransaction) throws -> Value
  ) async throws -> Value {
    do {
      return try await write { [byteLimit] transaction in
        if try transaction.byteCount > byteLimit - Self.deletionReserve { try transaction.compactChanges() }
        return try deletion(transaction)
      }
    } catch ToDoError.storeFull {
      await store.releaseReserve()
      return try await write { transaction in
        try transaction.compactChanges()
        return try deletion(transaction)
      }
    }
  }

  /// The remaining quota in bytes below which deletions compact changes.
  private static let deletionReserve = 64 << 10
}

extension LocalToDoService: WriteAdmission {
  package func checkWriteRate() throws { try writeRate?.admit(0, textSize: 0, to: owner) }
}
