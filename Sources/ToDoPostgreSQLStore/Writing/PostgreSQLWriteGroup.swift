#if PostgreSQL
import ToDoModel
import ToDoPostgreSQL
import ToDoRules
import ToDoStores

/// Writes that share one transaction of the writing connection.
///
/// 1. `begin` locks the lists of all writes, and reads what the writes declared.
/// 2. Each write runs its body. Its changes are collected in `ListState`.
/// 3. `commit` sends the changes and commits.
///
/// After an error of a statement, `failure` is set and nothing is committed.
final class PostgreSQLWriteGroup {
  let connection: PostgreSQLConnection
  private let turn: BodyTurn
  /// The stored form of the key with which the store's callers make fingerprints.
  let fingerprintKey: [UInt8]
  private(set) var lists: [OwnerID: ListState] = [:]
  /// The errors of all writes to lists that cannot be changed.
  private var rejections: [OwnerID: ToDoError] = [:]
  /// Statements that precede the next ones: the ends of savepoints.
  private var deferred: [BoundStatement] = []
  /// The error of a statement.
  private(set) var failure: (any Error)?
  /// Whether a statement of a write has changed something.
  private var hasSentChanges = false
  /// The number of reads that needed a round trip because the write did not declare them.
  private(set) var undeclaredReads = 0

  init(on connection: PostgreSQLConnection, turn: BodyTurn, fingerprintKey: [UInt8]) {
    self.connection = connection
    self.turn = turn
    self.fingerprintKey = fingerprintKey
  }

  /// Runs the body of a write to a list. If it throws, its changes are undone.
  func write<Value>(_ owner: OwnerID, _ body: (any ItemTransaction) throws -> Value) throws -> Value {
    try write([owner]) { try body($0[0]) }
  }

  /// Runs the body of a write to two lists. If it throws, its changes to both are undone.
  func write<Value>(
    _ first: OwnerID, _ second: OwnerID, _ body: (any ItemTransaction, any ItemTransaction) throws -> Value
  ) throws -> Value {
    try write([first, second]) { try body($0[0], $0[1]) }
  }

  private func write<Value>(
    _ owners: [OwnerID], _ body: ([PostgreSQLItemTransaction]) throws -> Value
  ) throws -> Value {
    if let failure { throw ToDoError(postgreSQL: failure) }
    for owner in owners { if let rejection = rejections[owner] { throw rejection } }
    let transactions = owners.map { PostgreSQLItemTransaction(on: $0, of: owners, in: self) }
    let result = turn.run { Result { try body(transactions) } }
    // The caller rolls the whole group back.
    if let failure { throw ToDoError(postgreSQL: failure) }
    // Savepoints of one name are nested, and a statement ends the innermost one.
    for (owner, transaction) in zip(owners, transactions) {
      if case .success = result {
        if transaction.hasSavepoint {
          deferred.append(BoundStatement(WriteSQL.releaseSavepoint))
          hasSentChanges = true
        }
        lists[owner]?.apply(transaction.write)
      } else if transaction.hasSavepoint {
        deferred.append(BoundStatement(WriteSQL.rollBackToSavepoint))
        deferred.append(BoundStatement(WriteSQL.releaseSavepoint))
      }
    }
    return try result.get()
  }

  /// Lets the bodies of other writers run during a long statement of a body.
  func withoutTurn<Value>(_ body: () throws -> Value) throws -> Value { try turn.yield(body) }

  /// Returns the state of a list that `begin` has locked.
  func state(of owner: OwnerID) -> ListState {
    guard let state = lists[owner] else { preconditionFailure("a group writes only to the lists that it has locked") }
    return state
  }

  // MARK: Statements

  func noteUndeclaredRead() { undeclaredReads += 1 }

  /// Runs statements in one round trip, and returns the rows of the last.
  ///
  /// - Throws: `ToDoError`. The group has failed then.
  func run(_ statements: [BoundStatement]) throws -> Rows {
    if let failure { throw ToDoError(postgreSQL: failure) }
    do {
      let results = try connection.send(deferred + statements)
      deferred = []
      guard let last = results.last else { throw PostgreSQLError.malformedResult }
      return last
    } catch {
      failure = error
      throw ToDoError(postgreSQL: error)
    }
  }

  /// - Throws: `ToDoError` if a value of a result was malformed. The group has failed then.
  func check(_ rows: Rows) throws {
    guard rows.isMalformed else { return }
    failure = PostgreSQLError.malformedResult
    throw ToDoError(postgreSQL: PostgreSQLError.malformedResult)
  }

  /// Returns statements that send the changes of the earlier writes to some lists.
  func takePendingStatements(of owners: [OwnerID]) -> [BoundStatement] {
    var rows = RowBatch()
    for owner in owners {
      guard let pending = lists[owner]?.takePending() else { continue }
      hasSentChanges = hasSentChanges || !pending.isEmpty
      rows.add(pending, of: owner)
    }
    return rows.statements
  }

  /// Returns the statements before a commit: the ends of savepoints, and all pending changes, by kind.
  private func takeAllStatements() -> [BoundStatement] {
    defer { deferred = [] }
    var rows = RowBatch()
    for owner in lists.keys { if let pending = lists[owner]?.takePending() { rows.add(pending, of: owner) } }
    return deferred + rows.statements
  }
}

extension PostgreSQLWriteGroup {
  /// The records that a group's writes declared to read.
  private struct Declarations {
    var ids: [OwnerID: Set<ItemID>] = [:]
    var fingerprints: [OwnerID: Set<ContentFingerprint>] = [:]
    var isLong = false

    init(_ writes: [GroupedWrite<PostgreSQLWriteGroup>]) {
      for write in writes {
        for owner in write.owner.lists {
          ids[owner, default: []].formUnion(write.reads.ids)
          fingerprints[owner, default: []].formUnion(write.reads.fingerprints)
        }
        isLong = isLong || write.reads.isLong
      }
    }

    var itemKeys: ItemKeys { ItemKeys(ids.flatMap { owner, ids in ids.map { (owner, $0) } }) }

    var fingerprintKeys: FingerprintKeys {
      FingerprintKeys(fingerprints.flatMap { owner, fingerprints in fingerprints.map { (owner, $0) } })
    }
  }

  /// Begins the transaction, locks the lists, and reads what the writes declared.
  ///
  /// - Parameter owners: the lists of the writes, in the order of `sortedForLocks`.
  /// - Throws: `PostgreSQLError`, `ToDoError`.
  func begin(_ writes: [GroupedWrite<PostgreSQLWriteGroup>], owners: [OwnerID]) throws {
    let declarations = Declarations(writes)
    if try lock(owners, declarations) { return }
    // New lists are committed at once, so that their locks can be taken in order.
    _ = try connection.send([
      BoundStatement(WriteSQL.rollBack), BoundStatement(WriteSQL.addLists, Self.names(of: owners)),
    ])
    guard try lock(owners, declarations) else {
      throw ToDoError.storeUnavailable(detail: "a list was removed during a write")
    }
  }

  /// - Returns: false if some lists have no row yet.
  private func lock(_ owners: [OwnerID], _ declarations: Declarations) throws -> Bool {
    let (ids, fingerprints) = (declarations.itemKeys, declarations.fingerprintKeys)
    var batch = [BoundStatement(WriteSQL.begin)]
    if declarations.isLong { batch.append(BoundStatement(WriteSQL.allowLongStatements)) }
    batch.append(.lockLists(of: owners, fingerprintKey: fingerprintKey))
    let lockIndex = batch.count - 1
    let further = owners.filter { $0.list != nil }
    if !further.isEmpty { batch.append(.availableLists(of: further)) }
    let idIndex = batch.count
    if !ids.isEmpty { batch.append(BoundStatement(WriteSQL.records, ids.parameters)) }
    let matchIndex = batch.count
    if !fingerprints.isEmpty { batch.append(BoundStatement(WriteSQL.matches, fingerprints.parameters)) }
    let results = try connection.send(batch)

    (lists, rejections) = ([:], [:])
    try addStates(results[lockIndex], of: owners)
    guard lists.count == owners.count else { return false }
    if !further.isEmpty { try addAvailability(results[lockIndex + 1], of: further) }
    if !ids.isEmpty { try add(results[idIndex], of: ids) }
    if !fingerprints.isEmpty { try add(results[matchIndex], of: fingerprints) }
    return true
  }

  private static func names(of owners: [OwnerID]) -> Parameters {
    var parameters = Parameters()
    parameters.append(array: owners.map { Optional($0.name.storable) })
    return parameters
  }

  /// Adds the states of the lists that have a row.
  ///
  /// A migration that commits later can overtake the transaction. Its steps keep the statements of this version valid.
  ///
  /// - Throws: `ToDoError.schemaChanged` if the database has another program version's schema;
  ///   `ToDoError.storeReplaced` if it has another fingerprint key.
  private func addStates(_ rows: Rows, of owners: [OwnerID]) throws {
    for row in 0..<rows.count {
      let index = Int(rows.int64(row, 0)) - 1
      guard owners.indices.contains(index) else { throw PostgreSQLError.malformedResult }
      guard !rows.isNull(row, 7) else { throw ToDoError.storeReplaced }
      guard rows.int32(row, 7) == Int32(StoreSchema.currentVersion) else { throw ToDoError.schemaChanged }
      guard !rows.isNull(row, 1) else { continue }
      let counters = Result { () throws(ToDoError) in
        try ListCounters(
          revision: rows.int64(row, 1), floor: rows.int64(row, 2), itemCount: rows.int64(row, 3),
          byteCount: rows.int64(row, 4), lastNumber: rows.int64(row, 5))
      }
      // Only the writes of this list fail.
      if case .failure(let error) = counters { rejections[owners[index]] = error }
      lists[owners[index]] = ListState(
        (try? counters.get()) ?? ListCounters(), accessVersion: rows.int64(row, 6))
    }
    try rows.checkIsWellFormed()
  }

  private func addAvailability(_ rows: Rows, of further: [OwnerID]) throws {
    for owner in further { lists[owner]?.isAvailable = false }
    for row in 0..<rows.count {
      let index = Int(rows.int64(row, 0)) - 1
      guard further.indices.contains(index) else { throw PostgreSQLError.malformedResult }
      lists[further[index]]?.isAvailable = true
    }
    try rows.checkIsWellFormed()
  }

  private func add(_ rows: Rows, of keys: ItemKeys) throws {
    for (owner, id) in keys.keys { lists[owner]?.add(.absent, of: id) }
    for row in 0..<rows.count {
      let index = Int(rows.int64(row, 0)) - 1
      guard keys.keys.indices.contains(index) else { throw PostgreSQLError.malformedResult }
      let (owner, id) = keys.keys[index]
      lists[owner]?.add(StoredRecord(rows, row, id: id), of: id)
    }
    try rows.checkIsWellFormed()
  }

  private func add(_ rows: Rows, of keys: FingerprintKeys) throws {
    for (owner, fingerprint) in keys.keys { lists[owner]?.add(nil as ItemID?, for: fingerprint) }
    for row in 0..<rows.count {
      let position = Int(rows.int64(row, 0)) - 1
      guard keys.positions.indices.contains(position) else { throw PostgreSQLError.malformedResult }
      let (owner, fingerprint) = keys.keys[keys.positions[position]]
      lists[owner]?.add(ItemID(uuid: rows.uuid(row, 1)), for: fingerprint)
    }
    try rows.checkIsWellFormed()
  }
}

extension BoundStatement {
  /// Returns `WriteSQL.lockLists` with its parameters.
  ///
  /// - Parameter owners: the lists, in the order of `sortedForLocks`.
  static func lockLists(of owners: [OwnerID], fingerprintKey: [UInt8]) -> BoundStatement {
    var parameters = Parameters()
    parameters.append(array: owners.map { Optional($0.name.storable) })
    parameters.append(bytes: fingerprintKey)
    return BoundStatement(WriteSQL.lockLists, parameters)
  }

  /// Returns `WriteSQL.availableLists` with its parameter.
  ///
  /// - Parameter further: the owners of further lists' items.
  fileprivate static func availableLists(of further: [OwnerID]) -> BoundStatement {
    var parameters = Parameters()
    parameters.append(array: further.map { $0.list?.description })
    return BoundStatement(WriteSQL.availableLists, parameters)
  }
}

extension [OwnerID] {
  /// The order in which every transaction of every server locks lists.
  var sortedForLocks: [OwnerID] { sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) } }
}

extension PostgreSQLWriteGroup {
  /// The outcome of a commit.
  enum Outcome {
    case committed
    /// Nothing was committed.
    case rolledBack(any Error)
    /// The connection was lost while the commit was under way, or the commit may not have been replicated.
    case unknown(any Error)
  }

  /// Sends all pending changes and commits, in one round trip.
  ///
  /// - Parameter serverID: the sender that the notification names.
  func commit(serverID: String) -> Outcome {
    let evidence = CommitEvidence(of: self)
    var batch = takeAllStatements()
    let changed = lists.filter { $0.value.ledger.row != $0.value.ledger.stored }
    let isEmpty = batch.isEmpty && changed.isEmpty && !hasSentChanges
    if !changed.isEmpty { batch.append(Self.update(changed)) }
    let revised = changed.filter { $0.value.ledger.row.revision != $0.value.ledger.stored.revision }.keys
    if !revised.isEmpty {
      var parameters = Parameters()
      parameters.append(Self.payload(of: Array(revised), serverID: serverID).storable)
      batch.append(BoundStatement(WriteSQL.notify, parameters))
    }
    batch.append(BoundStatement(WriteSQL.commit))
    let outcome = commit(batch)
    // Without changes, the outcome of the commit makes no difference.
    if case .unknown = outcome, isEmpty, evidence.isEmpty { return .committed }
    return outcome
  }

  private func commit(_ batch: [BoundStatement]) -> Outcome {
    connection.commitIsUncertain = false
    do throws(PostgreSQLError) {
      let results = try connection.send(batch)
      // The server responds to the commit of a failed transaction with a success.
      guard results.last?.tag == "COMMIT" else {
        return .rolledBack(ToDoError.storeUnavailable(detail: "the database rolled the transaction back"))
      }
      return connection.commitIsUncertain ? .unknown(StoreTransaction.outcomeUnknown) : .committed
    } catch {
      let mayBeCommitted = error.endsConnection || error.kind == .malformedResult || !connection.isUsable
      return mayBeCommitted ? .unknown(error) : .rolledBack(error)
    }
  }

  private static func update(_ lists: [OwnerID: ListState]) -> BoundStatement {
    let rows = lists.map { (name: $0.key.name.storable, row: $0.value.ledger.row) }
    var parameters = Parameters()
    parameters.append(array: rows.map { Optional($0.name) })
    parameters.append(array: rows.map { Optional($0.row.revision.number) })
    parameters.append(array: rows.map { Optional($0.row.floor.number) })
    parameters.append(array: rows.map { Optional(Int64($0.row.itemCount)) })
    parameters.append(array: rows.map { Optional(Int64($0.row.byteCount)) })
    parameters.append(array: rows.map { Optional($0.row.lastNumber.value) })
    return BoundStatement(WriteSQL.updateLists, parameters)
  }

  /// A notification's maximum payload size. PostgreSQL allows 7,999 bytes.
  private static let payloadLimit = 7_000

  /// Returns the payload of the notification about changed lists: the server and the lists, or "*" if there are too
  /// many.
  static func payload(of owners: [OwnerID], serverID: String) -> String {
    let payload = owners.reduce(serverID) { "\($0)\n\($1.name)" }
    return payload.utf8.count > payloadLimit ? "\(serverID)\n*" : payload
  }
}

extension PostgreSQLWriteGroup {
  /// Returns the due lookups of all owners, and postpones them until the lease's end, in a transaction of its
  /// own. Only a write of the owner `maintenance` calls this.
  ///
  /// - Throws: `ToDoError`. The lookups may be postponed nevertheless.
  func claimPendingLookups(dueBy now: Timestamp, until lease: Timestamp, limit: Int) throws -> [PendingLookup] {
    precondition(lists.isEmpty, "a claim must not wait for lists while it holds locks of lookups")
    do {
      return try StoreTransaction.perform(on: connection) {
        let due = try dueLookups(by: now, limit: limit)
        _ = try connection.send(
          due.map { lookup in
            var parameters = Parameters()
            parameters.append(lookup.owner.name)
            parameters.append(uuid: lookup.item.uuid)
            parameters.append(lease.microseconds)
            return BoundStatement(WriteSQL.postponeLookup, parameters)
          })
        return due.map { lookup in
          var lookup = lookup
          lookup.due = lease
          return lookup
        }
      }
    } catch {
      throw ToDoError(postgreSQL: error)
    }
  }

  private func dueLookups(by now: Timestamp, limit: Int) throws -> [PendingLookup] {
    var parameters = Parameters()
    parameters.append(now.microseconds)
    parameters.append(Int64(limit))
    parameters.append(Int32(StoreSchema.currentVersion))
    let rows = try connection.run(WriteSQL.dueLookups, parameters)
    let lookups = (0..<rows.count).map { row in
      PendingLookup(
        owner: OwnerID(rows.text(row, 0)), item: ItemID(uuid: rows.uuid(row, 1)), address: rows.text(row, 2),
        attempts: Int(rows.int32(row, 3)), due: Timestamp(microseconds: rows.int64(row, 4)))
    }
    try rows.checkIsWellFormed()
    return lookups
  }
}
#endif
