#if PostgreSQL
import ToDoPostgreSQL
import Synchronization
package import ToDoModel
package import ToDoRules
import ToDoStores
package import ToDoSupport

/// An item store in a PostgreSQL database, which several servers may use at once.
///
/// The store has no state of its own: it caches no items, because other servers write too. Concurrent writes share
/// one commit, and concurrent lookups of items share one statement. Reads run on threads of the store.
///
/// Reads and writes serve the owners in turn (`FairQueue`), with the limits of `SQLiteToDoItemStore`. A list always
/// has the same writer, except for writes that may change many items: these have their own writer, so that other
/// lists do not wait.
///
/// If the database cannot be reached, calls throw `ToDoError.storeUnavailable`. Each connection is opened again when
/// a call needs it. With several hosts, that finds the primary after a failover.
package final class PostgreSQLToDoItemStore: ToDoItemStore {
  package let incarnation: ListIncarnation
  package let fingerprintKey: FingerprintKey
  private let writers: [Writer]
  /// The writer of lists with writes that may change many items.
  private let longWriter: Writer
  /// The number of such writes in progress. Other writes of the same list wait for them, in the same queue, so that
  /// they do not keep the lists of another writer waiting.
  private let longWrites = Mutex<[OwnerID: Int]>([:])
  private let coordination = WriterCoordination()
  private let lookups: ItemLookups
  private let reads: ListReads
  private let listener: ChangeListener

  /// A writing connection and its queue.
  private struct Writer: Sendable {
    let sink: PostgreSQLWriter
    let committer: GroupCommitter<PostgreSQLWriter>
  }

  /// Opens a database. Creates the tables in an empty one, and migrates an older one. Waits for the server.
  ///
  /// - Parameters:
  ///   - uri: a connection URI or "key=value" text of libpq, possibly with several hosts.
  ///   - replicaURI: as `uri`, for replicas that serve listings and searches; `nil` to read from the primary only.
  ///   - retention: the time for which changes are retained. If several servers use one database, each applies its
  ///     own at its writes.
  ///   - observer: receives the groups of writes; `nil` for no metrics.
  /// - Throws: `PostgreSQLStoreError`. A replica that cannot be reached is not an error.
  package convenience init(
    uri: String, replicaURI: String? = nil, retention: ChangeRetention = ChangeRetention(),
    observer: (any WriteGroupObserver)? = nil
  ) throws(PostgreSQLStoreError) {
    try self.init(uri: uri, replicaURI: replicaURI, retention: retention, groupLimit: 256, observer: observer)
  }

  /// - Parameters:
  ///   - groupLimit: the maximum number of writes that share a commit.
  ///   - pollInterval: the interval at which all lists are reported to observers of external changes.
  ///   - timing: the time of the waits for a database that cannot be reached, or is being migrated.
  init(
    uri: String, replicaURI: String? = nil, retention: ChangeRetention = ChangeRetention(), groupLimit: Int,
    pollInterval: Duration = .seconds(1), timing: StoreTiming = .system, observer: (any WriteGroupObserver)? = nil
  ) throws(PostgreSQLStoreError) {
    let identity = try StoreSchema.migrate(StoreConnection.open(uri, purpose: "migration"), timing: timing)
    (incarnation, fingerprintKey) = (identity.incarnation, identity.fingerprintKey)
    let serverID = String(UInt64.random(in: 0 ... .max), radix: 16)
    let coordination = coordination
    func writer(_ purpose: String) -> Writer {
      let sink = PostgreSQLWriter(
        StoreConnection.settings(uri, purpose: purpose), serverID: serverID, identity: identity,
        compaction: ListCompaction(retention: retention), coordination: coordination, timing: timing,
        observer: observer)
      let committer = GroupCommitter(
        sink: sink, pendingLimit: 4096, ownerLimit: 1024, groupLimit: groupLimit, observer: observer)
      return Writer(sink: sink, committer: committer)
    }
    writers = (0..<Self.writerCount).map { _ in writer("writer") }
    longWriter = writer("long writer")
    let settings = StoreConnection.settings(uri, purpose: "reader")
    lookups = ItemLookups { try PostgreSQLReader(settings) }
    let replica = replicaURI.map { StoreConnection.settings($0, purpose: "replica reader", of: .replica) }
    if let replica { try Self.check(replica, identity) }
    reads = ListReads(settings, replica: replica, identity: identity, timing: timing)
    listener = ChangeListener(
      StoreConnection.settings(uri, purpose: "listener"), serverID: serverID, pollInterval: pollInterval,
      timing: timing)
  }

  /// One connection waits for the disk of the database while the other one runs its writes.
  private static let writerCount = 2

  /// Checks that a database, if it can be reached, is a replica of the one with the random values.
  private static func check(
    _ replica: ConnectionSettings, _ identity: StoreIdentity
  ) throws(PostgreSQLStoreError) {
    guard let connection = try? PostgreSQLConnection(replica) else { return }
    guard try StoreSchema.check(connection) == identity else { throw .otherStore }
  }

  /// Waits until the writes that have begun are committed, and closes the connections. Later calls throw
  /// `ToDoError.storeUnavailable`.
  package func close() async {
    listener.close()
    for writer in writers + [longWriter] {
      await writer.committer.close()
      writer.sink.close()
    }
    await lookups.close()
    await reads.close()
  }

  // MARK: Reads

  package func lookUpItem(_ id: ItemID, of owner: OwnerID) -> Lookup<ToDoItem?> {
    .pending { [lookups] in try await lookups.item(id, of: owner) }
  }

  package func items(_ selection: ItemSelection, of owner: OwnerID) async throws -> ItemListing {
    try await reads.read(for: owner) { try $0.listing(selection, of: owner) }
  }

  package func changes(_ selection: ChangeSelection, of owner: OwnerID) async throws -> ChangeListing {
    // A watch asks for a change that was just announced.
    try await reads.readFromPrimary(for: owner) { try $0.changes(selection, of: owner) }
  }

  package func history(_ selection: HistorySelection, of owner: OwnerID) async throws -> HistoryListing {
    try await reads.read(for: owner) { try $0.history(selection, of: owner) }
  }

  package func nearbyItems(_ selection: NearbySelection, of owner: OwnerID) async throws -> NearbyListing {
    try await reads.read(for: owner) { try $0.nearbyItems(selection, of: owner) }
  }

  /// Reports the lists that other servers announce immediately, and all lists once a second, in case an announcement
  /// is lost.
  package func observeExternalChanges(_ report: @escaping @Sendable (ExternalChange) -> Void) async throws {
    try await listener.observeLists { lists in
      switch lists {
      case .all: report(.anyList)
      case .some(let owners): for owner in owners { report(.list(owner)) }
      }
    }
  }

  // MARK: Writes

  package func observeCommits(_ observer: @escaping @Sendable (ListCommit) -> Void) -> CommitObservation {
    coordination.observers.add(observer)
  }

  package func write<Value: Sendable>(
    _ owner: OwnerID, reading reads: ItemReads, _ body: @escaping @Sendable (any ItemTransaction) throws -> Value
  ) async throws -> Value {
    try await withWriter(of: [owner], reading: reads) { writer in
      try await writer.committer.submit(for: .list(owner), reading: reads) { try $0.write(owner, body) }
    }
  }

  package func write<Value: Sendable>(
    _ first: OwnerID, _ second: OwnerID, reading reads: ItemReads,
    _ body: @escaping @Sendable (any ItemTransaction, any ItemTransaction) throws -> Value
  ) async throws -> Value {
    precondition(first != second, "a write to two owners needs two")
    return try await withWriter(of: [first, second], reading: reads) { writer in
      try await writer.committer.submit(for: .lists(first, second), reading: reads) {
        try $0.write(first, second, body)
      }
    }
  }

  /// Runs a write with the first list's writer, or with the one for long writes while such a write is in progress.
  private func withWriter<Value: Sendable>(
    of owners: [OwnerID], reading reads: ItemReads, _ write: (Writer) async throws -> Value
  ) async throws -> Value {
    let isLong = longWrites.withLock { longWrites in
      if reads.isLong { for owner in owners { longWrites[owner, default: 0] += 1 } }
      return owners.contains { longWrites[$0] != nil }
    }
    defer {
      if reads.isLong {
        longWrites.withLock { longWrites in
          for owner in owners {
            let count = longWrites[owner, default: 0] - 1
            longWrites[owner] = count > 0 ? count : nil
          }
        }
      }
    }
    return try await write(isLong ? longWriter : writers[Self.index(of: owners[0])])
  }

  package func claimPendingLookups(
    dueBy now: Timestamp, until lease: Timestamp, limit: Int
  ) async throws -> [PendingLookup] {
    try await longWriter.committer.submit(for: .maintenance) { group in
      try group.claimPendingLookups(dueBy: now, until: lease, limit: limit)
    }
  }

  /// Returns the number of a list's writer.
  private static func index(of owner: OwnerID) -> Int {
    var hash = FNV1a()
    hash.combine(owner.name)
    return Int(hash.value % UInt64(writerCount))
  }
}
#endif
