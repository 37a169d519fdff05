#if PostgreSQL
import ToDoModel
import ToDoRules

/// The rows of a list that a transaction has changed and not sent to the server.
struct PendingRows {
  private(set) var items: [ItemID: PendingItem] = [:]
  private(set) var changes: [PendingChange.Key: PendingChange] = [:]
  private(set) var lookups: [ItemID: PendingLookup?] = [:]
  /// Whether rows of `changes` may exist on the server.
  private(set) var repeatsChanges = false

  var isEmpty: Bool { items.isEmpty && changes.isEmpty && lookups.isEmpty }

  mutating func set(_ item: PendingItem) {
    var item = item
    // The row of an inserted item stays new until it is sent.
    if items[item.item.id]?.isNew == true { item.isNew = true }
    items[item.item.id] = item
  }

  /// - Parameter isRepeated: whether an earlier change with the same key was sent.
  mutating func set(_ change: PendingChange, isRepeated: Bool) {
    changes[change.key] = change
    if isRepeated { repeatsChanges = true }
  }

  mutating func set(_ lookup: PendingLookup?, of id: ItemID) { lookups.updateValue(lookup, forKey: id) }

  /// Adds the rows of a later write.
  mutating func merge(_ later: PendingRows) {
    for item in later.items.values { set(item) }
    changes.merge(later.changes) { $1 }
    lookups.merge(later.lookups) { $1 }
    repeatsChanges = repeatsChanges || later.repeatsChanges
  }
}
#endif
