import Testing
import ToDoModel
public import ToDoRules

/// The contract of `ToDoItemStore`, one rule a sentence. Each rule needs a new, empty store.
public enum StoreContract {
  /// All rules but `retentionRules`.
  public static let rules: [ContractRule<any ToDoItemStore>] =
    recordRules + numberRules + ownerRules + rollbackRules + revisionRules + listingRules + fingerprintRules
    + concurrencyRules
    + roundTripRules + memoryRules + changeRules + commitRules + sizeRules + nearbyRules + pendingLookupRules
    + quotaRules + trashRules + trashListingRules + trashSizeRules + trashRollbackRules + historyRules
    + formerStateRules + fieldChangeRules + twoOwnerRules

  typealias Rule = ContractRule<any ToDoItemStore>
}

extension ToDoItemStore {
  /// Adds items in one write, with its revision.
  @discardableResult
  func add(_ items: [ToDoItem], to owner: OwnerID = .local) async throws -> [ToDoItem] {
    try await write(owner) { transaction in
      try items.map { try transaction.add($0) }
    }
  }

  @discardableResult
  func add(_ item: ToDoItem, to owner: OwnerID = .local) async throws -> ToDoItem {
    try #require(await add([item], to: owner).first)
  }

  /// Replaces an item, with the revision of this write.
  @discardableResult
  func update(_ item: ToDoItem, _ cause: PutCause = .edited, of owner: OwnerID = .local) async throws -> ToDoItem {
    try await write(owner) { try $0.replace(item, cause) }
  }

  func delete(_ id: ItemID, of owner: OwnerID = .local) async throws {
    try await write(owner) { try $0.delete(id, at: .sample(), restorableUntil: nil) }
  }

  func delete(_ selection: BulkDeletion, of owner: OwnerID = .local) async throws -> Int {
    try await write(owner) { try $0.delete(selection, at: .sample(), restorableUntil: nil) }
  }

  func record(of id: ItemID, of owner: OwnerID = .local) async throws -> ItemRecord {
    try await write(owner) { try $0.record(of: id) }
  }

  func incompleteItem(matching content: ItemContent, of owner: OwnerID = .local) async throws -> ItemID? {
    try await write(owner) { try $0.incompleteItem(matching: ContentFingerprint(of: content)) }
  }

  func revision(of owner: OwnerID = .local) async throws -> Revision {
    try await items(ItemSelection(limit: 1), of: owner).revision
  }

  /// All items in the order of a list.
  func allItems(of owner: OwnerID = .local) async throws -> [ToDoItem] {
    try await items(ItemSelection(limit: .max), of: owner).items
  }
}

extension ItemTransaction {
  /// Inserts an item with this transaction's revision and the next number, and returns it.
  @discardableResult
  package func add(_ item: ToDoItem, fingerprint: ContentFingerprint? = nil) throws -> ToDoItem {
    var item = item
    item.revision = try revision
    item.number = try nextNumber
    try insert(item, fingerprint: fingerprint ?? ContentFingerprint(of: item.content))
    return item
  }

  /// Updates an item with this transaction's revision and its stored number, and returns it.
  @discardableResult
  package func replace(_ item: ToDoItem, _ cause: PutCause = .edited) throws -> ToDoItem {
    var item = item
    item.revision = try revision
    if case .present(let stored, _) = try record(of: item.id) { item.number = stored.number }
    try update(item, cause: cause, fingerprint: ContentFingerprint(of: item.content))
    return item
  }
}

extension ContentFingerprint {
  /// The fingerprint with a key of the tests. A store accepts any fingerprint.
  package init(of content: ItemContent) { self.init(of: content, key: FingerprintKey(low: 1, high: 2)) }
}
