package import ToDoModel
package import ToDoRules

/// The rows of a list that a transaction has changed and not sent to the server.
package struct PendingRows {
  package private(set) var items: [ItemID: PendingItem] = [:]
  package private(set) var changes: [PendingChange.Key: PendingChange] = [:]
  package private(set) var lookups: [ItemID: PendingLookup?] = [:]
  /// Whether rows of `changes` may exist on the server.
  package private(set) var repeatsChanges = false

  package init() {}

  package var isEmpty: Bool { items.isEmpty && changes.isEmpty && lookups.isEmpty }

  package mutating func set(_ item: PendingItem) {
    var item = item
    // The row of an inserted item stays new until it is sent.
    if items[item.item.id]?.isNew == true { item.isNew = true }
    items[item.item.id] = item
  }

  /// - Parameter isRepeated: whether an earlier change with the same key was sent.
  package mutating func set(_ change: PendingChange, isRepeated: Bool) {
    changes[change.key] = change
    if isRepeated { repeatsChanges = true }
  }

  package mutating func set(_ lookup: PendingLookup?, of id: ItemID) { lookups.updateValue(lookup, forKey: id) }

  /// Adds the rows of a later write.
  package mutating func merge(_ later: PendingRows) {
    for item in later.items.values { set(item) }
    changes.merge(later.changes) { $1 }
    lookups.merge(later.lookups) { $1 }
    repeatsChanges = repeatsChanges || later.repeatsChanges
  }
}
