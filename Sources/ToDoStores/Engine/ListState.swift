package import ToDoModel
package import ToDoRules

/// The state of a list within a transaction, after the writes that have ended.
package struct ListState {
  /// The row at the start of the transaction.
  package let stored: ListCounters
  package private(set) var row: ListCounters
  /// The account version of the last change of users or tokens that may have ended access to the list.
  package let accessVersion: Int64
  package private(set) var cache = RecordCache()
  package private(set) var pending = PendingRows()
  /// The changes of each write that changed the list.
  package private(set) var writes: [Write] = []
  /// The time of the last change.
  package private(set) var lastChange: Timestamp?

  /// The changes of one write.
  package struct Write {
    package let revision: Revision
    package let changes: [PendingChange]
    package let bulkChange: ItemChange?
  }

  /// The maximum number of changes that a commit lists. Commits with more changes list none.
  private static let listedChanges = 1_000

  package init(_ row: ListCounters, accessVersion: Int64 = 0) {
    stored = row
    self.accessVersion = accessVersion
    self.row = row
  }

  package mutating func add(_ record: StoredRecord, of id: ItemID) { cache.add(record, of: id) }

  package mutating func add(_ match: ItemID?, for fingerprint: ContentFingerprint) {
    cache.add(match, for: fingerprint)
  }

  /// Adds the effects of a write that has ended.
  package mutating func apply(_ write: ListWrite) {
    row = write.row
    if write.hidesState {
      let lookups = cache.lookups
      cache = RecordCache()
      for (id, lookup) in lookups { cache.add(lookup, of: id) }
    }
    cache.merge(write.cache)
    pending.merge(write.pending)
    guard write.isChange else { return }
    row.revision = write.revision
    writes.append(
      Write(revision: write.revision, changes: Array(write.changes.values), bulkChange: write.bulkChange))
    lastChange = write.lastChange
  }

  /// Returns the rows to send to the server, which are no longer pending then.
  package mutating func takePending() -> PendingRows {
    defer { pending = PendingRows() }
    return pending
  }

  /// Whether the revision has increased by so much that the list is to be compacted.
  package var isCompactionDue: Bool { stored.revision.number / 64 != row.revision.number / 64 }

  /// Returns the commit for observers, or `nil` if the list did not change.
  package func commit(of owner: OwnerID) -> ListCommit? {
    guard row.revision != stored.revision else { return nil }
    let count = writes.reduce(0) { $0 + $1.changes.count }
    let isListed = count <= Self.listedChanges && writes.allSatisfy { $0.bulkChange == nil }
    return ListCommit(owner: owner, revision: row.revision, changes: isListed ? writes.map(\.reversible) : [])
  }

  /// The changes whose rows exist if and only if the transaction was committed.
  package var evidence: [ItemChange] {
    // Rows up to the floor may have been removed by the transaction itself.
    writes.filter { $0.revision > row.floor }.flatMap { write in
      let changes = write.changes.map(\.change)
      guard let bulkChange = write.bulkChange, !changes.contains(where: { $0.id == bulkChange.id }) else {
        return changes
      }
      return changes + [bulkChange]
    }
  }
}

extension ListState.Write {
  fileprivate var reversible: ReversibleChanges {
    let set = ChangeSet(revision: revision, changes: changes.map(\.change).sorted { $0.id < $1.id })
    return ReversibleChanges(set, replaced: changes.compactMap(\.former))
  }
}
