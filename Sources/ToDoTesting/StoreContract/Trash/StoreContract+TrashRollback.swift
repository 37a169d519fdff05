import Testing
import ToDoModel
import ToDoRules

extension StoreContract {
  private struct Refusal: Error, Equatable {}

  /// Operations on a list with the sample 1, and the deleted samples 2 (incomplete) and 3 (done).
  private static let operations: [(name: String, perform: @Sendable (any ItemTransaction) throws -> Void)] = [
    ("a deletion that keeps the item", { try $0.delete(.sample(1), at: .sample(), restorableUntil: expiry) }),
    ("a bulk deletion that keeps the items", { _ = try $0.delete(.all, at: .sample(), restorableUntil: expiry) }),
    ("a restoration", { try $0.restore(.sample(2), at: .sample()) }),
    ("a restoration of a done item", { try $0.restore(.sample(3), at: .sample()) }),
    ("a removal of one deleted item", { _ = try $0.removeDeletedItems(limit: 1) }),
    ("a removal of all deleted items", { _ = try $0.removeDeletedItems(limit: .max) }),
    (
      "a deletion of a restored item",
      { transaction in
        try transaction.restore(.sample(2), at: .sample())
        try transaction.delete(.sample(2), at: .sample(), restorableUntil: .sample(900))
      }
    ),
    (
      "a restoration of a deleted item",
      { transaction in
        try transaction.delete(.sample(1), at: .sample(), restorableUntil: expiry)
        try transaction.restore(.sample(1), at: .sample())
      }
    ),
  ]

  static let trashRollbackRules: [Rule] =
    operations.map { operation in
      Rule("\(operation.name) in a body that throws is rolled back") { store async throws in
        try await store.add([.sample(1), .sample(2), .sample(3, completed: 9)])
        for number in [2, 3] as [UInt64] { try await store.delete(.sample(number), until: expiry) }
        let before = try await TrashState(of: store)
        #expect(before.deleted.map(\.id) == [.sample(3), .sample(2)])
        await #expect(throws: Refusal()) {
          try await store.write(.local) { transaction in
            transaction.attribute(to: ChangeOrigin(user: "ann"))
            try operation.perform(transaction)
            throw Refusal()
          }
        }
        #expect(try await TrashState(of: store) == before)
        #expect(try await store.restore(.sample(2)).revision == Revision(4))
        #expect(try await store.restore(.sample(3)).revision == Revision(5))
        let history = try await store.history(HistorySelection(limit: 1), of: .local)
        #expect(history.revisions.map(\.origin) == [ChangeOrigin()])
      }
    }
}

/// The content of a list, without its cached values.
private struct TrashState: Equatable {
  var items: [ToDoItem]
  var deleted: [ToDoItem]
  var kept: [ToDoItem?]
  var records: [ItemRecord]
  var feed: [ChangeSet]
  var byteCount: Int
  var incompleteItems: [ItemID?]
  var history: HistoryListing

  init(of store: any ToDoItemStore) async throws {
    let ids = [1, 2, 3].map(ItemID.sample)
    let contents = [1, 2, 3].map { ToDoItem.sample($0).content }
    items = try await store.allItems()
    deleted = try await store.deletedItems()
    feed = try await store.feed()
    history = try await store.history(HistorySelection(limit: 100), of: .local)
    (kept, records, byteCount, incompleteItems) = try await store.write(.local) { transaction in
      (
        try ids.map { try transaction.deletedItem($0) }, try ids.map { try transaction.record(of: $0) },
        try transaction.byteCount,
        try contents.map { try transaction.incompleteItem(matching: ContentFingerprint(of: $0)) }
      )
    }
  }
}
