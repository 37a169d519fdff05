#if PostgreSQL
import ToDoModel
import ToDoPostgreSQL
import ToDoRules
import ToDoStores

/// One write to a list, in a transaction that it shares with other writes.
///
/// Reads of IDs and fingerprints that the write declared need no round trip. Changes are collected, and sent with
/// those of the other writes when the transaction is committed. A statement that depends on them sends them first.
final class PostgreSQLItemTransaction {
  private let owner: OwnerID
  private let group: PostgreSQLWriteGroup
  /// The effects of this write.
  private(set) var write: ListWrite
  /// Whether statements of this write have run, so that a savepoint was set before them.
  private(set) var hasSavepoint = false
  /// The lists of the write. The changes of earlier writes to them precede its savepoints.
  private let owners: [OwnerID]

  /// - Parameter owners: the lists that the write changes.
  init(on owner: OwnerID, of owners: [OwnerID], in group: PostgreSQLWriteGroup) {
    self.owner = owner
    self.owners = owners
    self.group = group
    write = ListWrite(on: group.state(of: owner).ledger.row)
  }

  /// The effects of the earlier writes.
  var state: ListState { group.state(of: owner) }

  /// The list's name, as a parameter of a statement.
  var name: String { owner.name.storable }

  /// Runs a statement that reads only rows that no write of the group has changed.
  func read(_ sql: SQL, _ parameters: Parameters) throws -> Rows {
    group.noteUndeclaredRead()
    return try group.run([BoundStatement(sql, parameters)])
  }

  /// Sends the pending changes of the list, then runs a statement, in one round trip.
  ///
  /// The changes of this write follow a savepoint, and those of earlier writes precede it, so that only the changes
  /// of this write are rolled back if the body throws.
  ///
  /// - Parameter changesRows: whether the statement changes something.
  private func flush(running sql: SQL, _ parameters: Parameters, changesRows: Bool) throws -> Rows {
    var batch = group.takePendingStatements(of: owners)
    if !hasSavepoint, changesRows || !write.pending.isEmpty {
      batch.append(BoundStatement(WriteSQL.setSavepoint))
      hasSavepoint = true
    }
    var rows = RowBatch()
    rows.add(write.takePending(), of: owner)
    return try group.run(batch + rows.statements + [BoundStatement(sql, parameters)])
  }
}

extension PostgreSQLItemTransaction: ItemTransaction {
  var accessVersion: Int64 { state.accessVersion }

  var isListAvailable: Bool { state.isAvailable }

  var revision: Revision { write.ledger.revision }

  var nextNumber: ItemNumber { write.ledger.row.nextNumber }

  var itemCount: Int { write.ledger.row.itemCount }

  var byteCount: Int { write.ledger.row.byteCount }

  func record(of id: ItemID) throws -> ItemRecord { try storedRecord(of: id).itemRecord }

  func deletedItem(_ id: ItemID) throws -> ToDoItem? { try storedRecord(of: id).keptItem }

  private func storedRecord(of id: ItemID) throws -> StoredRecord {
    if let record = write.record(of: id, over: state) { return record }
    // The rows of unknown items were not changed, or were changed by a statement.
    let rows = try read(WriteSQL.records, ItemKeys([(owner, id)]).parameters)
    let record = rows.count > 0 ? StoredRecord(rows, 0, id: id) : .absent
    try group.check(rows)
    write.add(record, of: id)
    return record
  }

  func incompleteItem(matching fingerprint: ContentFingerprint) throws -> ItemID? {
    if let match = write.incompleteItem(matching: fingerprint, over: state) { return match }
    group.noteUndeclaredRead()
    let keys = FingerprintKeys([(owner, fingerprint)])
    let rows = try flush(running: WriteSQL.matches, keys.parameters, changesRows: false)
    let match = rows.count > 0 ? ItemID(uuid: rows.uuid(0, 1)) : nil
    try group.check(rows)
    write.add(match, for: fingerprint)
    return match
  }

  func incompleteItems(matching fingerprint: ContentFingerprint, limit: Int) throws -> [ItemID] {
    group.noteUndeclaredRead()
    var parameters = FingerprintKeys([(owner, fingerprint)]).parameters
    parameters.append(Int64(limit))
    let rows = try flush(running: WriteSQL.severalMatches, parameters, changesRows: false)
    let ids = (0..<rows.count).map { ItemID(uuid: rows.uuid($0, 1)) }
    try group.check(rows)
    return Array(ids.prefix(limit))
  }

  func pendingLookup(of id: ItemID) throws -> PendingLookup? {
    if let lookup = write.lookup(of: id, over: state) { return lookup }
    var parameters = Parameters()
    parameters.append(name)
    parameters.append(uuid: id.uuid)
    let rows = try read(WriteSQL.pendingLookup, parameters)
    var lookup: PendingLookup?
    if rows.count > 0 {
      lookup = PendingLookup(
        owner: owner, item: id, address: rows.text(0, 0), attempts: Int(rows.int32(0, 1)),
        due: Timestamp(microseconds: rows.int64(0, 2)))
    }
    try group.check(rows)
    write.add(lookup, of: id)
    return lookup
  }

  func setPendingLookup(of id: ItemID, _ lookup: PendingLookup?) { write.setLookup(lookup, of: id) }
}

extension PostgreSQLItemTransaction {
  func insert(_ item: ToDoItem, fingerprint: ContentFingerprint) throws {
    let record = write.record(of: item.id, over: state)
    precondition(record == nil || record == .absent, "an inserted item must have a new ID")
    write.insert(item, fingerprint: fingerprint)
  }

  func reinsert(_ item: ToDoItem, fingerprint: ContentFingerprint) throws {
    let record = try storedRecord(of: item.id)
    precondition(record == .reserved, "an item that is added again must have a reserved ID")
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
    if write.ledger.endsBulkDeletion, write.ledger.change(of: item.id) == nil { try adoptBulkDeletion(of: item.id) }
    write.restore(item, fingerprint: fingerprint, kept: kept, addedAs: addedAs)
  }

  /// Reads the change of an item that this write's bulk deletion deleted, because a restoration replaces that
  /// change.
  private func adoptBulkDeletion(of id: ItemID) throws {
    var parameters = Parameters()
    parameters.append(name)
    parameters.append(revision.number)
    parameters.append(uuid: id.uuid)
    let rows = try read(WriteSQL.change, parameters)
    guard rows.count > 0 else { return }
    var former: ToDoItem?
    if let revision = rows.optionalInt64(0, 1) {
      former = try rows.item(0, 0, id: id, revision: Revision(revision))
    }
    let deletion = ItemDeletion(
      id: id, wasDone: rows.bool(0, 3), revision: revision, deletedAt: Timestamp(microseconds: rows.int64(0, 2)))
    try group.check(rows)
    write.ledger.adopt(
      PendingChange(.deleted(deletion), former: former, origin: write.ledger.origin, floor: write.ledger.row.floor))
  }
}

// MARK: - Many items

extension PostgreSQLItemTransaction {
  /// The maximum number of changes that one call to `compactChanges()` removes.
  private static let compactedChanges: Int64 = 4_096

  func delete(
    _ selection: BulkDeletion, at time: Timestamp, restorableUntil expiry: Timestamp?, byteLimit: Int
  ) throws -> Int {
    precondition(selection != .deleted, "deleted items are removed by removeDeletedItems")
    guard write.ledger.row.itemCount > 0 else { return 0 }
    // The statement records no second change of an item.
    let changed = write.ledger.changes.map(\.change).filter { change in
      if case .put(let item, _) = change { selection == .all || item.isDone } else { false }
    }
    for change in changed { try delete(change.id, at: time, restorableUntil: expiry) }
    let rest = try group.withoutTurn {
      try deleteRest(
        selection, at: time, restorableUntil: try self.expiry(expiry, of: selection, within: byteLimit))
    }
    return changed.count + rest
  }

  /// Returns the time until which a deletion keeps its items, or `nil` if the list has no room for them. Compacts the
  /// earlier changes if the list has no room for copies in the history.
  private func expiry(
    _ expiry: Timestamp?, of selection: BulkDeletion, within byteLimit: Int
  ) throws -> Timestamp? {
    // Most lists have room for a second copy of everything.
    let row = write.ledger.row
    if row.hasRoom(forDeletionOf: row.itemCount, size: row.byteCount, within: byteLimit) { return expiry }
    var parameters = Parameters()
    parameters.append(name)
    let rows = try flush(running: WriteSQL.size(of: selection), parameters, changesRows: false)
    let (count, size) = (Int(rows.int64(0, 0)), Int(rows.int64(0, 1)))
    try group.check(rows)
    if !write.ledger.row.hasRoom(forDeletionOf: count, size: size, within: byteLimit) { try compactChanges() }
    return write.ledger.row.hasRoom(forDeletionOf: count, size: 0, within: byteLimit) ? expiry : nil
  }

  /// Deletes the items that this write has not changed.
  private func deleteRest(
    _ selection: BulkDeletion, at time: Timestamp, restorableUntil expiry: Timestamp?
  ) throws -> Int {
    var parameters = Parameters()
    parameters.append(name)
    parameters.append(revision.number)
    parameters.append(time.microseconds)
    parameters.append(expiry?.microseconds)
    parameters.append(write.ledger.origin.user.storableOrNil)
    parameters.append(write.ledger.origin.client.storableOrNil)
    parameters.append(write.ledger.origin.reverted?.number)
    parameters.append(write.ledger.row.floor.number)
    let sql = WriteSQL.delete(selection, keepsItems: expiry != nil)
    let rows = try flush(running: sql, parameters, changesRows: true)
    write.discardRecords()
    let count = Int(rows.int64(0, 0))
    let (size, formerSize) = (Int(rows.int64(0, 1)), Int(rows.int64(0, 2)))
    guard count > 0 else {
      try group.check(rows)
      return 0
    }
    let deletion = ItemDeletion(
      id: ItemID(uuid: rows.uuid(0, 3)), wasDone: rows.bool(0, 4), revision: revision, deletedAt: time)
    try group.check(rows)
    write.ledger.countBulkDeletion(
      of: count, size: size, formerSize: formerSize, isKept: expiry != nil, at: time)
    write.ledger.endBulkDeletion(deletion, at: time)
    return count
  }

  func removeDeletedItems(limit: Int, sizeLimit: Int) throws -> Int {
    var parameters = Parameters()
    parameters.append(name)
    parameters.append(Int64(limit))
    parameters.append(Int64(sizeLimit))
    let rows = try flush(running: WriteSQL.removeDeletedItems, parameters, changesRows: true)
    let (count, size) = (Int(rows.int64(0, 0)), Int(rows.int64(0, 1)))
    try group.check(rows)
    if count > 0 { write.discardRecords() }
    write.ledger.row.byteCount -= size
    return count
  }

  func compactChanges() throws {
    guard write.ledger.row.revision > .initial else { return }
    var parameters = Parameters()
    parameters.append(name)
    parameters.append(write.ledger.row.revision.number)
    parameters.append(Self.compactedChanges)
    let rows = try flush(running: WriteSQL.removeChanges, parameters, changesRows: true)
    let size = Int(rows.int64(0, 0))
    try group.check(rows)
    write.ledger.row.floor = write.ledger.row.revision
    write.ledger.row.byteCount -= size
  }
}

extension PostgreSQLItemTransaction: HistoryTransaction {
  func attribute(to origin: ChangeOrigin) { write.ledger.origin = origin }

  func changes(of revision: Revision, after last: ItemID?, limit: Int, sizeLimit: Int) throws -> (
    changes: [RevertibleChange], hasMore: Bool
  ) {
    try write.ledger.row.checkCanRead(revision)
    var parameters = Parameters()
    parameters.append(name)
    parameters.append(revision.number)
    parameters.append(Int64(limit))
    parameters.append(Int64(sizeLimit))
    if let last { parameters.append(uuid: last.uuid) }
    group.noteUndeclaredRead()
    let rows = try flush(running: WriteSQL.changes(hasStart: last != nil), parameters, changesRows: false)
    let changes = try (0..<rows.count).map { try revertibleChange(rows, $0, of: revision) }
    let readCount = rows.count > 0 ? Int(rows.int64(0, 7)) : 0
    try group.check(rows)
    return (changes, readCount == limit || readCount > changes.count)
  }

  private func revertibleChange(_ rows: Rows, _ row: Int, of revision: Revision) throws -> RevertibleChange {
    let id = ItemID(uuid: rows.uuid(row, 0))
    let moved = rows.optionalText(row, 8).flatMap { ListMove(storedText: $0) }
    guard let number = rows.optionalInt16(row, 1) else {
      let deletion = ItemDeletion(
        id: id, wasDone: rows.bool(row, 3), revision: revision, deletedAt: Timestamp(microseconds: rows.int64(row, 2))
      )
      return RevertibleChange(.deleted(deletion), former: nil, moved: moved)
    }
    guard let cause = PutCause(number: Int64(number)), !rows.isNull(row, 6) else {
      throw ToDoError.storeUnavailable(detail: "the stored change of \(id) at revision \(revision) is invalid")
    }
    let item = try rows.item(row, 6, id: id, revision: revision)
    var former: ToDoItem?
    if cause != .added, cause != .restored, let revision = rows.optionalInt64(row, 5), !rows.isNull(row, 4) {
      former = try rows.item(row, 4, id: id, revision: Revision(revision))
    }
    return RevertibleChange(.put(item, cause), former: former, moved: moved)
  }
}
#endif
