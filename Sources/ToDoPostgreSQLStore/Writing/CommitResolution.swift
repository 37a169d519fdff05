#if PostgreSQL
import ToDoPostgreSQL
import ToDoModel
import ToDoRules
import ToDoStores

/// The rows from which another connection can find out whether a group was committed.
struct CommitEvidence {
  /// The group's lists, in the order of `sortedForLocks`.
  let owners: [OwnerID]
  /// The fingerprint key of the group.
  let fingerprintKey: [UInt8]
  /// Changes whose rows exist if and only if the group was committed.
  let changes: [(owner: OwnerID, change: ItemChange)]
  /// Whether the group changed a list at all.
  let hasChangedLists: Bool

  /// Takes the evidence of a group that is about to be committed.
  init(of group: PostgreSQLWriteGroup) {
    let lists = group.lists
    self.init(
      owners: Array(lists.keys).sortedForLocks, fingerprintKey: group.fingerprintKey,
      changes: lists.flatMap { owner, list in list.ledger.evidence.map { (owner, $0) } },
      hasChangedLists: lists.values.contains { $0.ledger.row.revision != $0.ledger.stored.revision })
  }

  init(
    owners: [OwnerID], fingerprintKey: [UInt8], changes: [(owner: OwnerID, change: ItemChange)], hasChangedLists: Bool
  ) {
    self.owners = owners
    self.fingerprintKey = fingerprintKey
    self.changes = changes
    self.hasChangedLists = hasChangedLists
  }

  /// Whether no list has changed.
  var isEmpty: Bool { !hasChangedLists }
}

/// Finds out whether a group was committed whose connection was lost during the commit.
struct CommitResolution {
  enum Outcome: Equatable {
    case committed, notCommitted
    /// The rows do not show it.
    case unknown
  }

  let evidence: CommitEvidence
  let timing: StoreTiming

  /// Reads the evidence until that succeeds, at most until a deadline.
  ///
  /// - Parameter open: returns a usable connection.
  func resolve(
    until deadline: ContinuousClock.Instant, open: () throws -> PostgreSQLConnection
  ) -> Outcome {
    while true {
      do { return try outcome(on: open()) } catch {
        guard timing.now() < deadline else { return .unknown }
        timing.pause(for: .milliseconds(100))
      }
    }
  }

  /// Reads the evidence.
  ///
  /// The locks wait until the server has ended the lost transaction. Without them, its changes might be committed
  /// after this read. The locks also make the commit of this transaction wait for the standbys, which then have the
  /// changes that were read.
  ///
  /// - Throws: `PostgreSQLError`, or `outcomeUnknown` if the changes may not have been replicated.
  func outcome(on connection: PostgreSQLConnection) throws -> Outcome {
    StoreTransaction.rollBack(connection)
    connection.commitIsUncertain = false
    let results = try connection.send([
      BoundStatement(WriteSQL.begin),
      .lockLists(of: evidence.owners, fingerprintKey: evidence.fingerprintKey),
      BoundStatement(WriteSQL.existingChanges, parameters), BoundStatement(WriteSQL.commit),
    ])
    guard results.last?.tag == "COMMIT", !connection.commitIsUncertain else { throw StoreTransaction.outcomeUnknown }
    let count = Int(results[2].int64(0, 0))
    try results[2].checkIsWellFormed()
    return outcome(existing: count)
  }

  /// - Parameter count: the number of the evidence's changes that exist.
  func outcome(existing count: Int) -> Outcome {
    // A group that changed no list can be repeated: its effects are the same the second time.
    if evidence.isEmpty { return .notCommitted }
    if evidence.changes.isEmpty { return .unknown }
    return count == evidence.changes.count ? .committed : count == 0 ? .notCommitted : .unknown
  }

  private var parameters: Parameters {
    let changes = evidence.changes
    var parameters = Parameters()
    parameters.append(array: changes.map { Optional($0.owner.name.storable) })
    parameters.append(array: changes.map { Optional($0.change.revision.number) })
    parameters.append(array: changes.map { Optional($0.change.id.uuid) })
    parameters.append(array: changes.map { Optional($0.change.time.microseconds) })
    parameters.append(array: changes.map(\.change.storedCause))
    return parameters
  }
}
#endif
