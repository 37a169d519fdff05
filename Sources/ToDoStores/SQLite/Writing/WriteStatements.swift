import ToDoSQLite

/// The statements of the writing connection, each compiled when it is used first.
final class WriteStatements {
  let begin, commit, rollback: Statement
  let setSavepoint, releaseSavepoint, rollBackToSavepoint: Statement
  let schemaVersion, accountVersion, availableList, owner, addOwner, setRevision: Statement
  let record, deletedItem, incompleteItem: Statement
  let insert, update, delete, markDeleted: Statement
  let deletedItems: DeletedItemStatements
  let changesOfRevision, formerState: Statement
  let copyToHistory, addDeletion, firstItems, firstDone, countOfDone, setDeletion: Statement
  let pendingLookup, setPendingLookup, deletePendingLookup: Statement
  let duePendingLookups, postponePendingLookup: Statement
  let nextChange, firstRetained, removePast, removeDeletedIDs: Statement

  let connection: SQLiteConnection

  init(on connection: SQLiteConnection) {
    func statement(_ sql: String) -> Statement { Statement(compilingLater: sql, on: connection) }
    self.connection = connection
    begin = statement(ItemSQL.begin)
    commit = statement(ItemSQL.commit)
    rollback = statement(ItemSQL.rollback)
    setSavepoint = statement(ItemSQL.setSavepoint)
    releaseSavepoint = statement(ItemSQL.releaseSavepoint)
    rollBackToSavepoint = statement(ItemSQL.rollBackToSavepoint)
    schemaVersion = statement(ItemSQL.schemaVersion)
    accountVersion = statement(ItemSQL.accountVersion)
    availableList = statement(ItemSQL.availableList)
    owner = statement(ItemSQL.owner)
    addOwner = statement(ItemSQL.addOwner)
    setRevision = statement(ItemSQL.setRevision)
    record = statement(ItemSQL.record)
    deletedItem = statement(ItemSQL.deletedItem)
    incompleteItem = statement(ItemSQL.incompleteItem)
    insert = statement(ItemSQL.insert)
    update = statement(ItemSQL.update)
    delete = statement(ItemSQL.delete)
    markDeleted = statement(ItemSQL.markDeleted)
    deletedItems = DeletedItemStatements(on: connection)
    changesOfRevision = statement(ItemSQL.changesOfRevision)
    formerState = statement(ItemSQL.formerState)
    copyToHistory = statement(ItemSQL.copyToHistory)
    addDeletion = statement(ItemSQL.addDeletion)
    firstItems = statement(ItemSQL.firstItems)
    firstDone = statement(ItemSQL.firstDone)
    countOfDone = statement(ItemSQL.countOfDone)
    setDeletion = statement(ItemSQL.setDeletion)
    pendingLookup = statement(ItemSQL.pendingLookup)
    setPendingLookup = statement(ItemSQL.setPendingLookup)
    deletePendingLookup = statement(ItemSQL.deletePendingLookup)
    duePendingLookups = statement(ItemSQL.duePendingLookups)
    postponePendingLookup = statement(ItemSQL.postponePendingLookup)
    nextChange = statement(ItemSQL.nextChange)
    firstRetained = statement(ItemSQL.firstRetained)
    removePast = statement(ItemSQL.removePast)
    removeDeletedIDs = statement(ItemSQL.removeDeletedIDs)
  }

  /// Whether a transaction is open. It is not if SQLite rolled back by itself, for example on a full disk.
  var isInTransaction: Bool { connection.isInTransaction }

  /// The number of rows that the last `insert`, `update` or `delete` changed.
  var changeCount: Int { connection.changeCount }

  /// The number of the last inserted row.
  var lastInsertedNumber: Int64 { connection.lastInsertedRow }
}

/// The statements for deleted items.
struct DeletedItemStatements {
  let keep, kept, restore, removeID, removeDeletion, expired, removeExpired: Statement

  init(on connection: SQLiteConnection) {
    func statement(_ sql: String) -> Statement { Statement(compilingLater: sql, on: connection) }
    keep = statement(ItemSQL.keepDeleted)
    kept = statement(ItemSQL.keptItem)
    restore = statement(ItemSQL.restore)
    removeID = statement(ItemSQL.removeDeletedID)
    removeDeletion = statement(ItemSQL.removeDeletion)
    expired = statement(ItemSQL.expiredItems)
    removeExpired = statement(ItemSQL.removeExpired)
  }
}
