#if PostgreSQL
import ToDoPostgreSQL
import ToDoStores

/// The schema of a database, and its migration to the current version.
enum StoreSchema {
  /// The schema version that this program reads and writes.
  static var currentVersion: Int { SchemaMigration.all.count }

  /// Migrates a database to the current schema, unless it is up to date.
  ///
  /// If several servers migrate concurrently, one server does the work and the others wait for it. A database with
  /// the current schema is only read.
  ///
  /// - Returns: the random values of the database.
  /// - Throws: `PostgreSQLStoreError`.
  @discardableResult
  static func migrate(
    _ connection: PostgreSQLConnection, to migrations: [SchemaMigration] = SchemaMigration.all,
    timing: StoreTiming = .system
  ) throws(PostgreSQLStoreError) -> StoreIdentity {
    let state = try read(connection, supported: migrations.count)
    if let state, state.version == migrations.count { return state.identity }
    do {
      return try withPatience(connection) { try migrateExclusively(connection, migrations, timing) }
    } catch let error as PostgreSQLStoreError {
      throw error
    } catch let error as PostgreSQLError {
      throw .migrationFailed(from: state?.version ?? 0, to: migrations.count, reason: error.message)
    } catch {
      throw .migrationFailed(from: state?.version ?? 0, to: migrations.count, reason: "\(error)")
    }
  }

  /// Checks that a database has the current schema, and returns its random values.
  ///
  /// - Throws: `PostgreSQLStoreError`.
  @discardableResult
  static func check(
    _ connection: PostgreSQLConnection, against migrations: [SchemaMigration] = SchemaMigration.all
  ) throws(PostgreSQLStoreError) -> StoreIdentity {
    guard let state = try read(connection, supported: migrations.count) else { throw .missing }
    guard state.version == migrations.count else {
      throw .olderSchema(found: state.version, supported: migrations.count)
    }
    return state.identity
  }

  /// Returns the schema version of a database, or 0 if it contains no tables of this program.
  ///
  /// - Throws: `PostgreSQLStoreError`.
  static func version(_ connection: PostgreSQLConnection) throws(PostgreSQLStoreError) -> Int {
    try read(connection, supported: currentVersion)?.version ?? 0
  }

  // MARK: Migration

  /// The key of the lock that a migrating server holds: "ToDo" in ASCII.
  private static let lock: Int64 = 0x546F_446F
  /// The maximum duration of a migration, including the wait for the migration of another server.
  private static let patience = Duration.seconds(3600)

  /// Runs `body` with longer timeouts.
  private static func withPatience<Value>(_ connection: PostgreSQLConnection, _ body: () throws -> Value) throws
    -> Value
  {
    let timeout = connection.timeout
    connection.timeout = patience
    defer { connection.timeout = timeout }
    try connection.execute("SET statement_timeout = 0; SET lock_timeout = 0")
    defer { if connection.isUsable { try? connection.execute(StoreConnection.timeouts) } }
    return try body()
  }

  private static func migrateExclusively(
    _ connection: PostgreSQLConnection, _ migrations: [SchemaMigration], _ timing: StoreTiming
  ) throws -> StoreIdentity {
    let deadline = timing.now() + patience
    try acquireLock(connection, until: deadline, timing)
    // The lock ends with the connection at the latest.
    defer { _ = try? connection.run("SELECT pg_advisory_unlock($1)", lockParameters) }
    // Another server may have migrated the database before this server had the lock.
    let state = try read(connection, supported: migrations.count)
    let found = state?.version ?? 0
    let identity = state?.identity ?? StoreIdentity()
    for (index, migration) in migrations.enumerated().dropFirst(found) {
      let step = found == 0 ? migration.forNewTables : migration
      try step.run(on: connection, isFirst: index == 0, until: deadline, timing: timing) {
        try write(connection, identity, version: index + 1, isNew: index == 0)
      }
    }
    return identity
  }

  /// Waits for the lock without a transaction, because another server's index creation would wait for its end.
  private static func acquireLock(
    _ connection: PostgreSQLConnection, until deadline: ContinuousClock.Instant, _ timing: StoreTiming
  ) throws {
    while try !connection.run("SELECT pg_try_advisory_lock($1)", lockParameters).bool(0, 0) {
      guard timing.now() < deadline else {
        throw PostgreSQLError(.timedOut, message: "another server is migrating the database")
      }
      timing.pause(for: .milliseconds(20))
    }
  }

  private static var lockParameters: Parameters {
    var parameters = Parameters()
    parameters.append(lock)
    return parameters
  }

  private static func write(
    _ connection: PostgreSQLConnection, _ identity: StoreIdentity, version: Int, isNew: Bool
  ) throws(PostgreSQLError) {
    var parameters = Parameters()
    parameters.append(Int32(version))
    if isNew {
      parameters.append(bytes: identity.incarnationBytes)
      parameters.append(bytes: identity.fingerprintKeyBytes)
      _ = try connection.run(
        "INSERT INTO todo_store (version, incarnation, fingerprint_key) VALUES ($1, $2, $3)", parameters)
    } else {
      _ = try connection.run("UPDATE todo_store SET version = $1", parameters)
    }
  }

  // MARK: Reading

  private struct State {
    let version: Int
    let identity: StoreIdentity
  }

  /// Returns the version and the random values, or `nil` if the database contains no tables of this program.
  private static func read(
    _ connection: PostgreSQLConnection, supported: Int
  ) throws(PostgreSQLStoreError) -> State? {
    // A statement that names a missing table would fail, and end a transaction. The function to_regclass would not
    // find a table that another server has created since the transaction began.
    let facts = try rows(
      connection,
      """
      SELECT current_setting('server_encoding'), EXISTS (
        SELECT 1 FROM pg_class WHERE relname = 'todo_store' AND relkind = 'r' AND pg_table_is_visible(oid))
      """)
    guard facts.count == 1 else { throw .damaged }
    let (encoding, exists) = (facts.text(0, 0), facts.bool(0, 1))
    guard encoding == "UTF8" else { throw .wrongEncoding(encoding) }
    guard exists else { return nil }
    let stored = try rows(connection, "SELECT version, incarnation, fingerprint_key FROM todo_store")
    return try decode(stored, supported)
  }

  /// Negates the version. No server opens a database with a negative version: the copy of another store is not
  /// complete.
  static let negateVersion: SQL = "UPDATE todo_store SET version = -version"

  private static func rows(_ connection: PostgreSQLConnection, _ statement: SQL) throws(PostgreSQLStoreError) -> Rows {
    do throws(PostgreSQLError) { return try connection.run(statement) } catch {
      throw .unreadable(reason: error.message)
    }
  }

  private static func decode(_ rows: Rows, _ supported: Int) throws(PostgreSQLStoreError) -> State {
    guard rows.count == 1 else { throw .damaged }
    let version = Int(rows.int32(0, 0))
    guard version >= 0 else { throw .incompleteMove }
    guard version <= supported else { throw .newerSchema(found: version, supported: supported) }
    let identity = StoreIdentity(
      incarnation: rows.optionalBytes(0, 1) ?? [], fingerprintKey: rows.optionalBytes(0, 2) ?? [])
    guard !rows.isMalformed, version > 0, let identity else { throw .damaged }
    return State(version: version, identity: identity)
  }
}

/// The schema of PostgreSQL databases, for programs that manage one.
package enum PostgreSQLSchema {
  /// The schema version that this program reads and writes.
  package static var currentVersion: Int { StoreSchema.currentVersion }

  /// Migrates a database to the current version, and creates the tables in an empty database. Waits for the server.
  ///
  /// The call makes no copy of the database.
  ///
  /// - Parameter uri: a connection URI or "key=value" text of libpq.
  /// - Returns: the version before; 0 for an empty database.
  /// - Throws: `PostgreSQLStoreError`.
  package static func migrate(uri: String) throws(PostgreSQLStoreError) -> Int {
    let connection = try StoreConnection.open(uri, purpose: "migration")
    let found = try StoreSchema.version(connection)
    try StoreSchema.migrate(connection)
    return found
  }
}
#endif
