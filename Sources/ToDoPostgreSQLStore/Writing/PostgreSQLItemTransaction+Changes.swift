#if PostgreSQL
import ToDoPostgreSQL
import ToDoModel
import ToDoRules
import ToDoStores

extension PostgreSQLItemTransaction {
  func insert(_ item: ToDoItem, fingerprint: ContentFingerprint) throws {
    let record = write.record(of: item.id, over: state)
    precondition(record == nil || record == .absent, "an inserted item must have a new ID")
    write.insert(item, fingerprint: fingerprint)
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
    if write.bulkChange != nil, write.changes[item.id] == nil { try adoptBulkDeletion(of: item.id) }
    write.restore(item, fingerprint: fingerprint, kept: kept, addedAs: addedAs)
  }

  /// Reads the change of an item that a bulk deletion of this write deleted, because a restoration replaces that
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
    write.adopt(PendingChange(.deleted(deletion), former: former, origin: write.origin, floor: write.row.floor))
  }
}

// MARK: - Many items

extension PostgreSQLItemTransaction {
  /// The maximum number of changes that one call of `compactChanges()` removes.
  private static let compactedChanges: Int64 = 4_096

  func delete(
    _ selection: BulkDeletion, at time: Timestamp, restorableUntil expiry: Timestamp?, byteLimit: Int
  ) throws -> Int {
    precondition(selection != .deleted, "deleted items are removed by removeDeletedItems")
    guard write.row.itemCount > 0 else { return 0 }
    // The statement records no second change of an item.
    let changed = write.changes.values.map(\.change).filter { change in
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
    let row = write.row
    if row.hasRoom(forDeletionOf: row.itemCount, size: row.byteCount, within: byteLimit) { return expiry }
    var parameters = Parameters()
    parameters.append(name)
    let rows = try flush(running: WriteSQL.size(of: selection), parameters, changesRows: false)
    let (count, size) = (Int(rows.int64(0, 0)), Int(rows.int64(0, 1)))
    try group.check(rows)
    if !write.row.hasRoom(forDeletionOf: count, size: size, within: byteLimit) { try compactChanges() }
    return write.row.hasRoom(forDeletionOf: count, size: 0, within: byteLimit) ? expiry : nil
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
    parameters.append(write.origin.user.storableOrNil)
    parameters.append(write.origin.client.storableOrNil)
    parameters.append(write.origin.reverted?.number)
    parameters.append(write.row.floor.number)
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
    write.noteBulkDeletion(deletion, count: count, size: size, formerSize: formerSize, isKept: expiry != nil)
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
    write.row.byteCount -= size
    return count
  }

  func compactChanges() throws {
    guard write.row.revision > .initial else { return }
    var parameters = Parameters()
    parameters.append(name)
    parameters.append(write.row.revision.number)
    parameters.append(Self.compactedChanges)
    let rows = try flush(running: WriteSQL.removeChanges, parameters, changesRows: true)
    let size = Int(rows.int64(0, 0))
    try group.check(rows)
    write.row.floor = write.row.revision
    write.row.byteCount -= size
  }
}
#endif
