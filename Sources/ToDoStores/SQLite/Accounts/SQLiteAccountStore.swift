import Synchronization
public import ToDoModel
public import ToDoRules
package import ToDoSQLite

/// A store of users, tokens and lists, in the same database file as the items.
///
/// Several processes may use one file, so that users can be managed while a server runs.
public final class SQLiteAccountStore: DatabaseAccountStore {
  /// The connections to the database. The account version has its own connection, so that reading it never waits for another
  /// operation.
  private struct Connections: Sendable {
    let main: SQLiteConnectionQueue
    let version: SQLiteConnectionQueue
  }

  /// `nil` once the store is closed, because a closed database must not be used.
  private let connections: Mutex<Connections?>
  private let schemaVersion: Int
  /// The log length, in pages, from which a change or a purge moves the log.
  private let logLength: Int

  /// Opens a database that has the current schema. An older or newer database is rejected unchanged. Waits for the disk.
  ///
  /// - Parameter createsIfMissing: whether to create a database if there is no file.
  /// - Throws: `SQLiteStoreError`.
  public convenience init(path: String, createsIfMissing: Bool = false) throws {
    try self.init(DatabaseFile(path: path), createsIfMissing: createsIfMissing)
  }

  /// Opens the database of an item store, whose writes and those of this store take turns.
  ///
  /// - Throws: `SQLiteStoreError`.
  public convenience init(beside items: SQLiteToDoItemStore) throws { try self.init(items.file) }

  init(_ file: DatabaseFile, createsIfMissing: Bool = false) throws {
    schemaVersion = file.migrations.count
    logLength = file.logLength
    let main = createsIfMissing && !file.exists ? try file.open() : try file.openCurrent()
    connections = Mutex(
      Connections(
        main: SQLiteConnectionQueue(main, label: "ToDoStores.Accounts", turns: file.turns),
        version: SQLiteConnectionQueue(try file.openForReading(), label: "ToDoStores.AccountVersion")))
  }

  /// Waits until the running operations are complete, and closes the file. Later calls throw `ToDoError.storeUnavailable`.
  public func close() {
    let closed = connections.withLock { connections in
      defer { connections = nil }
      return connections
    }
    closed?.version.close()
    closed?.main.close()
  }

  public func accounts() async throws -> Accounts { try await read { try $0.accounts() } }

  public func allNotificationTargets() async throws -> NotificationTargets {
    try await read { try $0.allNotificationTargets() }
  }

  public func accountVersion() async throws -> Int64 {
    try await read(on: \.version) { try SQLiteAccountTables(db: $0).version }
  }

  public func isSchemaCurrent() async throws -> Bool {
    let expected = schemaVersion
    return try await read(on: \.version) { try $0.number("PRAGMA user_version") == Int64(expected) }
  }

  // MARK: Transactions

  private func openConnections() throws -> Connections {
    guard let connections = connections.withLock(\.self) else { throw ToDoError.storeClosed }
    return connections
  }

  package func read<Value: Sendable>(
    _ body: @escaping @Sendable (SQLiteAccountTables) throws -> Value
  ) async throws -> Value {
    try await read(on: \.main) { try body(SQLiteAccountTables(db: $0)) }
  }

  package func readImmediately<Value: Sendable>(
    _ body: @escaping @Sendable (SQLiteAccountTables) throws -> Value
  ) async throws -> Value {
    try await read(on: \.version) { try body(SQLiteAccountTables(db: $0)) }
  }

  private func read<Value: Sendable>(
    on connection: KeyPath<Connections, SQLiteConnectionQueue>,
    _ body: @escaping @Sendable (SQLiteConnection) throws -> Value
  ) async throws -> Value {
    try await translatingErrors { try await openConnections()[keyPath: connection].transaction(.deferred, body) }
  }

  /// Runs `body` outside a transaction.
  private func maintain<Value: Sendable>(_ body: @escaping @Sendable (SQLiteConnection) throws -> Value) async throws
    -> Value
  {
    try await translatingErrors { try await openConnections().main.run(body) }
  }

  package func write<Value: Sendable>(
    _ body: @escaping @Sendable (SQLiteAccountTables) throws -> (Value, endingAccessTo: OwnerID?)
  ) async throws -> Value {
    try await writeLists { tables in
      let (value, list) = try body(tables)
      try tables.incrementVersion()
      if let list { try tables.endAccess(to: list) }
      return value
    }
  }

  package func writeLists<Value: Sendable>(
    _ body: @escaping @Sendable (SQLiteAccountTables) throws -> Value
  ) async throws -> Value {
    let expected = schemaVersion
    return try await translatingErrors {
      let main = try openConnections().main
      let value = try await main.transaction(.immediate) { db in
        guard try db.number("PRAGMA user_version") == Int64(expected) else { throw ToDoError.schemaChanged }
        return try body(SQLiteAccountTables(db: db))
      }
      // If it fails, the change is made anyway, and the next one moves the log.
      try? await main.run { [logLength] in try Self.moveLog(of: $0, from: logLength) }
      return value
    }
  }

  private func translatingErrors<Value>(_ body: () async throws -> Value) async throws -> Value {
    do { return try await body() } catch let error
      where error is AccountError || error is WriteRight.Outdated || error is CancellationError
    {
      throw error
    } catch {
      throw ToDoError(error)
    }
  }
}

extension SQLiteAccountStore {
  /// Deletes a list's items, history, deleted IDs and pending lookups, and overwrites their data in the file.
  ///
  /// Each transaction deletes a bounded number of rows and is followed by a pause of the same length, so that other writers
  /// take turns with it. The list's revision stays and grows by one: clients and caches that know an earlier revision
  /// find nothing under it. Writes in flight whose callers' access was checked before are not made, so the list stays empty
  /// until a user is added with it again.
  ///
  /// - Returns: the number of deleted rows.
  /// - Throws: `ToDoError`. The rows deleted before the error stay deleted; another call deletes the rest.
  public func purgeList(_ list: OwnerID) async throws -> Int {
    try await purgeList(list, rowsPerTransaction: 100, clock: ContinuousClock())
  }

  /// - Parameter clock: measures the transactions and the pauses.
  func purgeList(_ list: OwnerID, rowsPerTransaction: Int, clock: some Clock<Duration>) async throws -> Int {
    guard let number = try await beginPurge(of: list) else { return 0 }
    let total = try await ListPurge.run(clock: clock) {
      try await maintain { [logLength] db in
        let count = try Self.purge(number, db, limit: rowsPerTransaction)
        try Self.moveLog(of: db, from: logLength)
        return count
      }
    }
    // A reader of an old state, or another checkpoint, can prevent it. Later commits overwrite the log in any case.
    for _ in 0..<Self.truncations {
      if try await maintain({ try Self.truncateLog(of: $0) }) { break }
      try await clock.sleep(for: .milliseconds(100))
    }
    return total
  }

  /// The maximum number of attempts to truncate the log.
  private static let truncations = 50

  /// Removes the old pages from the log.
  ///
  /// - Returns: whether the log was truncated.
  private static func truncateLog(of db: SQLiteConnection) throws -> Bool {
    try moveLog(of: db, from: 1)
    let index = try LogIndex(db)
    guard index.log.pending == 0 else { return false }
    let length = index.log.length
    // The next commit of a page starts the log again, and truncates it.
    try db.execute("PRAGMA journal_size_limit = 0")
    defer { try? db.execute("PRAGMA journal_size_limit = \(DatabaseFile.maximumIdleLogSize)") }
    try db.transaction(.immediate) {
      let version = try db.number("PRAGMA user_version") ?? 0
      try db.execute("PRAGMA user_version = \(version)")
    }
    return index.log.length < length
  }

  /// Moves the log if it has a number of pages.
  private static func moveLog(of db: SQLiteConnection, from length: Int) throws {
    guard try LogIndex(db).log.length >= length else { return }
    // Busy while another connection moves it.
    do { try db.checkpoint() } catch let error as SQLiteError where error.code == .busy {}
  }

  /// Raises the floor of the feed above every row that will be deleted.
  private func beginPurge(of list: OwnerID) async throws -> Int64? {
    try await maintain { db in
      try db.execute("PRAGMA secure_delete = ON")
      return try db.rows(
        """
        UPDATE owner SET (revision, floor, deletion, deletion_time, deletion_expiry, access_version)
          = (revision + 1, revision + 1, NULL, NULL, NULL, (SELECT version FROM account_version))
        WHERE name = ? RETURNING number
        """, [list.name]
      ) { $0.number(0) }.first
    }
  }

  /// Deletes rows of the first table that has any.
  ///
  /// - Returns: the number of deleted rows.
  private static func purge(_ number: Int64, _ db: SQLiteConnection, limit: Int) throws -> Int {
    try db.transaction(.immediate) {
      var count = 0
      for part in parts where count == 0 {
        let sizes = try db.rows(
          """
          DELETE FROM \(part.table) WHERE owner = ?1
            AND (\(part.key)) IN (SELECT \(part.key) FROM \(part.table) WHERE owner = ?1 LIMIT ?2) RETURNING \(part.size)
          """, [number, limit]
        ) { $0.number(0) }
        count = sizes.count
        // Keeps the list consistent for other connections after each step.
        try db.run(
          """
          UPDATE owner SET (revision, floor, item_count, byte_count)
            = (revision + 1, revision + 1, max(0, item_count - ?2), max(0, byte_count - ?3)) WHERE number = ?1
          """, [number, part.table == "item" ? count : 0, sizes.reduce(0, +)])
      }
      return count
    }
  }

  private static let parts = [
    (table: "past_change", key: "revision, id", size: ItemSQL.size), (table: "pending_lookup", key: "id", size: "0"),
    (table: "deleted_item", key: "id", size: ItemSQL.deletedSize),
    (table: "item", key: "number", size: ItemSQL.size),
  ]
}

/// The tables of users and tokens in a database file.
package struct SQLiteAccountTables: AccountTables {
  let db: SQLiteConnection

  package static let sql = AccountSQL(userTable: "user", tokenUser: "user", parameterPrefix: "?")
  package static let listSQL = ListSQL(
    itemOwners: "owner", versions: "account_version", lock: "", parameterPrefix: "?")
  package static let notificationSQL = NotificationSQL(userTable: "user", parameterPrefix: "?")
  package static let reminderSQL = ReminderStateSQL(parameterPrefix: "?")

  package var version: Int64 {
    get throws {
      let statement = try db.cachedStatement("SELECT version FROM account_version")
      return try statement.firstRow { statement.number(0) } ?? 0
    }
  }

  package func incrementVersion() throws { try db.execute("UPDATE account_version SET version = version + 1") }

  /// A list without a row needs no mark, because its writes compare the account version itself.
  package func endAccess(to list: OwnerID) throws {
    try db.run(
      """
      UPDATE owner SET access_version = (SELECT version FROM account_version)
      WHERE name = ?1 OR name IN (SELECT 'list:' || id FROM user_list WHERE owner = ?1)
        OR name IN (SELECT 'list:' || list_id FROM list_member WHERE member = ?1)
      """, [list.name])
  }

  /// The transaction excludes all others that write.
  package func lockItems(of list: OwnerID) {}

  package func rows<Value>(of statement: AccountStatement, decode: (Statement) throws -> Value) throws -> [Value] {
    try db.rows(statement.sql, statement.values, decode: decode)
  }
}

extension Statement: AccountRow {
  package func flag(_ column: Int32) -> Bool { number(column) != 0 }
}

extension AccountStatement.Value: Bindable {
  package func bind(to statement: Statement, at parameter: Int32) {
    switch self {
    case .text(let text): text.bind(to: statement, at: parameter)
    case .number(let number): number.bind(to: statement, at: parameter)
    case .bytes(let bytes): bytes.bind(to: statement, at: parameter)
    case .flag(let flag): flag.bind(to: statement, at: parameter)
    }
  }
}
