public import ToDoModel

extension LocalToDoService {
  /// - Throws: `ToDoError.quotaExceeded` if adding content, or replacing other content by it, might exceed the quota.
  func expectRoom(for content: ItemContent, in transaction: any ItemTransaction) throws {
    // An edit keeps the former content and its size, so both add the new content's size at most.
    guard try transaction.byteCount + StoredSize.of(content) <= byteLimit else {
      throw ToDoError.quotaExceeded(limitBytes: byteLimit)
    }
  }

  /// Writes; if the list's quota does not suffice, forgets the list's changes and tries again.
  ///
  /// Watches that are behind then need a snapshot, but items are more worth than their history.
  func writeWithinQuota<Value: Sendable>(
    _ body: @escaping @Sendable (any ItemTransaction) throws -> Value
  ) async throws -> Value {
    do { return try await write(body) } catch ToDoError.quotaExceeded {
      guard try await forgetChanges() else { throw ToDoError.quotaExceeded(limitBytes: byteLimit) }
      return try await write(body)
    }
  }

  /// Frees the room of the list's changes in short transactions, until half the quota is free or no change is left.
  ///
  /// - Returns: whether that freed any room.
  private func forgetChanges() async throws -> Bool {
    var freed = false
    // A bound, as other calls may write all the time.
    for _ in 0..<64 {
      let (before, after) = try await store.write(owner) { transaction in
        let before = try transaction.byteCount
        try transaction.forgetChanges()
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
    return try await makingRoom { [clock] transaction in
      _ = try transaction.existingItem(id, ifRevision: ifRevision)
      try transaction.delete(id, at: clock.now())
      return try transaction.revision
    }
  }

  public func deleteItems(_ selection: BulkDeletion) async throws -> BulkDeletionResult {
    try writeRate?.admit(1, textSize: 0, to: owner)
    let result: BulkDeletionResult
    do {
      result = try await makingRoom { [clock] transaction in
        let revision = try transaction.revision
        let count = try transaction.delete(selection, at: clock.now())
        return BulkDeletionResult(deletedCount: count, revision: count > 0 ? revision : revision.previous)
      }
    } catch ToDoError.storeFull {
      result = try await deleteFewAtATime(selection)
    }
    // How many they are is known only now; later writes wait for it.
    writeRate?.charge(max(0, result.deletedCount - 1), textSize: 0, to: owner)
    return result
  }

  /// Deletes a selection in several writes, each of which makes the room that the next one needs.
  private func deleteFewAtATime(_ selection: BulkDeletion) async throws -> BulkDeletionResult {
    let query = ItemSelection(state: selection == .all ? .all : .done, order: .created, limit: 16)
    var count = 0
    while true {
      let listing = try await store.items(query, of: owner)
      guard !listing.items.isEmpty else { return BulkDeletionResult(deletedCount: count, revision: listing.revision) }
      count += try await write { [clock] transaction in
        try transaction.forgetChanges()
        var count = 0
        for item in listing.items {
          // Another call may have deleted or unchecked it since.
          guard case .present(let item, _) = try transaction.record(of: item.id), selection == .all || item.isDone
          else { continue }
          try transaction.delete(item.id, at: clock.now())
          count += 1
        }
        return count
      }
    }
  }

  /// Deletes; if the quota or the disk is full, without keeping what was deleted as history.
  private func makingRoom<Value: Sendable>(
    _ deletion: @escaping @Sendable (any ItemTransaction) throws -> Value
  ) async throws -> Value {
    do {
      return try await write { [byteLimit] transaction in
        if try transaction.byteCount > byteLimit - Self.deletionReserve { try transaction.forgetChanges() }
        return try deletion(transaction)
      }
    } catch ToDoError.storeFull {
      await store.releaseReserve()
      return try await write { transaction in
        try transaction.forgetChanges()
        return try deletion(transaction)
      }
    }
  }

  /// How close to the quota deletions begin to make room.
  private static let deletionReserve = 64 << 10
}
