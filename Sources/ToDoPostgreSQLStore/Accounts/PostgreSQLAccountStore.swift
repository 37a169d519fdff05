#if PostgreSQL
package import ToDoModel
import ToDoPostgreSQL
package import ToDoRules
import ToDoStores

/// A store of users, tokens and lists, in the same PostgreSQL database as the items.
///
/// Several servers and commands may use one database, so that users can be managed while servers run.
package final class PostgreSQLAccountStore: DatabaseAccountStore {
  private let main: ConnectionWorker
  /// The connection for reading the account version and all accounts, which never waits for another operation: a server
  /// must learn of revoked tokens even while the other connection waits for a former primary.
  private let version: ConnectionWorker
  private let serverID: String
  private let fingerprintKey: [UInt8]

  /// Opens a database that has the current schema. A database with an older or newer schema is rejected unchanged.
  /// Waits for the server.
  ///
  /// A database that cannot be reached later makes operations fail, until it can be reached again.
  ///
  /// - Parameters:
  ///   - uri: a connection URI or "key=value" text of libpq.
  ///   - createsIfMissing: whether to create the tables if the database contains none.
  ///   - serverID: the ID with which changes are announced on the channel `todo_accounts`; by default a random ID.
  /// - Throws: `PostgreSQLStoreError`.
  package convenience init(
    uri: String, createsIfMissing: Bool = false, serverID: String? = nil
  ) throws(PostgreSQLStoreError) {
    try self.init(uri: uri, createsIfMissing: createsIfMissing, serverID: serverID, timing: .system)
  }

  /// - Parameter timing: the time of the waits for a database that cannot be reached, or is being migrated.
  init(
    uri: String, createsIfMissing: Bool, serverID: String?, timing: StoreTiming
  ) throws(PostgreSQLStoreError) {
    let connection = try StoreConnection.open(uri, purpose: "accounts")
    let isMissing = try StoreSchema.version(connection) == 0
    if isMissing, createsIfMissing { try StoreSchema.migrate(connection, timing: timing) }
    fingerprintKey = try StoreSchema.check(connection).fingerprintKeyBytes
    self.serverID = serverID ?? String(UInt64.random(in: 0 ... .max), radix: 16)
    main = ConnectionWorker(
      StoreConnection.settings(uri, purpose: "accounts"), label: "ToDoPostgreSQLStore.Accounts",
      timing: timing)
    version = ConnectionWorker(
      StoreConnection.settings(uri, purpose: "account version"), label: "ToDoPostgreSQLStore.AccountVersion",
      timing: timing)
  }

  /// Waits until the running operations are complete, and closes the connections. Later calls throw
  /// `ToDoError.storeUnavailable`.
  package func close() {
    main.close()
    version.close()
  }

  package func accounts() async throws -> Accounts {
    try await run(on: version) { connection in
      try StoreTransaction.perform(.reading, on: connection) {
        try PostgreSQLAccountTables(connection: connection).accounts()
      }
    }
  }

  package func allNotificationTargets() async throws -> NotificationTargets {
    try await run(on: version) { connection in
      try StoreTransaction.perform(.reading, on: connection) {
        try PostgreSQLAccountTables(connection: connection).allNotificationTargets()
      }
    }
  }

  package func accountVersion() async throws -> Int64 {
    try await run(on: version) { try PostgreSQLAccountTables(connection: $0).version }
  }

  package func isSchemaCurrent() async throws -> Bool {
    try await run(on: version) { [fingerprintKey] connection in
      var parameters = Parameters()
      parameters.append(bytes: fingerprintKey)
      let rows = try connection.run(AccountStoreSQL.schemaVersion, parameters)
      guard rows.count == 1 else { throw ToDoError.malformedAccounts }
      return !rows.isNull(0, 0) && rows.int32(0, 0) == Int32(StoreSchema.currentVersion)
    }
  }

  // MARK: Transactions

  package func read<Value: Sendable>(
    _ body: @escaping @Sendable (PostgreSQLAccountTables) throws -> Value
  ) async throws -> Value {
    try await run { try body(PostgreSQLAccountTables(connection: $0)) }
  }

  package func readImmediately<Value: Sendable>(
    _ body: @escaping @Sendable (PostgreSQLAccountTables) throws -> Value
  ) async throws -> Value {
    try await run(on: version) { try body(PostgreSQLAccountTables(connection: $0)) }
  }

  package func writeLists<Value: Sendable>(
    _ body: @escaping @Sendable (PostgreSQLAccountTables) throws -> Value
  ) async throws -> Value {
    try await run { connection in
      try StoreTransaction.perform(on: connection) {
        var schema = Parameters()
        schema.append(Int32(StoreSchema.currentVersion))
        guard try connection.run(AccountStoreSQL.schemaIsCurrent, schema).count == 1 else {
          throw ToDoError.schemaChanged
        }
        return try body(PostgreSQLAccountTables(connection: connection))
      }
    }
  }

  /// Runs `body` outside a transaction.
  func run<Value: Sendable>(_ body: @escaping @Sendable (PostgreSQLConnection) throws -> Value) async throws -> Value {
    try await run(on: main, body)
  }

  private func run<Value: Sendable>(
    on worker: ConnectionWorker, _ body: @escaping @Sendable (PostgreSQLConnection) throws -> Value
  ) async throws -> Value {
    do {
      return try await worker.run(body)
    } catch let error where error is AccountError || error is WriteRight.Outdated || error is CancellationError {
      throw error
    } catch {
      throw ToDoError(postgreSQL: error)
    }
  }

  /// Also notifies all servers.
  package func write<Value: Sendable>(
    _ body: @escaping @Sendable (PostgreSQLAccountTables) throws -> (Value, endingAccessTo: OwnerID?)
  ) async throws -> Value {
    try await run { [serverID] connection in
      try StoreTransaction.perform(on: connection) {
        var schema = Parameters()
        schema.append(Int32(StoreSchema.currentVersion))
        // First, because its lock serializes the changes of all servers.
        let incremented = try connection.run(AccountStoreSQL.incrementVersion, schema)
        guard incremented.affectedCount == 1 else { throw ToDoError.schemaChanged }
        let tables = PostgreSQLAccountTables(connection: connection)
        let (value, list) = try body(tables)
        if let list { try tables.endAccess(to: list) }
        _ = try connection.run(AccountStoreSQL.notify, .text(serverID))
        return value
      }
    }
  }
}

extension PostgreSQLAccountStore {
  /// Deletes a list's items, history, deleted IDs and pending lookups.
  ///
  /// Each transaction deletes a bounded number of rows and is followed by a pause of the same length, so that other
  /// writers take turns with it. The list's revision stays and grows: clients and caches that have an earlier
  /// revision find nothing under it. Writes in flight whose callers' access was checked before are not made, so the
  /// list stays empty until a user is added with it again. The database reuses the space later, and its files, its log and
  /// its backups contain the data until then.
  ///
  /// - Returns: the number of deleted rows.
  /// - Throws: `ToDoError`. The rows deleted before the error stay deleted; another call deletes the rest.
  package func purgeList(_ list: OwnerID) async throws -> Int {
    try await purgeList(list, rowsPerTransaction: 500, clock: ContinuousClock())
  }

  /// - Parameter clock: measures the transactions and the pauses.
  func purgeList(_ list: OwnerID, rowsPerTransaction: Int, clock: some Clock<Duration>) async throws -> Int {
    guard try await purge(list, limit: 0) != nil else { return 0 }
    return try await ListPurge.run(clock: clock) { try await purge(list, limit: rowsPerTransaction) ?? 0 }
  }

  /// Deletes rows from the first table that has any, in one transaction. With the limit 0, only raises the floor of the
  /// feed above every row.
  ///
  /// - Returns: the number of deleted rows, or `nil` if the list does not exist.
  private func purge(_ list: OwnerID, limit: Int) async throws -> Int? {
    try await run { connection in
      try StoreTransaction.perform(on: connection) { () throws -> Int? in
        guard try connection.run(PurgeSQL.lock, .text(list.name)).count == 1 else { return nil }
        if limit == 0 { return try Self.raiseFloor(of: list, connection) }
        var parameters = Parameters.text(list.name)
        parameters.append(Int64(limit))
        var count = 0
        for delete in PurgeSQL.deletions where count == 0 {
          let rows = try connection.run(delete, parameters)
          if rows.count == 1 { count = Int(rows.int64(0, 0)) }
        }
        if count > 0 { try Self.notify(list, connection) }
        return count
      }
    }
  }

  private static func raiseFloor(of list: OwnerID, _ connection: PostgreSQLConnection) throws(PostgreSQLError) -> Int {
    _ = try connection.run(PurgeSQL.raiseFloor, .text(list.name))
    try notify(list, connection)
    return 0
  }

  /// Notifies all servers, including a server in this process, whose own writer did not make the change.
  private static func notify(_ list: OwnerID, _ connection: PostgreSQLConnection) throws(PostgreSQLError) {
    let notification = ChangeNotification(serverID: "", lists: .some([list]))
    _ = try connection.run(PurgeSQL.notify, .text(notification.payload))
  }
}

/// The statements that delete a list. `$1` is the list, `$2` the maximum number of rows.
private enum PurgeSQL {
  static let lock: SQL = "SELECT revision FROM list WHERE name = $1 FOR NO KEY UPDATE"
  static let raiseFloor: SQL = """
    UPDATE list SET revision = revision + 1, floor = revision + 1,
      access_version = (SELECT account_version FROM todo_store)
    WHERE name = $1
    """
  static let notify: SQL = "SELECT pg_notify('todo_changes', $1)"

  /// Each statement updates the row of the list too, so that the list is consistent after each transaction. It
  /// returns the number of deleted rows, or no row if there is none. The lock of the list keeps the positions
  /// (`ctid`) of its rows valid.
  static let deletions: [SQL] = [
    """
    WITH removed AS (
      DELETE FROM change WHERE ctid = ANY (ARRAY(SELECT ctid FROM change WHERE list = $1 LIMIT $2)) RETURNING size),
    total AS (SELECT count(*) AS count, coalesce(sum(size), 0) AS size FROM removed)
    UPDATE list SET revision = revision + 1, floor = revision + 1,
      byte_count = greatest(0, byte_count - total.size)
    FROM total WHERE name = $1 AND total.count > 0 RETURNING total.count
    """,
    """
    WITH removed AS (
      DELETE FROM pending_lookup WHERE ctid = ANY (ARRAY(SELECT ctid FROM pending_lookup WHERE list = $1 LIMIT $2))
      RETURNING id),
    total AS (SELECT count(*) AS count FROM removed)
    UPDATE list SET revision = revision + 1, floor = revision + 1
    FROM total WHERE name = $1 AND total.count > 0 RETURNING total.count
    """,
    """
    WITH removed AS (
      DELETE FROM item WHERE ctid = ANY (ARRAY(SELECT ctid FROM item WHERE list = $1 LIMIT $2))
      RETURNING size, deleted_at),
    total AS (
      SELECT count(*) AS count, count(*) FILTER (WHERE deleted_at IS NULL) AS items,
        coalesce(sum(size), 0) + 64 * count(deleted_at) AS size FROM removed)
    UPDATE list SET revision = revision + 1, floor = revision + 1, item_count = greatest(0, item_count - total.items),
      byte_count = greatest(0, byte_count - total.size)
    FROM total WHERE name = $1 AND total.count > 0 RETURNING total.count
    """,
  ]
}
#endif
