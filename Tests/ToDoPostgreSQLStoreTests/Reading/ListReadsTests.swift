#if PostgreSQL
import ToDoPostgreSQL
import ToDoStores
import ToDoTestSupport
import Testing
import ToDoModel
import ToDoRules

@testable import ToDoPostgreSQLStore

/// Tests of reads from replicas. Their replica is a copy of the database, which does not change with it.
@Suite(.timeLimited, .blocking) struct ListReadsTests {
  private let primary: StoreDatabase
  private let replica: StoreDatabase
  private let identity: StoreIdentity

  init() throws {
    (primary, replica) = (try StoreDatabase(), try StoreDatabase())
    identity = try StoreSchema.check(primary.connection())
    // A replica has the values of its primary.
    try Self.set(identity, in: replica)
  }

  private static func set(_ identity: StoreIdentity, in database: StoreDatabase) throws {
    var values = Parameters()
    values.append(bytes: identity.incarnationBytes)
    values.append(bytes: identity.fingerprintKeyBytes)
    _ = try database.connection().run("UPDATE todo_store SET incarnation = $1, fingerprint_key = $2", values)
  }

  /// Sets the revision of a list.
  private func setRevision(_ revision: Int64, in database: StoreDatabase) throws {
    try database.execute(
      """
      INSERT INTO list (name, revision, floor, item_count, byte_count, last_number)
      VALUES ('local', \(revision), 0, 0, 0, 0) ON CONFLICT (name) DO UPDATE SET revision = \(revision)
      """)
  }

  private func reads(
    replica uri: String? = nil, timing: StoreTiming = .system
  ) -> ListReads {
    ListReads(
      StoreConnection.settings(primary.uri, purpose: "reader"),
      replica: StoreConnection.settings(uri ?? replica.uri, purpose: "replica reader", of: .replica),
      identity: identity, timing: timing)
  }

  /// Returns whether a read was served by a replica.
  private func isServedByReplica(_ reads: ListReads) async throws -> Bool {
    try await reads.read(for: .local) { reader in
      try reader.connection.run("SELECT current_setting('application_name')").text(0, 0)
    } == "todo-server replica reader"
  }

  @Test(arguments: [(0, 0, true), (3, 3, true), (3, 4, false), (3, 2, false), (1, 0, false)])
  func read_isServedByReplicaWithTheRevisionOfThePrimary(current: Int64, replayed: Int64, expected: Bool) async throws {
    if current > 0 { try setRevision(current, in: primary) }
    if replayed > 0 { try setRevision(replayed, in: replica) }
    let reads = reads()
    #expect(try await isServedByReplica(reads) == expected)
    await reads.close()
  }

  @Test func read_whenReplicaReplaysAChangeMeanwhile_isServedByPrimary() async throws {
    let reads = reads()
    let served = try await reads.read(for: .local) { reader in
      try setRevision(1, in: replica)
      return try reader.connection.run("SELECT current_setting('application_name')").text(0, 0)
    }
    #expect(served == "todo-server reader")
    await reads.close()
  }

  @Test func read_whenReplicaCannotBeReached_isServedByPrimaryForAWhile() async throws {
    let time = ManualTiming()
    let reads = reads(timing: time.timing)
    #expect(try await isServedByReplica(reads))
    try replica.execute("ALTER TABLE list RENAME TO hidden")
    #expect(try await !isServedByReplica(reads))
    try replica.execute("ALTER TABLE hidden RENAME TO list")
    #expect(try await !isServedByReplica(reads))
    time.advance(by: ListReads.pause)
    #expect(try await isServedByReplica(reads))
    await reads.close()
  }

  @Test func read_whenReplicaIsUnreachable_isServedByPrimary() async throws {
    let reads = reads(replica: "postgresql://127.0.0.1:1/todo")
    #expect(try await !isServedByReplica(reads))
    await reads.close()
  }

  @Test func read_whenReplicaIsOfAnotherStore_isServedByPrimary() async throws {
    try Self.set(StoreIdentity(), in: replica)
    let reads = reads()
    #expect(try await !isServedByReplica(reads))
    await reads.close()
  }

  @Test func read_whenBodyThrows_throwsItsError() async throws {
    let reads = reads()
    await #expect(throws: ToDoError.storeFull) {
      try await reads.read(for: .local) { _ in throw ToDoError.storeFull }
    }
    #expect(try await isServedByReplica(reads))
    await reads.close()
  }

  @Test func read_whenTaskIsCancelled_endsItsStatement() async throws {
    let reads = reads()
    let read = Task {
      try await reads.readFromPrimary(for: .local) { reader in
        reader.connection.timeout = .seconds(600)
        try reader.connection.execute("SET statement_timeout = 0")
        _ = try reader.connection.run("SELECT pg_sleep(600)")
      }
    }
    try await waitUntil("the statement sleeps") { try sleepingCount != 0 }
    read.cancel()
    await #expect(throws: CancellationError.self) { try await read.value }
    try await waitUntil("the statement ends") { try sleepingCount == 0 }
    #expect(try await isServedByReplica(reads))
    await reads.close()
  }

  /// The number of statements that sleep in the primary.
  private var sleepingCount: Int64? {
    get throws {
      try primary.numbers(
        """
        SELECT count(*) FROM pg_stat_activity
        WHERE datname = current_database() AND state = 'active' AND wait_event = 'PgSleep'
        """)[0]
    }
  }

  @Test func store_withReplicaOfAnotherStore_isNotOpened() throws {
    try Self.set(StoreIdentity(), in: replica)
    #expect(throws: PostgreSQLStoreError.otherStore) {
      try PostgreSQLToDoItemStore(uri: primary.uri, replicaURI: replica.uri)
    }
  }

  @Test func store_withUnreachableReplica_servesReads() async throws {
    let store = try PostgreSQLToDoItemStore(uri: primary.uri, replicaURI: "postgresql://127.0.0.1:1/todo")
    let item = try await store.add(.sample(1))
    #expect(try await store.items(ItemSelection(limit: 10), of: .local).items == [item])
    await store.close()
  }

  @Test func store_withReplica_readsItsOwnWrites() async throws {
    let store = try PostgreSQLToDoItemStore(uri: primary.uri, replicaURI: replica.uri)
    #expect(try await store.items(ItemSelection(limit: 10), of: .local).items.isEmpty)
    let item = try await store.add(.sample(1))
    #expect(try await store.items(ItemSelection(limit: 10), of: .local).items == [item])
    await store.close()
  }
}
#endif
