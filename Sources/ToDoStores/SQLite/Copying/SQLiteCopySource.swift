package import ToDoModel
package import ToDoRules
import ToDoSQLite

/// Reads a database file that is moved to another store.
package final class SQLiteCopySource: CopySource {
  private let db: SQLiteConnection
  /// The number of other connections' commits that this connection had seen when the snapshot began; `nil` without a
  /// snapshot.
  private var version: Int64?

  /// Opens a database of the current schema that no other process uses, and begins a snapshot.
  ///
  /// - Throws: `SQLiteStoreError`, `DatabaseMaintenanceError.inUse`, `SQLiteError`.
  package init(path: String) throws {
    let file = DatabaseFile(path: path)
    guard file.exists else { throw SQLiteStoreError.missing(path: path) }
    try file.checkUnused()
    db = try file.openExisting()
    try Migrator(file: file).checkSchema(of: db)
    try db.execute("BEGIN DEFERRED")
    version = try db.number("PRAGMA data_version")
    // The first read begins the snapshot.
    _ = try db.number("SELECT count(*) FROM owner")
  }

  /// Creates a reader of the current moment.
  init(reading connection: SQLiteConnection) {
    db = connection
  }

  package var identity: StoreIdentity {
    get throws {
      StoreIdentity(incarnation: try ListIncarnation.read(from: db), fingerprintKey: try FingerprintKey(db))
    }
  }

  package func endSnapshot() throws -> Bool {
    guard let version else { return false }
    try db.execute("COMMIT")
    self.version = nil
    return try db.number("PRAGMA data_version") != version
  }

  package func lists() throws -> [CopiedList] {
    try db.rows(SQLiteCopySQL.lists) { row in
      let name = row.text(0)
      guard row.optionalNumber(6) == nil else { throw StoreCopyError.unfinishedDeletion(list: name) }
      return try CopiedList(
        name: name, revision: row.number(1), floor: row.number(2), itemCount: row.number(3), byteCount: row.number(4),
        lastNumber: row.number(5))
    }
  }

  package func accounts() throws -> Accounts { try SQLiteAccountTables(db: db).accounts() }

  package func userLists() throws -> CopiedUserLists { try SQLiteAccountTables(db: db).userLists() }

  package func notificationTargets() throws -> [OwnerID: [NotificationTarget]] {
    try SQLiteAccountTables(db: db).notificationTargets()
  }

  package func reminderStates() throws -> [CopiedReminderState] { try SQLiteAccountTables(db: db).reminderStates() }

  package func forEachRecord(of list: CopiedList, _ body: (CopiedRecord) throws -> Void) throws {
    guard let owner = try db.number(SQLiteCopySQL.owner, [list.name]) else { return }
    try forEachItem(of: owner) { try body(.item($0)) }
    let reader = try SQLiteChangeReader(db, owner: owner, list)
    try reader.forEachRemainder { try body(.change($0)) }
    try reader.forEachChange { try body(.change($0)) }
    try forEachLookup(of: owner, list) { try body(.lookup($0)) }
  }

  private func forEachItem(of owner: Int64, _ body: (CopiedItem) throws -> Void) throws {
    let row = try Statement(SQLiteCopySQL.items, on: db, binding: [owner])
    let next = SQLiteItemRow.columnCount
    try row.forEachRow {
      let addedAs = row.fingerprint(next + 2)
      guard let deletedAt = row.optionalNumber(next) else {
        let cause = PutCause(number: row.number(SQLiteItemRow.Column.cause.rawValue)) ?? .added
        try body(
          CopiedItem(
            try SQLiteItemRow.decode(row), .present, addedAs: addedAs, cause: cause, origin: row.origin(next + 3)))
        return true
      }
      let time = Timestamp(microseconds: deletedAt)
      if let expiry = row.optionalNumber(next + 1) {
        let state = PendingItem.State.kept(deletedAt: time, expiresAt: Timestamp(microseconds: expiry))
        try body(CopiedItem(try SQLiteItemRow.decodeDeleted(row), state, addedAs: addedAs))
      } else {
        guard let id = row.id(0) else { throw ToDoError.storeUnavailable(detail: "a reserved ID is not valid") }
        let revision = Revision(row.number(SQLiteItemRow.Column.revision.rawValue))
        try body(CopiedItem(.placeholder(id, revision, at: time), .reserved(deletedAt: time)))
      }
      return true
    }
  }

  private func forEachLookup(of owner: Int64, _ list: CopiedList, _ body: (PendingLookup) throws -> Void) throws {
    let row = try Statement(SQLiteCopySQL.lookups, on: db, binding: [owner])
    try row.forEachRow {
      guard let id = row.id(0) else { throw ToDoError.storeUnavailable(detail: "a pending lookup has no valid ID") }
      try body(
        PendingLookup(
          owner: OwnerID(list.name), item: id, address: row.text(1), attempts: Int(row.number(2)),
          due: Timestamp(microseconds: row.number(3))))
      return true
    }
  }
}

extension StoreCopyError {
  /// Runs `body`, and throws SQLite's and the store's errors as `failed`.
  package static func translatingErrors<Value>(_ body: () throws -> Value) throws -> Value {
    do { return try body() } catch let error as SQLiteError {
      throw failed(reason: "the database file failed: \(error.code.meaning)")
    } catch let error as ToDoError {
      throw failed(reason: "\(error)")
    }
  }
}
