#if PostgreSQL
import Dispatch
import Foundation
import ToDoPostgreSQL
import ToDoStores
import ToDoTestSupport
import Testing

@testable import ToDoPostgreSQLStore

/// Steps that run while servers use the database.
@Suite(.timeLimited, .blocking) struct SchemaMigrationTests {
  private typealias Outcome = Result<StoreIdentity, any Error>

  private static let column = SchemaMigration.transaction("ALTER TABLE item ADD COLUMN newer int")
  private static let index = SchemaMigration.online([
    "DROP INDEX CONCURRENTLY IF EXISTS item_newer", "CREATE INDEX CONCURRENTLY item_newer ON item (list, size)",
  ])
  private let database: StoreDatabase

  init() throws {
    database = try StoreDatabase(isPrivate: true)
  }

  @Test func run_whenTransactionAwaitsALock_letsOthersPass() async throws {
    let reader = try database.connection()
    try reader.execute("BEGIN; SELECT FROM item")
    let migrated = migrate([Self.column])
    try await waitUntilBlocked(migrated)
    #expect(try database.numbers("SELECT count(*) FROM item") == [0])
    #expect(migrated.value == nil)
    try reader.execute("COMMIT")
    await migrated.wait { $0 != nil }
    _ = try #require(migrated.value).get()
    #expect(try database.numbers("SELECT count(newer) FROM item") == [0])
  }

  @Test func run_whenTransactionTakesTooLong_isRepeatedUntilTheDeadline() throws {
    let connection = try database.connection()
    let step = SchemaMigration.transaction("SELECT pg_sleep(60)")
    let time = ManualTiming()
    let error = #expect(throws: PostgreSQLError.self) {
      try step.run(
        on: connection, isFirst: false, until: time.now + .milliseconds(200), timing: time.timing
      ) {}
    }
    #expect(error?.kind == .canceled)
    #expect(time.passed == .milliseconds(200))
    #expect(!connection.isInTransaction)
  }

  @Test func run_whenOnlineStepWaits_letsOthersWrite() async throws {
    let writer = try database.connection()
    try writer.execute("BEGIN; UPDATE item SET size = 1")
    let migrated = migrate([Self.index])
    try await waitUntilBlocked(migrated)
    try database.execute("UPDATE item SET size = 2")
    #expect(migrated.value == nil)
    try writer.execute("COMMIT")
    await migrated.wait { $0 != nil }
    _ = try #require(migrated.value).get()
    #expect(try validIndexes == 1)
  }

  @Test func run_afterOnlineStepWasInterrupted_completesIt() async throws {
    let writer = try database.connection()
    try writer.execute("BEGIN; UPDATE item SET size = 1")
    let interrupted = migrate([Self.index])
    try await waitUntilBlocked(interrupted)
    try database.execute(
      """
      SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity
      WHERE datname = current_database() AND pid <> pg_backend_pid() AND query LIKE 'CREATE INDEX CONCURRENTLY%'
      """)
    try writer.execute("COMMIT")
    await interrupted.wait { $0 != nil }
    #expect(throws: (any Error).self) { try #require(interrupted.value).get() }
    #expect(try validIndexes == 0)
    #expect(try StoreSchema.version(try database.connection()) == StoreSchema.currentVersion)
    let migrated = migrate([Self.index])
    await migrated.wait { $0 != nil }
    _ = try #require(migrated.value).get()
    #expect(try validIndexes == 1)
  }

  @Test func run_whenTenServersStartTogether_completesOnce() throws {
    let migrations = SchemaMigration.all + [Self.column, Self.index]
    DispatchQueue.concurrentPerform(iterations: 10) { _ in
      #expect(throws: Never.self) { try StoreSchema.migrate(try database.connection(), to: migrations) }
    }
    #expect(try validIndexes == 1)
    #expect(try database.numbers("SELECT version::bigint FROM todo_store") == [Int64(migrations.count)])
  }

  @Test func tokenIndex_whileATokenIsWritten_letsOthersWriteTokens() async throws {
    let database = try StoreDatabase(isMigrated: false, isPrivate: true)
    try StoreSchema.migrate(try database.connection(), to: Array(SchemaMigration.all.prefix(11)))
    // An index of the former version 11 is replaced.
    try database.execute("CREATE INDEX IF NOT EXISTS access_token_user ON access_token (secret_hash)")
    let writer = try database.connection()
    try writer.execute("BEGIN; \(Self.token(1))")
    let migrated = migrate([], of: database)
    try await waitUntilBlocked(migrated, of: database)
    let other = try database.connection()
    try other.execute("SET statement_timeout = '10s'; \(Self.token(2))")
    #expect(try database.numbers("SELECT version::bigint FROM todo_store") == [11])
    #expect(migrated.value == nil)
    try writer.execute("COMMIT")
    await migrated.wait { $0 != nil }
    _ = try #require(migrated.value).get()
    let index = """
      SELECT count(*) FROM pg_indexes JOIN pg_index ON indexrelid = indexname::regclass
      WHERE indexname = 'access_token_user' AND indisvalid AND indexdef LIKE '%(user_name)'
      """
    #expect(try database.numbers(index) == [1])
    #expect(try database.numbers("SELECT count(*) FROM access_token") == [2])
  }

  /// A statement of a server with version 11.
  private static func token(_ number: Int) -> String {
    "INSERT INTO access_token (id, user_name, secret_hash, read_only, created_at) VALUES (\(number), 'ann', '', true, 1)"
  }

  /// With `MIGRATION_ITEMS=1000000` on a quiet machine, no write may take over 100 ms.
  @Test func run_whileItemsAreWritten_delaysNoWrite() async throws {
    let count = ProcessInfo.processInfo.environment["MIGRATION_ITEMS"].flatMap { Int($0) }
    for part in 0..<((count ?? 1000) / 1000) {
      try database.execute(
        """
        INSERT INTO item (list, id, number, revision, created_at, due_order, spot_latitude, spot_longitude, size)
        SELECT 'list', lpad(to_hex(n), 32, '0')::uuid, n, n, n, n, 0, 0, 100
        FROM generate_series(\(part * 1000 + 1), \(part * 1000 + 1000)) n
        """)
    }
    let connection = try database.connection()
    var (writes, slowest) = (0, Duration.zero)
    let migrated = migrate([Self.column, Self.index])
    repeat {
      let start = ContinuousClock.now
      try connection.execute("UPDATE item SET size = size + 1 WHERE list = 'list' AND id = lpad('7', 32, '0')::uuid")
      slowest = max(slowest, start.duration(to: .now))
      writes += 1
    } while migrated.value == nil
    _ = try #require(migrated.value).get()
    #expect(try validIndexes == 1)
    guard let count else { return }
    print("\(count) items: the slowest of \(writes) writes took \(slowest)")
    #expect(slowest <= .milliseconds(100))
  }

  private var validIndexes: Int64? {
    get throws {
      try database.numbers(
        "SELECT count(*) FROM pg_index JOIN pg_class c ON c.oid = indexrelid WHERE relname = 'item_newer' AND indisvalid"
      )[0]
    }
  }

  /// Runs steps after the current ones on a thread of their own.
  private func migrate(_ steps: [SchemaMigration], of other: StoreDatabase? = nil) -> Condition<Outcome?> {
    let database = other ?? database
    let migrated = Condition<Outcome?>(nil)
    DispatchQueue.global().async {
      let outcome = Result { try StoreSchema.migrate(try database.connection(), to: SchemaMigration.all + steps) }
      migrated.change { $0 = outcome }
    }
    return migrated
  }

  /// Waits until a connection to the database awaits a lock.
  private func waitUntilBlocked(_ migrated: Condition<Outcome?>, of other: StoreDatabase? = nil) async throws {
    let database = other ?? database
    let waiting = """
      SELECT count(*) FROM pg_locks JOIN pg_stat_activity USING (pid)
      WHERE NOT granted AND datname = current_database()
      """
    try await waitUntil("a connection waits") { try database.numbers(waiting) != [0] || migrated.value != nil }
  }
}
#endif
