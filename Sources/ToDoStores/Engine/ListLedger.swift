package import ToDoModel
package import ToDoRules

/// The counters and the changes of a list within a transaction, after the writes that have ended.
package struct ListLedger {
  /// The row at the start of the transaction.
  package let stored: ListCounters
  package var row: ListCounters
  /// The changes of each write that changed the list.
  package private(set) var writes: [Write] = []
  /// The number of changes.
  package private(set) var changeCount = 0
  /// The time of the last change.
  package private(set) var lastChange: Timestamp?

  /// The changes of one write.
  package struct Write {
    package let revision: Revision
    package let changes: [PendingChange]
    package let endsBulkDeletion: Bool
    package let bulkChange: ItemChange?
  }

  /// The maximum number of changes that a commit lists. Commits with more changes list none.
  private static let listedChanges = 1_000

  package init(_ row: ListCounters) {
    stored = row
    self.row = row
  }

  /// Adds the effects of a write that has ended.
  package mutating func apply(_ write: WriteLedger) {
    row = write.row
    changeCount += write.changeCount
    if let time = write.lastChange { lastChange = time }
    guard write.isChange else { return }
    row.revision = write.revision
    writes.append(
      Write(
        revision: write.revision, changes: write.changes, endsBulkDeletion: write.endsBulkDeletion,
        bulkChange: write.bulkChange))
  }

  /// Whether the revision has passed a multiple of 64, so that a compaction is due.
  package var isCompactionDue: Bool { stored.revision.number / 64 != row.revision.number / 64 }

  /// Returns the commit for observers, or `nil` if the list did not change.
  package func commit(of owner: OwnerID) -> ListCommit? {
    guard row.revision != stored.revision else { return nil }
    let count = writes.reduce(0) { $0 + $1.changes.count }
    let isListed = count <= Self.listedChanges && !writes.contains(where: \.endsBulkDeletion)
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

extension ListLedger.Write {
  fileprivate var reversible: ReversibleChanges {
    let set = ChangeSet(
      revision: revision, changes: changes.map(\.change).sorted { $0.id < $1.id },
      user: changes.first?.origin.user ?? "")
    return ReversibleChanges(set, replaced: changes.compactMap(\.former))
  }
}
