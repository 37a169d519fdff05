import ToDoModel
import ToDoRules

/// The changes that a group of writes made to items, for the caches.
struct ItemChanges {
  struct Change {
    let owner: OwnerID
    let change: PendingChange

    var key: ItemCache.Key { ItemCache.Key(owner: owner, id: change.change.id) }

    /// The state of the item after the change; `nil` if the item was deleted.
    var item: ToDoItem? {
      if case .put(let item, _) = change.change { item } else { nil }
    }
  }

  /// The changes in the order in which they were made.
  private(set) var items: [Change] = []
  /// The lists that changed, and their new revisions.
  var revisions: [(owner: OwnerID, revision: Revision)] = []
  /// The items of bulk deletions, which are not in `items`.
  private(set) var bulkDeleted: [ItemCache.Key] = []

  mutating func append(_ transaction: SQLiteItemTransaction, of owner: OwnerID) {
    for change in transaction.write.changes { items.append(Change(owner: owner, change: change)) }
    bulkDeleted += transaction.bulkDeleted.map { ItemCache.Key(owner: owner, id: $0) }
  }
}
