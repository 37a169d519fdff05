package import ToDoModel
package import ToDoRules
import ToDoSQLite

/// Fills a new database file with the contents of another store.
///
/// The incomplete copy is `PATH.moving`, which no server opens. It is renamed when it is complete.
package final class SQLiteCopyTarget: CopyTarget {
  private let path: String
  private let partial: DatabaseFile
  /// `nil` once the copy is complete.
  private var connection: SQLiteConnection?
  private var rows: SQLiteCopyRows?

  /// Creates the incomplete copy, or opens the one that an earlier run left.
  ///
  /// - Throws: `StoreCopyError.targetNotEmpty` if the file exists, `StoreCopyError.targetBusy`, `SQLiteStoreError`.
  package init(path: String) throws {
    self.path = path
    guard !DatabaseFile(path: path).exists else { throw StoreCopyError.targetNotEmpty(target: path) }
    partial = DatabaseFile(path: path + ".moving")
    do {
      if partial.exists { try partial.checkUnused() }
      try partial.open().close()
      connection = try partial.openExclusively()
    } catch DatabaseMaintenanceError.inUse {
      throw StoreCopyError.targetBusy
    }
  }

  private var db: SQLiteConnection {
    get throws {
      guard let connection else { throw SQLiteError(.misuse) }
      return connection
    }
  }

  // MARK: Progress

  package func begin(from source: StoreIdentity) throws -> [String: CopiedSummary] {
    let db = try db
    let key = source.fingerprintKey.storedBytes
    if try db.number(SQLiteCopySQL.hasProgress) == nil {
      try db.transaction(.immediate) {
        try db.execute(SQLiteCopySQL.createProgress)
        try db.run("INSERT INTO move_source VALUES (?, ?)", [Int64(bitPattern: source.incarnation.number), key])
        try db.run("UPDATE fingerprint_key SET key = ?", [key])
      }
    }
    let stored = try db.rows("SELECT incarnation, key FROM move_source") { ($0.number(0), $0.bytes(1)) }.first
    guard let stored, stored == (Int64(bitPattern: source.incarnation.number), key) else {
      throw StoreCopyError.otherSource(target: partial.path)
    }
    rows = SQLiteCopyRows(db, key: source.fingerprintKey)
    let completed = try db.rows("SELECT list, items, deleted, changes, lookups, checksum FROM move_list") { row in
      (row.text(0), CopiedSummary(numbers: (1...5).map { row.number($0) }))
    }
    return Dictionary(completed.compactMap { name, summary in summary.map { (name, $0) } }) { $1 }
  }

  package func rejectList(_ name: String) throws { try db.run("DELETE FROM move_list WHERE list = ?", [name]) }

  package func complete() throws {
    let db = try db
    try db.transaction(.immediate) { try db.execute(SQLiteCopySQL.dropProgress) }
    rows = nil
    try db.close()
    connection = nil
    guard !DatabaseFile(path: path).exists else { throw StoreCopyError.targetNotEmpty(target: path) }
    do { try FileSystem.move(partial.plainPath, to: DatabaseFile(path: path).plainPath) } catch {
      throw StoreCopyError.failed(reason: "\(path): \(error.reason)")
    }
  }

  // MARK: Lists

  package func removeList(_ name: String) throws {
    let db = try db
    try db.transaction(.immediate) {
      try db.run("DELETE FROM move_list WHERE list = ?", [name])
      guard let owner = try db.number(SQLiteCopySQL.owner, [name]) else { return }
      for table in ["item", "deleted_item", "past_change", "pending_lookup"] {
        try db.run("DELETE FROM \(table) WHERE owner = ?", [owner])
      }
      try db.run("DELETE FROM owner WHERE number = ?", [owner])
    }
  }

  package func write(_ records: [CopiedRecord], of list: CopiedList) throws {
    let db = try db
    try db.transaction(.immediate) {
      let owner = try owner(list.name)
      for record in records { try rows?.insert(record, owner: owner) }
    }
  }

  package func finishList(_ list: CopiedList, _ summary: CopiedSummary) throws {
    let (db, counters) = (try db, list.counters)
    try db.transaction(.immediate) {
      try db.run(
        ItemSQL.setRevision,
        [
          try owner(list.name), counters.revision.number, counters.floor.number, counters.itemCount,
          counters.byteCount,
          counters.lastNumber.value,
        ])
      try db.run("INSERT OR REPLACE INTO move_list VALUES (?, ?, ?, ?, ?, ?)", [list.name] + summary.numbers)
    }
  }

  private func owner(_ name: String) throws -> Int64 {
    let db = try db
    if let owner = try db.number(SQLiteCopySQL.owner, [name]) { return owner }
    try db.run("INSERT INTO owner (name, revision) VALUES (?, 0)", [name])
    return db.lastInsertedRow
  }

  package func reader() throws -> any CopySource { SQLiteCopySource(reading: try db) }

  // MARK: Accounts

  package func write(_ accounts: Accounts) throws {
    let version = AccountStatement("UPDATE account_version SET version = ?", [.number(accounts.version)])
    try run([version] + SQLiteAccountTables.sql.replaceAll(with: accounts))
  }

  package func write(_ lists: CopiedUserLists) throws {
    try run(SQLiteAccountTables.listSQL.replaceAll(with: lists))
  }

  package func write(_ targets: [OwnerID: [NotificationTarget]]) throws {
    try run(SQLiteAccountTables.notificationSQL.replaceAll(with: targets))
  }

  package func write(_ states: [CopiedReminderState]) throws {
    try run(SQLiteAccountTables.reminderSQL.replaceAll(with: states))
  }

  private func run(_ statements: [AccountStatement]) throws {
    let db = try db
    try db.transaction(.immediate) {
      for statement in statements { try db.run(statement.sql, statement.values) }
    }
  }
}
