#if PostgreSQL
import Dispatch
import ToDoPostgreSQL
import Synchronization
import ToDoStores
import ToDoTestSupport
import Testing
import ToDoModel
import ToDoRules

@testable import ToDoPostgreSQLStore

@Suite(.timeLimited, .blocking) struct StoreSchemaTests {
  @Test func migrate_whenDatabaseIsEmpty_createsTheCurrentSchema() throws {
    let database = try StoreDatabase(isMigrated: false)
    let connection = try database.connection()
    #expect(try StoreSchema.version(connection) == 0)
    #expect(throws: PostgreSQLStoreError.missing) { try StoreSchema.check(connection) }
    let identity = try StoreSchema.migrate(connection)
    #expect(try StoreSchema.version(connection) == StoreSchema.currentVersion)
    #expect(try StoreSchema.check(connection) == identity)
    #expect(try StoreSchema.migrate(try database.connection()) == identity)
    #expect(!connection.isInTransaction)
    #expect(connection.timeout == .seconds(60))
  }

  @Test func migrate_whenDatabaseIsEmpty_waitsForNoTransactionOfOthers() throws {
    let database = try StoreDatabase(isMigrated: false, isPrivate: true)
    let other = try database.connection()
    try other.execute("BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT count(*) FROM pg_class")
    try StoreSchema.migrate(try database.connection())
    #expect(try StoreSchema.version(try database.connection()) == StoreSchema.currentVersion)
    try other.execute("COMMIT")
  }

  @Test func migrate_whenTenServersStartTogether_givesAllTheSameIdentity() throws {
    let database = try StoreDatabase(isMigrated: false)
    let results = Mutex<[Result<StoreIdentity, any Error>]>([])
    DispatchQueue.concurrentPerform(iterations: 10) { _ in
      let result = Result { try StoreSchema.migrate(try database.connection()) }
      results.withLock { $0.append(result) }
    }
    let identities = try results.withLock(\.self).map { try $0.get() }
    #expect(identities.count == 10)
    #expect(Set(identities.map(\.incarnation)).count == 1)
    #expect(Set(identities.map(\.fingerprintKey)).count == 1)
    #expect(try database.numbers("SELECT count(*) FROM todo_store") == [1])
  }

  @Test func migrate_whenAnotherServerHoldsTheLock_waitsForIt() async throws {
    let database = try StoreDatabase(isMigrated: false, isPrivate: true)
    let other = try database.connection()
    try other.execute("SELECT pg_advisory_lock(\(0x546F_446F))")
    guard case .transaction(let tables) = SchemaMigration.all[0] else {
      Issue.record("the first step does not create the tables")
      return
    }
    var timing = ManualTiming().timing
    timing.wait = { _, _ in
      #expect(throws: Never.self) {
        try database.execute(tables)
        try database.execute(
          """
          INSERT INTO todo_store (version, incarnation, fingerprint_key)
          VALUES (1, '\\x0000000000000007', '\\x00000000000000010000000000000002')
          """)
        try database.execute(
          """
          SELECT pg_terminate_backend(pid, 60000) FROM pg_locks
          WHERE locktype = 'advisory' AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
          """)
      }
    }
    let identity = try StoreSchema.migrate(try database.connection(), timing: timing)
    #expect(identity.incarnation.number == 7)
    #expect(identity.fingerprintKey.high == 1)
    #expect(identity.fingerprintKey.low == 2)
    withExtendedLifetime(other) {}
  }

  @Test func migrate_whenAnotherServerKeepsTheLock_failsAfterAnHour() throws {
    let database = try StoreDatabase(isMigrated: false, isPrivate: true)
    let other = try database.connection()
    try other.execute("SELECT pg_advisory_lock(\(0x546F_446F))")
    let time = ManualTiming()
    var timing = time.timing
    timing.wait = { _, _ in time.advance(by: .seconds(1200)) }
    let current = StoreSchema.currentVersion
    let error = PostgreSQLStoreError.migrationFailed(
      from: 0, to: current, reason: "another server is migrating the database")
    #expect(throws: error) { try StoreSchema.migrate(try database.connection(), timing: timing) }
    #expect(time.passed == .seconds(3600))
    withExtendedLifetime(other) {}
  }

  @Test func migrate_whenSchemaIsNewer_isRejected() throws {
    let database = try StoreDatabase()
    let current = StoreSchema.currentVersion
    try database.execute("UPDATE todo_store SET version = \(current + 1)")
    let error = PostgreSQLStoreError.newerSchema(found: current + 1, supported: current)
    let connection = try database.connection()
    #expect(throws: error) { try StoreSchema.migrate(connection) }
    #expect(throws: error) { try StoreSchema.check(connection) }
    #expect(throws: error) { try PostgreSQLAccountStore(uri: database.uri) }
    #expect(throws: error) { try PostgreSQLSchema.migrate(uri: database.uri) }
  }

  @Test func migrate_whenSchemaIsOlder_runsTheNewStepsOnly() throws {
    let database = try StoreDatabase()
    let connection = try database.connection()
    let identity = try StoreSchema.check(connection)
    let newer = SchemaMigration.all + [.transaction("CREATE TABLE newer (value int)")]
    let found = StoreSchema.currentVersion
    #expect(throws: PostgreSQLStoreError.olderSchema(found: found, supported: found + 1)) {
      try StoreSchema.check(connection, against: newer)
    }
    #expect(try StoreSchema.migrate(connection, to: newer) == identity)
    #expect(try StoreSchema.check(connection, against: newer) == identity)
    #expect(try database.numbers("SELECT count(*) FROM newer") == [0])
  }

  @Test func migrate_whenTableOfAnotherProgramExists_changesNothing() throws {
    let database = try StoreDatabase(isMigrated: false)
    try database.execute("CREATE TABLE pending_lookup (other int)")
    let connection = try database.connection()
    let error = #expect(throws: PostgreSQLStoreError.self) { try StoreSchema.migrate(connection) }
    guard case .migrationFailed(from: 0, to: StoreSchema.currentVersion, let reason) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(reason.contains("pending_lookup"))
    #expect(!connection.isInTransaction)
    #expect(try StoreSchema.version(connection) == 0)
  }

  @Test func migrate_whenEncodingIsNotUTF8_isRejected() throws {
    let database = try StoreDatabase(isMigrated: false, isPrivate: true)
    let name = try #require(try database.connection().run("SELECT current_database()::text").optionalText(0, 0))
    let other = "\(name)_latin"
    try database.execute("CREATE DATABASE \(other) ENCODING 'LATIN1' LC_COLLATE 'C' LC_CTYPE 'C' TEMPLATE template0")
    let uri = database.uri.replacing("/\(name)?", with: "/\(other)?")
    #expect(throws: PostgreSQLStoreError.wrongEncoding("LATIN1")) { try PostgreSQLSchema.migrate(uri: uri) }
  }

  /// So the tables can be distributed by the list. Only the search for due addresses of all lists has another index.
  @Test func indexes_ofTablesWithLists_startWithTheList() throws {
    let database = try StoreDatabase()
    let others = """
      SELECT string_agg(indexrelid::regclass::text, ' ')
      FROM pg_index JOIN pg_attribute first ON first.attrelid = indrelid AND first.attnum = indkey[0]
      WHERE first.attname <> 'list' AND indrelid IN (
        SELECT attrelid FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid
        WHERE attname = 'list' AND relkind = 'r' AND relname <> 'todo_user'
          AND relnamespace = current_schema()::regnamespace)
      """
    #expect(try database.connection().run(SQL(others)).text(0, 0) == "pending_lookup_due")
  }

  @Test func migrate_returnsTheVersionBefore() throws {
    let database = try StoreDatabase(isMigrated: false)
    #expect(try PostgreSQLSchema.migrate(uri: database.uri) == 0)
    #expect(try PostgreSQLSchema.migrate(uri: database.uri) == PostgreSQLSchema.currentVersion)
  }

  @Test(arguments: ["\\x00", "\\x0000000000000000"])
  func check_whenIncarnationIsMalformed_isRejected(_ bytes: String) throws {
    let database = try StoreDatabase()
    try database.execute("UPDATE todo_store SET incarnation = '\(bytes)'")
    #expect(throws: PostgreSQLStoreError.damaged) { try StoreSchema.check(try database.connection()) }
    try database.execute("DELETE FROM todo_store")
    #expect(throws: PostgreSQLStoreError.damaged) { try StoreSchema.check(try database.connection()) }
  }
}
#endif
