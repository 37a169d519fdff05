import Testing
package import ToDoModel
package import ToDoRules

extension ToDoItemStore {
  /// Deletes an item at 2026-01-01T00:00:00Z, and keeps it.
  func delete(_ id: ItemID, until expiry: Timestamp, of owner: OwnerID = .local) async throws {
    try await write(owner) { try $0.delete(id, at: .sample(), restorableUntil: expiry) }
  }

  /// Deletes items at 2026-01-01T00:00:00Z, keeps them, and returns their number.
  func delete(_ selection: BulkDeletion, until expiry: Timestamp, of owner: OwnerID = .local) async throws -> Int {
    try await write(owner) { try $0.delete(selection, at: .sample(), restorableUntil: expiry) }
  }

  func deletedItem(_ id: ItemID, of owner: OwnerID = .local) async throws -> ToDoItem? {
    try await write(owner) { try $0.deletedItem(id) }
  }

  /// All deleted items, 50 microseconds after 2026-01-01T00:00:00Z.
  func deletedItems(of owner: OwnerID = .local) async throws -> [ToDoItem] {
    try await items(ItemSelection(deleted: .only, now: .sample(50), limit: .max), of: owner).items
  }

  /// Restores an item with its content, and with the revision of this write.
  @discardableResult
  func restore(_ id: ItemID, at time: Timestamp = .sample(), of owner: OwnerID = .local) async throws -> ToDoItem {
    try await write(owner) { try $0.restore(id, at: time) }
  }

  @discardableResult
  func removeDeletedItems(limit: Int = .max, of owner: OwnerID = .local) async throws -> Int {
    try await write(owner) { try $0.removeDeletedItems(limit: limit) }
  }
}

extension ItemTransaction {
  /// Deletes items of a list without a quota.
  @discardableResult
  package func delete(
    _ selection: BulkDeletion, at time: Timestamp, restorableUntil expiry: Timestamp?
  ) throws -> Int {
    try delete(selection, at: time, restorableUntil: expiry, byteLimit: .max)
  }

  /// Removes deleted items of any size.
  @discardableResult
  package func removeDeletedItems(limit: Int) throws -> Int { try removeDeletedItems(limit: limit, sizeLimit: .max) }

  /// Restores a deleted item with its content and this transaction's revision, and returns it.
  @discardableResult
  func restore(_ id: ItemID, at time: Timestamp) throws -> ToDoItem {
    var item = try #require(try deletedItem(id))
    item.deletion = nil
    item.updatedAt = time
    item.revision = try revision
    try restore(item, fingerprint: ContentFingerprint(of: item.content))
    return item
  }
}

extension ToDoItem {
  /// Returns the item as a store keeps it after its deletion.
  ///
  /// - Parameter kept: the item that the store keeps. A store may change `updatedAt`.
  func deleted(as kept: ToDoItem, at time: Timestamp, until expiry: Timestamp, revision: Int64) -> ToDoItem {
    var item = self
    item.updatedAt = kept.updatedAt
    item.revision = Revision(revision)
    item.deletion = Deletion(deletedAt: time, expiresAt: expiry)
    return item
  }
}
