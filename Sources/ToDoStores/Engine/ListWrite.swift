package import ToDoModel
package import ToDoRules

/// One write whose rows are collected, before the write ends. Dropping the value undoes it.
///
/// `ListState` contains the effects of the earlier writes. A record in the write hides the state's.
package struct ListWrite {
  package var ledger: WriteLedger
  package private(set) var cache = RecordCache()
  package private(set) var pending = PendingRows()
  /// Whether the records of the earlier writes are outdated, because a statement changed rows of unknown items.
  package private(set) var hidesState = false

  package init(on row: ListCounters) {
    ledger = WriteLedger(on: row)
  }

  /// Returns the rows to send to the server, which are no longer pending then.
  package mutating func takePending() -> PendingRows {
    defer { pending = PendingRows() }
    return pending
  }

  // MARK: Reads

  /// Returns a cached record, or `nil` if it must be read from the server.
  package func record(of id: ItemID, over state: ListState) -> StoredRecord? {
    cache.records[id] ?? (hidesState ? nil : state.cache.records[id])
  }

  /// Returns a cached lookup, or `nil` if it must be read from the server.
  package func lookup(of id: ItemID, over state: ListState) -> PendingLookup?? {
    // No statement changes the lookups of unknown items.
    cache.lookups[id] ?? state.cache.lookups[id]
  }

  /// Returns a cached match, or `nil` if it must be read from the server.
  package func incompleteItem(matching fingerprint: ContentFingerprint, over state: ListState) -> ItemID?? {
    if let match = cache.changedItem(matching: fingerprint, where: { _ in true }) { return .some(match) }
    if !hidesState,
      let match = state.cache.changedItem(matching: fingerprint, where: { !cache.isChanged($0) })
    {
      return .some(match)
    }
    guard let match = cache.matches[fingerprint] ?? (hidesState ? nil : state.cache.matches[fingerprint]) else {
      return nil
    }
    guard let match else { return .some(nil) }
    // The server returned an item that was changed later. Another item may match.
    let isOutdated = cache.isChanged(match) || (!hidesState && state.cache.isChanged(match))
    return isOutdated ? nil : .some(match)
  }

  package mutating func add(_ record: StoredRecord, of id: ItemID) { cache.add(record, of: id) }

  package mutating func add(_ match: ItemID?, for fingerprint: ContentFingerprint) {
    cache.add(match, for: fingerprint)
  }

  package mutating func add(_ lookup: PendingLookup?, of id: ItemID) { cache.add(lookup, of: id) }

  /// Makes every later read a read of the server, after a statement that changed rows of unknown items.
  package mutating func discardRecords() {
    cache.discardRecords()
    hidesState = true
  }
}

// MARK: - Changes

extension ListWrite {
  package mutating func insert(_ item: ToDoItem, fingerprint: ContentFingerprint) {
    collect(ledger.insert(item, fingerprint: fingerprint))
  }

  package mutating func reinsert(_ item: ToDoItem, fingerprint: ContentFingerprint) {
    collect(ledger.reinsert(item, fingerprint: fingerprint))
  }

  /// - Parameter current: the state of the item before the update.
  package mutating func update(
    _ item: ToDoItem, cause: PutCause, fingerprint: ContentFingerprint, current: ToDoItem,
    addedAs: ContentFingerprint?
  ) {
    collect(ledger.update(item, cause: cause, fingerprint: fingerprint, current: current, addedAs: addedAs))
  }

  /// - Parameter kept: the deleted item.
  package mutating func restore(
    _ item: ToDoItem, fingerprint: ContentFingerprint, kept: ToDoItem, addedAs: ContentFingerprint?
  ) {
    collect(ledger.restore(item, fingerprint: fingerprint, kept: kept, addedAs: addedAs))
  }

  /// - Parameter item: the state of the item before the deletion.
  package mutating func delete(
    _ item: ToDoItem, addedAs: ContentFingerprint?, at time: Timestamp, restorableUntil expiry: Timestamp?
  ) {
    collect(ledger.delete(item, addedAs: addedAs, at: time, restorableUntil: expiry))
  }

  /// Removes a kept item's content. Its ID stays reserved, and the list's revision the same.
  package mutating func remove(_ kept: ToDoItem, deletedAt time: Timestamp) {
    collect(ledger.remove(kept, deletedAt: time))
  }

  package mutating func setLookup(_ lookup: PendingLookup?, of id: ItemID) {
    cache.add(lookup, of: id)
    pending.set(lookup, of: id)
  }

  private mutating func collect(_ rows: ChangedRows) {
    // An earlier change that is not pending was sent.
    let isSent = rows.isRepeated && pending.changes[rows.change.key] == nil
    collect(rows.item)
    pending.set(rows.change, isRepeated: isSent)
  }

  private mutating func collect(_ item: PendingItem) {
    cache.replace(StoredRecord(item), of: item.item.id, fingerprint: item.fingerprint)
    pending.set(item)
  }
}
