import SQLite

/// The prepared statements of the writing connection.
final class WriteStatements {
  let begin, commit, rollback: Statement
  let setSavepoint, releaseSavepoint, rollBackToSavepoint: Statement
  let schemaVersion, owner, addOwner, setRevision: Statement
  let record, deletedItem, incompleteItem: Statement
  let insert, update, delete, markDeleted: Statement
  let copyToHistory, addDeletion, firstItems, firstDone, countOfDone, setDeletion: Statement
  let pendingLookup, setPendingLookup, deletePendingLookup: Statement
  let duePendingLookups, postponePendingLookup: Statement
  let nextChange, firstRetained, removePast, removeDeletedIDs: Statement

  let connection: Connection

  /// - Throws: `SQLiteError`.
  init(on connection: Connection) throws {
    func prepare(_ sql: String) throws -> Statement { try Statement(sql, on: connection) }
    self.connection = connection
    begin = try prepare(ItemSQL.begin)
    commit = try prepare(ItemSQL.commit)
    rollback = try prepare(ItemSQL.rollback)
    setSavepoint = try prepare(ItemSQL.setSavepoint)
    releaseSavepoint = try prepare(ItemSQL.releaseSavepoint)
    rollBackToSavepoint = try prepare(ItemSQL.rollBackToSavepoint)
    schemaVersion = try prepare(ItemSQL.schemaVersion)
    owner = try prepare(ItemSQL.owner)
    addOwner = try prepare(ItemSQL.addOwner)
    setRevision = try prepare(ItemSQL.setRevision)
    record = try prepare(ItemSQL.record)
    deletedItem = try prepare(ItemSQL.deletedItem)
    incompleteItem = try prepare(ItemSQL.incompleteItem)
    insert = try prepare(ItemSQL.insert)
    update = try prepare(ItemSQL.update)
    delete = try prepare(ItemSQL.delete)
    markDeleted = try prepare(ItemSQL.markDeleted)
    copyToHistory = try prepare(ItemSQL.copyToHistory)
    addDeletion = try prepare(ItemSQL.addDeletion)
    firstItems = try prepare(ItemSQL.firstItems)
    firstDone = try prepare(ItemSQL.firstDone)
    countOfDone = try prepare(ItemSQL.countOfDone)
    setDeletion = try prepare(ItemSQL.setDeletion)
    pendingLookup = try prepare(ItemSQL.pendingLookup)
    setPendingLookup = try prepare(ItemSQL.setPendingLookup)
    deletePendingLookup = try prepare(ItemSQL.deletePendingLookup)
    duePendingLookups = try prepare(ItemSQL.duePendingLookups)
    postponePendingLookup = try prepare(ItemSQL.postponePendingLookup)
    nextChange = try prepare(ItemSQL.nextChange)
    firstRetained = try prepare(ItemSQL.firstRetained)
    removePast = try prepare(ItemSQL.removePast)
    removeDeletedIDs = try prepare(ItemSQL.removeDeletedIDs)
  }

  /// Whether a transaction is open. It is not if SQLite rolled back by itself, for example on a full disk.
  var isInTransaction: Bool { connection.isInTransaction }

  /// The number of rows that the last `insert`, `update` or `delete` changed.
  var changeCount: Int { connection.changeCount }

  /// The number of the last inserted row.
  var lastInsertedNumber: Int64 { connection.lastInsertedRow }
}
