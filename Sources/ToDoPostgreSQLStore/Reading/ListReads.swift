#if PostgreSQL
import ToDoPostgreSQL
import Synchronization
import ToDoModel
import ToDoRules
import ToDoStores

/// Reads of lists, from a replica of the database if it has caught up, or else from the primary.
///
/// A read first gets the list's revision from the primary, which costs the primary one row. A replica whose list has another
/// revision before or after the read is not used. So a user always reads all earlier writes, through whichever server, and
/// never a later change, which the primary has not confirmed yet and a failover may undo. After a failure, replicas are not
/// used for a while, so that a replica that does not respond delays few reads.
final class ListReads: Sendable {
  private let primary: ReaderPool<PostgreSQLReader>
  private let replicas: ReaderPool<PostgreSQLReader>?
  private let timing: StoreTiming
  private let pauseEnd = Mutex<ContinuousClock.Instant?>(nil)

  /// The time for which replicas are not used after a failure.
  static let pause = Duration.seconds(5)

  /// - Parameters:
  ///   - primary: the settings of connections to the primary.
  ///   - replica: the settings of connections to replicas; `nil` to read from the primary only.
  ///   - identity: the random values of the database. A replica with other values belongs to another database.
  init(
    _ primary: ConnectionSettings, replica: ConnectionSettings?, identity: StoreIdentity,
    timing: StoreTiming
  ) {
    self.primary = ReaderPool(label: "PostgreSQLReader", count: 4, ownerCount: 2) { try PostgreSQLReader(primary) }
    replicas = replica.map { replica in
      ReaderPool(label: "PostgreSQLReplica", count: 4, ownerCount: 2) {
        // A repeated read might reach another replica, which has not caught up.
        let reader = try PostgreSQLReader(replica, repeatsLostReads: false)
        guard try StoreSchema.check(reader.connection) == identity else { throw PostgreSQLStoreError.otherStore }
        return reader
      }
    }
    self.timing = timing
  }

  /// Runs a read, on a replica if possible.
  ///
  /// - Throws: `ToDoError`, and `CancellationError`.
  func read<Value: Sendable>(
    for owner: OwnerID, _ body: @Sendable (PostgreSQLReader) throws -> Value
  ) async throws -> Value {
    if let value = try await readFromReplica(for: owner, body) { return value }
    return try await readFromPrimary(for: owner, body)
  }

  /// Runs a read on the primary, for a caller that needs the latest changes.
  ///
  /// - Throws: `ToDoError`, and `CancellationError`.
  func readFromPrimary<Value: Sendable>(
    for owner: OwnerID, _ body: @Sendable (PostgreSQLReader) throws -> Value
  ) async throws -> Value {
    try await primary.read(for: owner, body)
  }

  /// Waits until the reads that have begun are done, and closes the connections.
  func close() async {
    await primary.close()
    await replicas?.close()
  }

  /// Returns `nil` if no replica can be used, or if its list has another revision.
  private func readFromReplica<Value: Sendable>(
    for owner: OwnerID, _ body: @Sendable (PostgreSQLReader) throws -> Value
  ) async throws -> Value? {
    guard let replicas, !isPaused else { return nil }
    let current = try await primary.read(for: owner) { try $0.revision(of: owner) }
    do {
      return try await replicas.read(for: owner) { reader in
        guard try reader.revision(of: owner) == current else { return nil }
        let value = try body(reader)
        return try reader.revision(of: owner) == current ? value : nil
      }
    } catch ToDoError.storeUnavailable {
      pauseEnd.withLock { $0 = timing.now() + Self.pause }
      return nil
    }
  }

  private var isPaused: Bool {
    pauseEnd.withLock { pauseEnd in pauseEnd.map { timing.now() < $0 } ?? false }
  }
}
#endif
