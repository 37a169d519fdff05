#if PostgreSQL
import ToDoPostgreSQL
import ToDoModel
import ToDoRules
import ToDoStores

/// One write to a list, in a transaction that it shares with other writes.
///
/// Reads of IDs and fingerprints that the write declared need no round trip. Changes are collected, and sent with
/// those of the other writes when the transaction is committed. A statement that depends on them sends them first.
final class PostgreSQLItemTransaction {
  let owner: OwnerID
  let group: PostgreSQLWriteGroup
  /// The effects of this write.
  var write: ListWrite
  /// Whether statements of this write have run, so that a savepoint was set before them.
  private(set) var hasSavepoint = false

  init(on owner: OwnerID, in group: PostgreSQLWriteGroup) {
    self.owner = owner
    self.group = group
    write = ListWrite(on: group.state(of: owner).row)
  }

  /// The effects of the earlier writes.
  var state: ListState { group.state(of: owner) }

  /// The name of the list, as a parameter of a statement.
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
  func flush(running sql: SQL, _ parameters: Parameters, changesRows: Bool) throws -> Rows {
    var batch = group.takePendingStatements(of: owner)
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

  var revision: Revision { write.revision }

  var nextNumber: ItemNumber { write.row.nextNumber }

  var itemCount: Int { write.row.itemCount }

  var byteCount: Int { write.row.byteCount }

  func record(of id: ItemID) throws -> ItemRecord { try storedRecord(of: id).itemRecord }

  func deletedItem(_ id: ItemID) throws -> ToDoItem? { try storedRecord(of: id).keptItem }

  func storedRecord(of id: ItemID) throws -> StoredRecord {
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
#endif
