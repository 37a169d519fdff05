#if PostgreSQL
import ToDoPostgreSQL
import Synchronization
import ToDoTestPostgreSQL
import ToDoTestSupport
import ToDoModel
import ToDoRules

@testable import ToDoPostgreSQLStore
@testable import ToDoStores

/// A database with a writer, which commits exactly the groups that a test chooses.
struct WriterDatabase {
  let uri: String
  let identity: StoreIdentity
  let writer: PostgreSQLWriter
  let coordination = WriterCoordination()
  let observer = RecordingObserver()

  init() throws {
    uri = try PrivatePostgreSQL.run().makeDatabase()
    identity = try StoreSchema.migrate(StoreConnection.open(uri, purpose: "test"))
    writer = Self.writer(uri, identity, coordination, observer: observer)
  }

  /// Returns a further writer of the same store.
  static func writer(
    _ uri: String, _ identity: StoreIdentity, _ coordination: WriterCoordination,
    resolutionTimeout: Duration = .seconds(30), timing: StoreTiming = .system, observer: (any WriteGroupObserver)? = nil
  ) -> PostgreSQLWriter {
    PostgreSQLWriter(
      StoreConnection.settings(uri, purpose: "test"), serverID: "server", identity: identity,
      compaction: ListCompaction(retention: ChangeRetention()), coordination: coordination,
      resolutionTimeout: resolutionTimeout, timing: timing, observer: observer)
  }

  /// A write of a group.
  struct Write: Sendable {
    var owner = OwnerID.local
    var reads = ItemReads()
    let body: @Sendable (any ItemTransaction) throws -> Void

    init(
      _ owner: OwnerID = .local, reading reads: ItemReads = ItemReads(),
      _ body: @escaping @Sendable (any ItemTransaction) throws -> Void
    ) {
      (self.owner, self.reads, self.body) = (owner, reads, body)
    }
  }

  /// Commits writes as one group.
  ///
  /// - Returns: the error of each body, in order.
  @discardableResult
  func commit(_ writes: [Write]) throws -> [(any Error)?] {
    let errors = Mutex<[Int: any Error]>([:])
    let grouped = writes.enumerated().map { index, write in
      GroupedWrite<PostgreSQLWriteGroup>(of: .list(write.owner), reading: write.reads) { group in
        let result = Result { try group.write(write.owner, write.body) }
        return {
          if case .failure(let error) = result { errors.withLock { $0[index] = error } }
        }
      }
    }
    let rest = Mutex(grouped[...])
    for answer in try writer.commit({ rest.withLock { $0.popFirst() } }) { answer() }
    return errors.withLock { errors in writes.indices.map { errors[$0] } }
  }

  @discardableResult
  func commit(
    _ owner: OwnerID = .local, reading reads: ItemReads = ItemReads(),
    _ body: @escaping @Sendable (any ItemTransaction) throws -> Void
  ) throws -> (any Error)? {
    try commit([Write(owner, reading: reads, body)])[0]
  }

  /// Reads with a write that changes nothing.
  func read<Value: Sendable>(
    _ owner: OwnerID = .local, _ body: @escaping @Sendable (any ItemTransaction) throws -> Value
  ) throws -> Value? {
    let value = Mutex<Value?>(nil)
    try commit(owner) { transaction in
      let read = try body(transaction)
      value.withLock { $0 = read }
    }
    return value.withLock { $0 }
  }

  /// Returns the number of the first row of a statement.
  func number(_ sql: SQL) throws -> Int64 {
    try StoreConnection.open(uri, purpose: "test").run(sql).int64(0, 0)
  }

  /// Whether the counters of every list are those of its rows.
  func countsAreConsistent() throws -> Bool {
    try number(
      """
      SELECT count(*) FROM list WHERE
        item_count <> (SELECT count(*) FROM item WHERE list = name AND deleted_at IS NULL)
        OR byte_count <> (SELECT coalesce(sum(size + CASE WHEN deleted_at IS NULL THEN 0 ELSE 64 END), 0)
          FROM item WHERE list = name) + (SELECT coalesce(sum(size), 0) FROM change WHERE list = name)
      """) == 0
  }
}
#endif
