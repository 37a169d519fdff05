import ToDoModel
import ToDoRules
import ToDoSQLite

extension SQLiteItemTransaction {
  func delete(_ id: ItemID, at time: Timestamp, restorableUntil expiry: Timestamp?) throws {
    let deleted = try currentItem(id)
    let deletion = ItemDeletion(id: id, wasDone: deleted.isDone, revision: revision, deletedAt: time)
    try change { owner in
      let size = StoredSize.of(deleted.content)
      let isSaved = try saveDeletedToHistory(id, owner)
      try deleteRow(of: id, owner, completedAt: deleted.completedAt?.microseconds, at: time, expiry)
      self.owner.byteCount += size * ((isSaved ? 1 : 0) + (expiry == nil ? 0 : 1) - 1)
      changes.append(.deleted(deletion), replacing: deleted, of: self.id)
      latest = nil
      noteChanges(1, at: time)
    }
  }

  /// Replaces an item's row by a deletion, without counting the size of the item.
  ///
  /// - Parameter expiry: the time until which the item is kept; `nil` to remove it.
  func deleteRow(
    of id: ItemID, _ owner: Int64, completedAt: Int64?, at time: Timestamp, _ expiry: Timestamp?
  ) throws {
    if let expiry { try mark(statements.deletedItems.keep, id, owner, at: time, expiry) }
    // Removing the row comes before the other insertions, because it frees space.
    statements.delete.bind(owner, at: 1)
    statements.delete.bind(id, at: 2)
    try statements.delete.run()
    precondition(statements.changeCount == 1, "only an existing item is deleted")
    let addDeletion = statements.addDeletion
    addDeletion.bind(owner, at: 1)
    addDeletion.bind(id, at: 2)
    addDeletion.bind(revision.number, at: 3)
    addDeletion.bind(time.microseconds, at: 4)
    addDeletion.bind(completedAt, at: 5)
    addDeletion.bind(origin, at: 6)
    try addDeletion.run()
    if expiry == nil { try mark(statements.markDeleted, id, owner, at: time, nil) }
    self.owner.itemCount -= 1
    self.owner.byteCount += StoredSize.row + StoredSize.deletedID
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
    precondition(item.revision == revision, "a changed item must have the transaction's revision")
    precondition(item.deletion == nil, "a restored item is not deleted")
    try completeDeletion()
    try change { owner in
      ItemRow.bind(item, .restored, owner: owner, fingerprint: fingerprint, origin, to: statements.deletedItems.restore)
      try statements.deletedItems.restore.run()
      statements.deletedItems.removeID.bind(owner, at: 1)
      statements.deletedItems.removeID.bind(item.id, at: 2)
      try statements.deletedItems.removeID.run()
      precondition(statements.changeCount == 1, "only a deleted item is restored")
      try removeDeletion(of: item.id, owner)
      self.owner.itemCount += 1
      self.owner.byteCount -= StoredSize.deletedID
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
    self.owner.byteCount -= statements.changeCount * StoredSize.row
  }

  func removeDeletedItems(limit: Int, sizeLimit: Int) throws -> Int {
    try completeDeletion()
    guard owner.number != nil else { return 0 }
    return try change { _ in
      let removed = try compaction.removeDeletedItems(of: owner, expiredBy: .max, limit: limit, sizeLimit: sizeLimit)
      owner.byteCount -= removed.size
      owner.mustBeStored = true
      return removed.count
    }
  }
}
