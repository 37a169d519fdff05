import ToDoModel
import ToDoRules

/// A write to a list in memory. Its effects are collected in a `ListWrite`, and applied to the list by `commit`.
final class MemoryItemTransaction {
  private var list: MemoryItemList
  private let state: ListState
  private var write: ListWrite

  init(on list: MemoryItemList) {
    self.list = list
    state = ListState(list.counters, accessVersion: list.accessVersion)
    write = ListWrite(on: list.counters)
  }

  /// Returns the changed list, and the commit for observers, or `nil` if nothing changed.
  func commit(of owner: OwnerID) -> (list: MemoryItemList, commit: ListCommit?) {
    var state = state
    state.apply(write)
    list.apply(state.takePending(), counters: state.ledger.row)
    return (list, state.ledger.commit(of: owner))
  }

  /// Returns the list as it was before the transaction.
  func rollback() -> MemoryItemList { list }

  private func storedRecord(of id: ItemID) -> StoredRecord {
    write.record(of: id, over: state) ?? list.rows[id].map { StoredRecord($0) } ?? .absent
  }

  /// The rows of all IDs, in no particular order.
  private var rows: [PendingItem] {
    list.rows.values.filter { write.pending.items[$0.item.id] == nil } + write.pending.items.values
  }
}

extension MemoryItemTransaction: ItemTransaction {
  var accessVersion: Int64 { state.accessVersion }

  var isListAvailable: Bool { list.isAvailable }

  var revision: Revision { write.ledger.revision }

  var nextNumber: ItemNumber { write.ledger.row.nextNumber }

  var itemCount: Int { write.ledger.row.itemCount }

  var byteCount: Int { write.ledger.row.byteCount }

  func record(of id: ItemID) throws -> ItemRecord { try storedRecord(of: id).itemRecord }

  func deletedItem(_ id: ItemID) throws -> ToDoItem? { try storedRecord(of: id).keptItem }

  func incompleteItem(matching fingerprint: ContentFingerprint) -> ItemID? {
    if let match = write.incompleteItem(matching: fingerprint, over: state) { return match }
    return list.incompleteItem(matching: fingerprint) { !write.cache.isChanged($0) }
  }

  /// Scans every row.
  func incompleteItems(matching fingerprint: ContentFingerprint, limit: Int) -> [ItemID] {
    let matches = rows.filter { $0.incompleteFingerprint.map(fingerprint.matches) ?? false }
    return matches.prefix(limit).map(\.item.id)
  }

  func insert(_ item: ToDoItem, fingerprint: ContentFingerprint) {
    precondition(storedRecord(of: item.id) == .absent, "an inserted item must have a new ID")
    write.insert(item, fingerprint: fingerprint)
  }

  func reinsert(_ item: ToDoItem, fingerprint: ContentFingerprint) {
    precondition(storedRecord(of: item.id) == .reserved, "an item that is added again must have a reserved ID")
    write.reinsert(item, fingerprint: fingerprint)
  }

  func update(_ item: ToDoItem, cause: PutCause, fingerprint: ContentFingerprint) throws {
    let (current, addedAs) = try storedRecord(of: item.id).current
    write.update(item, cause: cause, fingerprint: fingerprint, current: current, addedAs: addedAs)
  }

  func delete(_ id: ItemID, at time: Timestamp, restorableUntil expiry: Timestamp?) throws {
    let (item, addedAs) = try storedRecord(of: id).current
    write.delete(item, addedAs: addedAs, at: time, restorableUntil: expiry)
  }

  func restore(_ item: ToDoItem, fingerprint: ContentFingerprint) throws {
    let (kept, addedAs) = try storedRecord(of: item.id).restorable
    write.restore(item, fingerprint: fingerprint, kept: kept, addedAs: addedAs)
  }

  func delete(
    _ selection: BulkDeletion, at time: Timestamp, restorableUntil expiry: Timestamp?, byteLimit: Int
  ) throws -> Int {
    precondition(selection != .deleted, "deleted items are removed by removeDeletedItems")
    let items = rows.filter { $0.state == .present && (selection == .all || $0.item.isDone) }.map(\.item)
    let size = items.reduce(0) { $0 + StoredSize.of($1.content) }
    if !write.ledger.row.hasRoom(forDeletionOf: items.count, size: size, within: byteLimit) { compactChanges() }
    let isKept = write.ledger.row.hasRoom(forDeletionOf: items.count, size: 0, within: byteLimit)
    for item in items { try delete(item.id, at: time, restorableUntil: isKept ? expiry : nil) }
    return items.count
  }

  func removeDeletedItems(limit: Int, sizeLimit: Int) -> Int {
    let kept = rows.compactMap { row -> (item: ToDoItem, time: Timestamp, expiry: Timestamp)? in
      if case .kept(let time, let expiry) = row.state { (row.item, time, expiry) } else { nil }
    }
    var (size, count) = (0, 0)
    for (item, time, _) in kept.sorted(by: { $0.expiry < $1.expiry }).prefix(limit) where size < sizeLimit {
      write.remove(item, deletedAt: time)
      size += StoredSize.of(item.content)
      count += 1
    }
    return count
  }

  func compactChanges() {
    guard write.ledger.row.floor < write.ledger.row.revision else { return }
    write.ledger.row.floor = write.ledger.row.revision
    write.ledger.row.byteCount -= list.changes.byteCount
  }

  // MARK: Lookups

  func pendingLookup(of id: ItemID) -> PendingLookup? {
    write.lookup(of: id, over: state) ?? list.pendingLookups[id]
  }

  func setPendingLookup(of id: ItemID, _ lookup: PendingLookup?) { write.setLookup(lookup, of: id) }

  // MARK: History

  func attribute(to origin: ChangeOrigin) { write.ledger.origin = origin }

  func changes(of revision: Revision, after last: ItemID?, limit: Int, sizeLimit: Int) throws -> (
    changes: [RevertibleChange], hasMore: Bool
  ) {
    try write.ledger.row.checkCanRead(revision)
    let changes = list.changes.entry(of: revision).changes.filter { change in last.map { change.change.id > $0 } ?? true
    }
    var (page, size) = ([RevertibleChange](), 0)
    for change in changes.prefix(limit) where size < sizeLimit {
      page.append(change.revertible)
      size += page[page.count - 1].textSize
    }
    return (page, page.count < changes.count)
  }
}
