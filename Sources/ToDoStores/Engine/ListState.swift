package import ToDoModel
package import ToDoRules

/// A list within a transaction whose rows are collected: what was read and changed by the writes that have ended.
package struct ListState {
  package private(set) var ledger: ListLedger
  /// The account version at which a change to users or tokens may last have ended access to the list.
  package let accessVersion: Int64
  /// Whether the list is a default one, or a further one that is not deleted.
  package var isAvailable = true
  package private(set) var cache = RecordCache()
  package private(set) var pending = PendingRows()

  package init(_ row: ListCounters, accessVersion: Int64 = 0) {
    ledger = ListLedger(row)
    self.accessVersion = accessVersion
  }

  package mutating func add(_ record: StoredRecord, of id: ItemID) { cache.add(record, of: id) }

  package mutating func add(_ match: ItemID?, for fingerprint: ContentFingerprint) {
    cache.add(match, for: fingerprint)
  }

  /// Adds the effects of a write that has ended.
  package mutating func apply(_ write: ListWrite) {
    ledger.apply(write.ledger)
    if write.hidesState { cache.discardRecords() }
    cache.merge(write.cache)
    pending.merge(write.pending)
  }

  /// Returns the rows to send to the server, which are no longer pending then.
  package mutating func takePending() -> PendingRows {
    defer { pending = PendingRows() }
    return pending
  }
}
