import ToDoModel

/// The changes that a group of writes made to items.
struct ItemChanges {
  struct Change {
    let owner: OwnerID
    let change: ItemChange
    /// The item as it was before; `nil` if it is new.
    let replaced: ToDoItem?

    var key: ItemCache.Key { ItemCache.Key(owner: owner, id: change.id) }

    /// The item as the change left it; `nil` if it is deleted.
    var item: ToDoItem? {
      if case .put(let item, _) = change { item } else { nil }
    }
  }

  /// In the order in which they were made.
  private(set) var items: [Change] = []
  /// The lists that changed, and their revisions now.
  var revisions: [(owner: OwnerID, revision: Revision)] = []
  /// The owners of whose items many were deleted at a time: those deletions are not listed.
  private var bulkOwners: Set<OwnerID> = []

  /// Whether some changes are not listed.
  var isBulk: Bool { !bulkOwners.isEmpty }

  mutating func append(_ change: ItemChange, replacing replaced: ToDoItem?, of owner: OwnerID) {
    items.append(Change(owner: owner, change: change, replaced: replaced))
  }

  mutating func noteBulkDeletion(of owner: OwnerID) { bulkOwners.insert(owner) }

  mutating func append(_ later: ItemChanges) {
    items += later.items
    bulkOwners.formUnion(later.bulkOwners)
  }
}

extension ItemChanges {
  /// The changes as a feed takes them, list by list.
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
      // Of the changes that one write made to an item, only the last counts, and what was there before the first.
      let latest = Dictionary(one.map { ($0.change.id, $0.change) }) { $1 }
      let first = Dictionary(one.map { ($0.change.id, $0.replaced) }) { replaced, _ in replaced }
      let set = ChangeSet(revision: revision, changes: latest.values.sorted { $0.id < $1.id })
      sets.append(ReversibleChanges(set, replaced: first.values.compactMap(\.self)))
    }
    return sets
  }
}
