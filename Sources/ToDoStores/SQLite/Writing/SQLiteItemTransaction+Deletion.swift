import ToDoModel
import ToDoRules
import ToDoSQLite

extension SQLiteItemTransaction {
  func delete(_ id: ItemID, at time: Timestamp, restorableUntil expiry: Timestamp?) throws {
    let deleted = try currentItem(id)
    let deletion = ItemDeletion(id: id, wasDone: deleted.isDone, revision: revision, deletedAt: time)
    try change { owner in
      let row = DeletedRow(
        id: id, completedAt: deleted.completedAt?.microseconds, size: StoredSize.of(deleted.content))
      try delete(row, owner, at: time, expiry)
      changes.append(.deleted(deletion), replacing: deleted, of: self.id)
      latest = nil
      noteChanges(1, at: time)
    }
  }

  /// The columns of an item that its deletion requires.
  struct DeletedRow {
    let id: ItemID
    let completedAt: Int64?
    /// The size by `StoredSize`.
    let size: Int
  }

  /// Replaces an item's row by a deletion.
  ///
  /// - Parameter expiry: the time until which the item is kept; `nil` to remove it.
  func delete(_ row: DeletedRow, _ owner: Int64, at time: Timestamp, _ expiry: Timestamp?) throws {
    let isSaved = try saveDeletedToHistory(row.id, owner)
    if let expiry { try mark(statements.deletedItems.keep, row.id, owner, at: time, expiry) }
    // Removing the row comes before the other insertions, because it frees space.
    statements.delete.bind(owner, at: 1)
    statements.delete.bind(row.id, at: 2)
    try statements.delete.run()
    precondition(statements.changeCount == 1, "only an existing item is deleted")
    let addDeletion = statements.addDeletion
    addDeletion.bind(owner, at: 1)
    addDeletion.bind(row.id, at: 2)
    addDeletion.bind(revision.number, at: 3)
    addDeletion.bind(time.microseconds, at: 4)
    addDeletion.bind(row.completedAt, at: 5)
    addDeletion.bind(origin, at: 6)
    try addDeletion.run()
    if expiry == nil { try mark(statements.markDeleted, row.id, owner, at: time, nil) }
    self.owner.counters.countDeletion(of: 1, size: row.size, isKept: expiry != nil)
    self.owner.counters.countRecordedDeletions(1, formerSize: isSaved ? row.size : 0)
  }

  private func mark(
    _ statement: Statement, _ id: ItemID, _ owner: Int64, at time: Timestamp, _ expiry: Timestamp?
  ) throws {
    statement.bind(owner, at: 1)
    statement.bind(id, at: 2)
    statement.bind(revision.number, at: 3)
    statement.bind(time.microseconds, at: 4)
    if let expiry { statement.bind(expiry.microseconds, at: 5) }
    try statement.run()
  }

  func deletedItem(_ id: ItemID) throws -> ToDoItem? {
    try completeDeletion()
    return try perform {
      guard let number = owner.number else { return nil }
      let statement = statements.deletedItems.kept
      statement.bind(number, at: 1)
      statement.bind(id, at: 2)
      return try statement.firstRow { try ItemRow.decodeDeleted(statement) }
    }
  }

  func restore(_ item: ToDoItem, fingerprint: ContentFingerprint) throws {
    try completeDeletion()
    try change { owner in
      self.owner.counters.countRestoration(of: item)
      ItemRow.bind(item, .restored, owner: owner, fingerprint: fingerprint, origin, to: statements.deletedItems.restore)
      try statements.deletedItems.restore.run()
      statements.deletedItems.removeID.bind(owner, at: 1)
      statements.deletedItems.removeID.bind(item.id, at: 2)
      try statements.deletedItems.removeID.run()
      precondition(statements.changeCount == 1, "only a deleted item is restored")
      try removeDeletion(of: item.id, owner)
      changes.append(.put(item, .restored), replacing: nil, of: id)
      latest = item
      noteChanges(1, at: item.updatedAt)
    }
  }

  /// Removes the deletion of an item that this transaction has deleted. Only the last change of an item is recorded.
  private func removeDeletion(of id: ItemID, _ owner: Int64) throws {
    let statement = statements.deletedItems.removeDeletion
    statement.bind(owner, at: 1)
    statement.bind(revision.number, at: 2)
    statement.bind(id, at: 3)
    try statement.run()
    self.owner.counters.countRecordedDeletions(-statements.changeCount, formerSize: 0)
  }

  func removeDeletedItems(limit: Int, sizeLimit: Int) throws -> Int {
    try completeDeletion()
    guard owner.number != nil else { return 0 }
    return try change { _ in
      let removed = try compaction.removeDeletedItems(of: owner, expiredBy: .max, limit: limit, sizeLimit: sizeLimit)
      owner.counters.byteCount -= removed.size
      owner.mustBeStored = true
      return removed.count
    }
  }
}
