#if PostgreSQL
import Dispatch
import ToDoPostgreSQL
import Synchronization
import ToDoModel
import ToDoRules
import ToDoStores

/// A writing connection of a store, with its own thread.
///
/// A group of writes takes two round trips: one that locks the lists and reads what the writes declared, and one that
/// sends the changes and commits. If the connection is lost before the commit, the group is repeated once on a new
/// connection. If it is lost during the commit, the group is repeated only if the database shows that it was not
/// committed.
final class PostgreSQLWriter: GroupSink {
  private typealias Write = GroupedWrite<PostgreSQLWriteGroup>

  /// The thread of the commits.
  private let queue = DispatchQueue(label: "ToDoPostgreSQLStore.Writer", qos: .userInitiated)
  private let serverID: String
  private let fingerprintKey: [UInt8]
  private let compaction: ListCompaction
  private let coordination: WriterCoordination
  private let resolutionTimeout: Duration
  private let timing: StoreTiming
  private let connection: Mutex<WriterConnection>
  private let observer: (any WriteGroupObserver)?

  /// - Parameters:
  ///   - serverID: identifies this server in the notifications of its changes.
  ///   - identity: the random values of the store. A database with another fingerprint key is not written to.
  ///   - coordination: the object that all writers of the store share.
  ///   - resolutionTimeout: the time after which the outcome of an interrupted commit is given up.
  ///   - timing: the time of the waits for a database that cannot be reached.
  ///   - observer: receives the numbers of undeclared reads; the groups are those of the committer.
  init(
    _ settings: ConnectionSettings, serverID: String, identity: StoreIdentity, compaction: ListCompaction,
    coordination: WriterCoordination, resolutionTimeout: Duration = .seconds(30), timing: StoreTiming,
    observer: (any WriteGroupObserver)? = nil
  ) {
    self.serverID = serverID
    fingerprintKey = identity.fingerprintKeyBytes
    self.compaction = compaction
    self.coordination = coordination
    self.resolutionTimeout = resolutionTimeout
    self.timing = timing
    self.observer = observer
    connection = Mutex(WriterConnection(settings, timing: timing))
  }

  func schedule(_ work: @escaping @Sendable () -> Void) { queue.async(execute: work) }

  func commit(
    _ next: @Sendable () -> GroupedWrite<PostgreSQLWriteGroup>?
  ) throws -> [GroupedWrite<PostgreSQLWriteGroup>.Answer] {
    var writes: [Write] = []
    while let write = next() { writes.append(write) }
    let owners = Array(Set(writes.flatMap(\.owner.lists))).sortedForLocks
    coordination.gates.acquire(owners)
    defer { coordination.gates.release(owners) }
    return try connection.withLock { connection in
      do {
        guard !owners.isEmpty else { return maintain(writes, on: try connection.open()) }
        let (answers, used) = try commit(writes.filter { $0.owner != .maintenance }, owners, &connection)
        return answers + maintain(writes.filter { $0.owner == .maintenance }, on: used)
      } catch {
        throw ToDoError(postgreSQL: error)
      }
    }
  }

  /// Closes the connection. Later writes throw `ToDoError.storeClosed`.
  func close() { connection.withLock { $0.close() } }

  // MARK: Groups

  /// Runs a group, and repeats it once if nothing was committed for a reason that may be gone.
  ///
  /// - Returns: the connection that the group used last, which may be lost.
  private func commit(
    _ writes: [Write], _ owners: [OwnerID], _ connection: inout WriterConnection
  ) throws -> ([Write.Answer], PostgreSQLConnection) {
    var mayRepeat = true
    while true {
      let group = self.group(on: try connection.open())
      let (answers, outcome) = perform(writes, owners, group)
      if group.undeclaredReads > 0 { observer?.didReadUndeclared(count: group.undeclaredReads) }
      switch outcome {
      case .committed:
        break
      case .rolledBack(let error):
        StoreTransaction.rollBack(group.connection)
        guard mayRepeat, error.isWorthRepeating else { throw error }
        mayRepeat = false
        continue
      case .unknown(let error):
        guard try isCommitted(group, &connection) else {
          guard mayRepeat else { throw error }
          mayRepeat = false
          continue
        }
      }
      finish(group, &connection)
      return (answers, group.connection)
    }
  }

  /// Runs the writes in one transaction.
  private func perform(
    _ writes: [Write], _ owners: [OwnerID], _ group: PostgreSQLWriteGroup
  ) -> ([Write.Answer], PostgreSQLWriteGroup.Outcome) {
    let timeout = group.connection.timeout
    if writes.contains(where: \.reads.isLong) { group.connection.timeout = Self.longTimeout }
    defer { group.connection.timeout = timeout }
    var answers: [Write.Answer] = []
    do {
      try group.begin(writes, owners: owners)
      for write in writes {
        answers.append(write.perform(group))
        if let failure = group.failure { throw failure }
      }
    } catch {
      return ([], .rolledBack(error))
    }
    return (answers, group.commit(serverID: serverID))
  }

  /// The time limit of a call in a group that may change many items. The server ends the statement earlier.
  private static let longTimeout = Duration.seconds(65)

  /// Finds out whether a group was committed.
  ///
  /// - Throws: `ToDoError` if that cannot be found out.
  private func isCommitted(_ group: PostgreSQLWriteGroup, _ connection: inout WriterConnection) throws -> Bool {
    let resolution = CommitResolution(evidence: CommitEvidence(of: group), timing: timing)
    let deadline = timing.now() + resolutionTimeout
    switch resolution.resolve(until: deadline, open: { try connection.open() }) {
    case .committed: return true
    case .notCommitted: return false
    case .unknown: throw StoreTransaction.outcomeUnknown
    }
  }

  /// Reports the changes of a committed group, and compacts its lists.
  private func finish(_ group: PostgreSQLWriteGroup, _ connection: inout WriterConnection) {
    if !coordination.observers.isEmpty {
      coordination.report(group.lists.compactMap { owner, list in list.ledger.commit(of: owner) })
    }
    for (owner, list) in group.lists where list.ledger.isCompactionDue {
      guard let now = list.ledger.lastChange else { continue }
      // A failed compaction is repeated after the next 64 revisions.
      try? compaction.compact(owner, now: now, on: connection.open())
    }
  }

  /// Runs the store's own writes, each in its own transactions. Their errors are part of their answers.
  private func maintain(_ writes: [Write], on connection: PostgreSQLConnection) -> [Write.Answer] {
    guard !writes.isEmpty else { return [] }
    return writes.map { $0.perform(group(on: connection)) }
  }

  private func group(on connection: PostgreSQLConnection) -> PostgreSQLWriteGroup {
    PostgreSQLWriteGroup(on: connection, turn: coordination.turn, fingerprintKey: fingerprintKey)
  }
}

extension Error {
  /// Whether the same transaction may succeed if it is repeated immediately.
  fileprivate var isWorthRepeating: Bool {
    guard let error = self as? PostgreSQLError else { return false }
    return error.endsConnection || error.kind == .conflict
  }
}
#endif
