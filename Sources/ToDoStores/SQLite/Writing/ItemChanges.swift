import ToDoModel
import ToDoRules

/// The changes that a group of writes made to items.
struct ItemChanges {
  struct Change {
    let owner: OwnerID
    let change: ItemChange
    /// The previous state of the item; `nil` if the item is new.
    let replaced: ToDoItem?

    var key: ItemCache.Key { ItemCache.Key(owner: owner, id: change.id) }

    /// The state of the item after the change; `nil` if the item was deleted.
    var item: ToDoItem? {
      if case .put(let item, _) = change { item } else { nil }
    }
  }

  /// The changes in the order in which they were made.
  private(set) var items: [Change] = []
  /// The lists that changed, and their new revisions.
  var revisions: [(owner: OwnerID, revision: Revision)] = []
  /// The items of bulk deletions, which are not in `items`.
  private(set) var bulkDeleted: [ItemCache.Key] = []
  private var bulkOwners: Set<OwnerID> = []

  mutating func append(_ change: ItemChange, replacing replaced: ToDoItem?, of owner: OwnerID) {
    items.append(Change(owner: owner, change: change, replaced: replaced))
  }

  mutating func noteBulkDeletion(of ids: [ItemID], _ owner: OwnerID) {
    bulkOwners.insert(owner)
    bulkDeleted += ids.map { ItemCache.Key(owner: owner, id: $0) }
  }

  mutating func append(_ later: ItemChanges) {
    items += later.items
    bulkDeleted += later.bulkDeleted
    bulkOwners.formUnion(later.bulkOwners)
  }
}

extension ItemChanges {
  /// Returns the changes in the form that a feed receives, list by list.
  func commits() -> [ListCommit] {
    let changes = Dictionary(grouping: items, by: \.owner)
    return revisions.map { owner, revision in
      let isListed = !bulkOwners.contains(owner)
      return ListCommit(
        owner: owner, revision: revision, changes: isListed ? Self.sets(of: changes[owner] ?? []) : [])
    }
  }

  /// - Parameter changes: of one owner.
  private static func sets(of changes: [Change]) -> [ReversibleChanges] {
    var sets: [ReversibleChanges] = []
    var rest = changes[...]
    while let revision = rest.first?.change.revision {
      let one = rest.prefix { $0.change.revision == revision }
      rest = rest.dropFirst(one.count)
      // Of the changes that one write made to an item, only the last is reported, with the state before the first.
      let latest = Dictionary(one.map { ($0.change.id, $0.change) }) { $1 }
      let first = Dictionary(one.map { ($0.change.id, $0.replaced) }) { replaced, _ in replaced }
      let set = ChangeSet(revision: revision, changes: latest.values.sorted { $0.id < $1.id })
      sets.append(ReversibleChanges(set, replaced: first.values.compactMap(\.self)))
    }
    return sets
  }
}
