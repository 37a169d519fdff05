package import ToDoModel
package import ToDoRules

/// The rules of one write, which are the same in every store: preconditions, numbers, revisions, sizes, and the record of the
/// last change of each item.
///
/// An operation returns the rows that it changes. A store writes them at once, or collects them (`ListWrite`). Dropping the
/// value undoes the write.
package struct WriteLedger {
  /// The list's row. `revision` is that before the write.
  package var row: ListCounters
  /// The user and the client that make the changes.
  package var origin = ChangeOrigin()
  /// The last change of each item, with the state of the item before the write.
  package private(set) var changes: [PendingChange] = []
  /// The positions of the items in `changes`.
  private var positions: [ItemID: Int] = [:]
  /// Whether the write has ended a bulk deletion, whose changes are not in `changes`.
  package private(set) var endsBulkDeletion = false
  /// A change of the bulk deletion, if one is known.
  package private(set) var bulkChange: ItemChange?
  /// The number of items that bulk deletions have deleted.
  private var bulkCount = 0
  /// The time of the last change.
  package private(set) var lastChange: Timestamp?

  package init(on row: ListCounters) {
    self.row = row
  }

  /// The revision of every change in the write.
  package var revision: Revision { row.nextRevision }

  /// Whether the write changes the list, so that its revision increases.
  package var isChange: Bool { !changes.isEmpty || endsBulkDeletion }

  /// The number of changed items.
  var changeCount: Int { changes.count + bulkCount }

  /// Returns the change that the write has recorded of an item.
  package func change(of id: ItemID) -> PendingChange? { positions[id].map { changes[$0] } }
}

/// The rows that one operation of a write changes.
package struct ChangedRows {
  package let item: PendingItem
  package let change: PendingChange
  /// Whether the change replaces an earlier one of the same write.
  package let isRepeated: Bool
  /// Whether a deleted item becomes an item again.
  package fileprivate(set) var isRestored = false
  /// Whether a reserved ID becomes that of an item again.
  package fileprivate(set) var isReinserted = false
}

// MARK: - Items

extension WriteLedger {
  package mutating func insert(_ item: ToDoItem, fingerprint: ContentFingerprint) -> ChangedRows {
    row.countInsertion(of: item)
    let pending = PendingItem(
      item: item, fingerprint: fingerprint, addedAs: fingerprint, state: .present, isNew: true)
    return note(.put(item, .added), pending, replacing: nil)
  }

  /// Adds an item whose ID is reserved.
  package mutating func reinsert(_ item: ToDoItem, fingerprint: ContentFingerprint) -> ChangedRows {
    precondition(positions[item.id] == nil, "a write does not add again what it has deleted")
    row.countInsertion(of: item)
    row.countRemoval(ofReservedIDs: 1)
    let pending = PendingItem(
      item: item, fingerprint: fingerprint, addedAs: fingerprint, state: .present, isNew: false)
    var rows = note(.put(item, .added), pending, replacing: nil)
    rows.isReinserted = true
    return rows
  }

  /// - Parameter current: the state of the item before the update.
  package mutating func update(
    _ item: ToDoItem, cause: PutCause, fingerprint: ContentFingerprint, current: ToDoItem,
    addedAs: ContentFingerprint?
  ) -> ChangedRows {
    row.countUpdate(of: current, to: item)
    let pending = PendingItem(
      item: item, fingerprint: fingerprint, addedAs: addedAs, state: .present, isNew: false)
    return note(.put(item, cause), pending, replacing: current)
  }

  /// - Parameter kept: the deleted item.
  package mutating func restore(
    _ item: ToDoItem, fingerprint: ContentFingerprint, kept: ToDoItem, addedAs: ContentFingerprint?
  ) -> ChangedRows {
    row.countRestoration(of: item)
    row.byteCount += StoredSize.of(item.content) - StoredSize.of(kept.content)
    let pending = PendingItem(
      item: item, fingerprint: fingerprint, addedAs: addedAs, state: .present, isNew: false)
    var rows = note(.put(item, .restored), pending, replacing: nil, earlier: earlierChange(of: kept))
    rows.isRestored = true
    return rows
  }

  /// - Parameter item: the state of the item before the deletion.
  package mutating func delete(
    _ item: ToDoItem, addedAs: ContentFingerprint?, at time: Timestamp, restorableUntil expiry: Timestamp?
  ) -> ChangedRows {
    var deleted = item
    deleted.revision = revision
    row.countDeletion(of: 1, size: StoredSize.of(item.content), isKept: expiry != nil)
    var state = PendingItem.State.reserved(deletedAt: time)
    if let expiry {
      deleted.deletion = ToDoItem.Deletion(deletedAt: time, expiresAt: expiry)
      state = .kept(deletedAt: time, expiresAt: expiry)
    }
    let pending = PendingItem(item: deleted, fingerprint: nil, addedAs: addedAs, state: state, isNew: false)
    let deletion = ItemDeletion(id: item.id, wasDone: item.isDone, revision: revision, deletedAt: time)
    return note(.deleted(deletion), pending, replacing: item)
  }

  /// Removes a kept item's content. Its ID stays reserved, and the list's revision the same.
  package mutating func remove(_ kept: ToDoItem, deletedAt time: Timestamp) -> PendingItem {
    row.byteCount -= StoredSize.of(kept.content)
    return PendingItem(item: kept, fingerprint: nil, addedAs: nil, state: .reserved(deletedAt: time), isNew: false)
  }

  /// Records an item's last change, with its state before the write.
  private mutating func note(_ change: ItemChange, _ item: PendingItem, replacing current: ToDoItem?) -> ChangedRows {
    note(change, item, replacing: current, earlier: current.flatMap { earlierChange(of: $0) })
  }

  private mutating func note(
    _ change: ItemChange, _ item: PendingItem, replacing current: ToDoItem?, earlier: Int?
  ) -> ChangedRows {
    lastChange = change.time
    guard let earlier else {
      let recorded = PendingChange(change, former: current, origin: origin, floor: row.floor)
      row.byteCount += recorded.size
      append(recorded)
      return ChangedRows(item: item, change: recorded, isRepeated: false)
    }
    let recorded = PendingChange(change, replacing: changes[earlier], origin: origin)
    row.byteCount += recorded.size - changes[earlier].size
    changes[earlier] = recorded
    return ChangedRows(item: item, change: recorded, isRepeated: true)
  }

  /// Returns the index of the recorded change that led to an item's current state, if this write made it.
  private func earlierChange(of current: ToDoItem) -> Int? {
    // Only the changes of the write have its revision.
    guard current.revision == revision else { return nil }
    return positions[current.id]
  }

  private mutating func append(_ change: PendingChange) {
    positions[change.change.id] = changes.count
    changes.append(change)
  }
}

// MARK: - Bulk deletions

extension WriteLedger {
  /// Counts items that a statement has deleted.
  ///
  /// - Parameters:
  ///   - size: the size of the items, by `StoredSize`.
  ///   - formerSize: the size of the former states that the history counts.
  ///   - isKept: whether the items can be restored.
  package mutating func countBulkDeletion(
    of count: Int, size: Int, formerSize: Int, isKept: Bool, at time: Timestamp
  ) {
    row.countDeletion(of: count, size: size, isKept: isKept)
    row.countRecordedDeletions(count, formerSize: formerSize)
    bulkCount += count
    lastChange = time
  }

  /// Records that all items of a bulk deletion are deleted.
  ///
  /// - Parameter deletion: one of the deletions, if one is known.
  package mutating func endBulkDeletion(_ deletion: ItemDeletion?, at time: Timestamp) {
    endsBulkDeletion = true
    if let deletion { bulkChange = .deleted(deletion) }
    lastChange = time
  }

  /// Adds a deletion that `countBulkDeletion` has counted, and that is stored.
  package mutating func adopt(_ deletion: PendingChange) { append(deletion) }
}
