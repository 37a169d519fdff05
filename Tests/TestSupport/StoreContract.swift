import Testing
public import ToDoModel

/// What every `ToDoItemStore` keeps, as one rule a sentence; each rule wants a new, empty store.
public enum StoreContract {
  public static let rules: [ContractRule<any ToDoItemStore>] =
    recordRules + ownerRules + rollbackRules + revisionRules + listingRules + fingerprintRules + concurrencyRules
    + roundTripRules

  typealias Rule = ContractRule<any ToDoItemStore>
}

extension ToDoItemStore {
  /// Adds items in one write; they bear its revision.
  @discardableResult
  func add(_ items: [ToDoItem], to owner: OwnerID = .local) async throws -> [ToDoItem] {
    try await write(owner) { transaction in
      try items.map { item in
        var item = item
        item.revision = try transaction.revision
        try transaction.insert(item, fingerprint: ContentFingerprint(of: item.content))
        return item
      }
    }
  }

  @discardableResult
  func add(_ item: ToDoItem, to owner: OwnerID = .local) async throws -> ToDoItem {
    try #require(await add([item], to: owner).first)
  }

  /// Replaces an item; it bears the revision of this write.
  @discardableResult
  func update(_ item: ToDoItem, of owner: OwnerID = .local) async throws -> ToDoItem {
    try await write(owner) { transaction in
      var item = item
      item.revision = try transaction.revision
      try transaction.update(item, fingerprint: ContentFingerprint(of: item.content))
      return item
    }
  }

  func delete(_ id: ItemID, of owner: OwnerID = .local) async throws {
    try await write(owner) { try $0.delete(id) }
  }

  func delete(_ selection: BulkDeletion, of owner: OwnerID = .local) async throws -> Int {
    try await write(owner) { try $0.delete(selection) }
  }

  func record(of id: ItemID, of owner: OwnerID = .local) async throws -> ItemRecord {
    try await write(owner) { try $0.record(of: id) }
  }

  func undoneItems(matching content: ItemContent, of owner: OwnerID = .local) async throws -> [ToDoItem] {
    try await write(owner) { try $0.undoneItems(withFingerprints: [ContentFingerprint(of: content)]) }
  }

  func revision(of owner: OwnerID = .local) async throws -> Revision {
    try await items(ItemSelection(limit: 1), of: owner).revision
  }

  /// Every item in the order of a list.
  func allItems(of owner: OwnerID = .local) async throws -> [ToDoItem] {
    try await items(ItemSelection(limit: .max), of: owner).items
  }
}
