package import ToDoModel
package import ToDoRules

/// The effects of one write on a list, before the write ends. Dropping the value undoes them.
///
/// `ListState` contains the effects of the earlier writes. A record of the write hides that of the state.
package struct ListWrite {
  /// The list's row. `revision` is that before the write.
  package var row: ListCounters
  package private(set) var cache = RecordCache()
  package private(set) var pending = PendingRows()
  /// The changes of the write by item, including those that were sent to the server.
  package private(set) var changes: [ItemID: PendingChange] = [:]
  /// Who makes the changes.
  package var origin = ChangeOrigin()
  /// Whether the records of the earlier writes are outdated, because a statement changed rows of unknown items.
  package private(set) var hidesState = false
  /// A change of a bulk deletion, if there was one. The other changes are only on the server.
  package private(set) var bulkChange: ItemChange?
  /// The time of the last change.
  package private(set) var lastChange: Timestamp?

  package init(on row: ListCounters) {
    self.row = row
  }

  /// The revision of every change of the write.
  package var revision: Revision { row.nextRevision }

  /// Whether the write changes the list, so that its revision increases.
  package var isChange: Bool { !changes.isEmpty || bulkChange != nil }

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
    let lookups = cache.lookups
    cache = RecordCache()
    for (id, lookup) in lookups { cache.add(lookup, of: id) }
    hidesState = true
  }
}

// MARK: - Changes

extension ListWrite {
  package mutating func insert(_ item: ToDoItem, fingerprint: ContentFingerprint) {
    row.countInsertion(of: item)
    put(item, .added, fingerprint: fingerprint, addedAs: fingerprint, replacing: nil, isNew: true)
  }

  /// - Parameter current: the state of the item before the update.
  package mutating func update(
    _ item: ToDoItem, cause: PutCause, fingerprint: ContentFingerprint, current: ToDoItem,
    addedAs: ContentFingerprint?
  ) {
    row.countUpdate(of: current, to: item)
    put(item, cause, fingerprint: fingerprint, addedAs: addedAs, replacing: current)
  }

  /// - Parameter kept: the deleted item.
  package mutating func restore(
    _ item: ToDoItem, fingerprint: ContentFingerprint, kept: ToDoItem, addedAs: ContentFingerprint?
  ) {
    row.countRestoration(of: item)
    row.byteCount += StoredSize.of(item.content) - StoredSize.of(kept.content)
    put(item, .restored, fingerprint: fingerprint, addedAs: addedAs, replacing: nil)
  }

  /// - Parameter item: the state of the item before the deletion.
  package mutating func delete(
    _ item: ToDoItem, addedAs: ContentFingerprint?, at time: Timestamp, restorableUntil expiry: Timestamp?
  ) {
    var deleted = item
    deleted.revision = revision
    row.countDeletion(of: 1, size: StoredSize.of(item.content), isKept: expiry != nil)
    let record: StoredRecord
    let state: PendingItem.State
    if let expiry {
      deleted.deletion = ToDoItem.Deletion(deletedAt: time, expiresAt: expiry)
      (record, state) = (.kept(deleted, addedAs: addedAs), .kept(deletedAt: time, expiresAt: expiry))
    } else {
      (record, state) = (.reserved, .reserved(deletedAt: time))
    }
    cache.replace(record, of: item.id, fingerprint: nil)
    pending.set(PendingItem(item: deleted, fingerprint: nil, addedAs: addedAs, state: state, isNew: false))
    let deletion = ItemDeletion(id: item.id, wasDone: item.isDone, revision: revision, deletedAt: time)
    note(.deleted(deletion), replacing: item)
  }

  package mutating func setLookup(_ lookup: PendingLookup?, of id: ItemID) {
    cache.add(lookup, of: id)
    pending.set(lookup, of: id)
  }

  /// Records that a statement has deleted items.
  ///
  /// - Parameters:
  ///   - deletion: one of the deletions.
  ///   - size: the size of the items, by `StoredSize`.
  ///   - formerSize: the size of the former states that the history counts.
  ///   - isKept: whether the items can be restored.
  package mutating func noteBulkDeletion(
    _ deletion: ItemDeletion, count: Int, size: Int, formerSize: Int, isKept: Bool
  ) {
    bulkChange = .deleted(deletion)
    row.countDeletion(of: count, size: size, isKept: isKept)
    row.countRecordedDeletions(count, formerSize: formerSize)
    lastChange = deletion.deletedAt
  }

  /// Removes the content of a kept item, whose ID stays reserved. This is no change of the list.
  package mutating func remove(_ kept: ToDoItem, deletedAt time: Timestamp) {
    row.byteCount -= StoredSize.of(kept.content)
    cache.replace(.reserved, of: kept.id, fingerprint: nil)
    pending.set(
      PendingItem(item: kept, fingerprint: nil, addedAs: nil, state: .reserved(deletedAt: time), isNew: false))
  }

  /// Adds a deletion that `noteBulkDeletion` has counted, and that the server has.
  package mutating func adopt(_ deletion: PendingChange) { changes[deletion.change.id] = deletion }

  private mutating func put(
    _ item: ToDoItem, _ cause: PutCause, fingerprint: ContentFingerprint, addedAs: ContentFingerprint?,
    replacing current: ToDoItem?, isNew: Bool = false
  ) {
    cache.replace(.present(item, addedAs: addedAs), of: item.id, fingerprint: fingerprint)
    pending.set(PendingItem(item: item, fingerprint: fingerprint, addedAs: addedAs, state: .present, isNew: isNew))
    note(.put(item, cause), replacing: current)
  }

  /// Records the last change of an item, with the state of the item before the write.
  private mutating func note(_ change: ItemChange, replacing current: ToDoItem?) {
    let earlier = changes[change.id]
    let former = earlier.map(\.former) ?? current
    let recorded = PendingChange(change, former: former, origin: origin, floor: row.floor)
    row.byteCount += recorded.size - (earlier?.size ?? 0)
    let isRepeated = earlier.map { pending.changes[$0.key] == nil } ?? false
    pending.set(recorded, isRepeated: isRepeated)
    changes[change.id] = recorded
    lastChange = change.time
  }
}
