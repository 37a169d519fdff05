#if PostgreSQL
import ToDoPostgreSQL
import ToDoModel
package import ToDoRules
package import ToDoStores

/// Fills an empty PostgreSQL database with the contents of another store.
///
/// Until the copy is complete, the schema version in the database is negative, which servers reject.
package final class PostgreSQLMoveTarget: MoveTarget {
  private let connection: Connection
  private var fingerprintKey: FingerprintKey?

  /// Connects to a database.
  ///
  /// - Throws: `StoreMoveError.targetBusy`, `PostgreSQLStoreError`, `PostgreSQLError`.
  package init(uri: String) throws {
    connection = try StoreConnection.open(uri, purpose: "move")
    connection.timeout = .seconds(300)
    try connection.execute(MoveSQL.session)
    // The server may not have noticed yet that an earlier process has ended.
    for _ in 0..<50 {
      if try connection.run(MoveSQL.lock).bool(0, 0) { return }
      _ = try connection.run(MoveSQL.pause)
    }
    throw StoreMoveError.targetBusy
  }

  // MARK: Progress

  package func begin(from source: MoveIdentity) throws -> [String: MovedSummary] {
    fingerprintKey = source.fingerprintKey
    let source = StoreIdentity(incarnation: source.incarnation, fingerprintKey: source.fingerprintKey)
    if try !connection.run(MoveSQL.hasProgress).bool(0, 0) { try beginEmpty(source) }
    let stored = try connection.run(MoveSQL.source)
    let isSame =
      stored.count == 1 && stored.bytes(0, 0) == source.incarnationBytes
      && stored.bytes(0, 1) == source.fingerprintKeyBytes
      && stored.int32(0, 2) == -Int32(StoreSchema.currentVersion)
    guard isSame else { throw StoreMoveError.otherSource(target: nil) }
    let rows = try connection.run(MoveSQL.completedLists)
    var completed: [String: MovedSummary] = [:]
    for row in 0..<rows.count {
      completed[rows.text(row, 0)] = MovedSummary(numbers: (1...5).map { rows.int64(row, $0) })
    }
    try rows.checkIsWellFormed()
    return completed
  }

  private func beginEmpty(_ source: StoreIdentity) throws {
    // The tables of another store are not migrated.
    if try StoreSchema.version(connection) == 0 { try StoreSchema.migrate(connection) }
    try StoreSchema.check(connection)
    try StoreTransaction.perform(on: connection) {
      try connection.execute(MoveSQL.excludeWrites)
      guard try !connection.run(MoveSQL.isUsed).bool(0, 0) else { throw StoreMoveError.targetNotEmpty(target: nil) }
      try connection.execute(MoveSQL.createProgress)
      var parameters = Parameters()
      parameters.append(bytes: source.incarnationBytes)
      parameters.append(bytes: source.fingerprintKeyBytes)
      _ = try connection.run(MoveSQL.addSource, parameters)
      var key = Parameters()
      key.append(bytes: source.fingerprintKeyBytes)
      _ = try connection.run(MoveSQL.setFingerprintKey, key)
      _ = try connection.run(StoreSchema.negateVersion)
    }
  }

  package func rejectList(_ name: String) throws { _ = try connection.run(MoveSQL.removeCompleted, .text(name)) }

  package func complete() throws {
    try StoreTransaction.perform(on: connection) {
      try connection.execute(MoveSQL.dropProgress)
      _ = try connection.run(StoreSchema.negateVersion)
    }
  }

  // MARK: Lists

  package func removeList(_ name: String) throws {
    try commit([
      BoundStatement(MoveSQL.removeCompleted, .text(name)), BoundStatement(MoveSQL.removeList, .text(name)),
    ])
    for statement in MoveSQL.removeRows {
      while try connection.run(statement, .text(name)).affectedCount > 0 {}
    }
  }

  package func write(_ records: [MovedRecord], of list: MovedList) throws {
    guard let fingerprintKey else { preconditionFailure("a copy begins with begin(from:)") }
    var pending = PendingRows()
    for record in records {
      switch record {
      case .item(let item): pending.set(PendingItem(item, fingerprintKey))
      case .change(let change): pending.set(PendingChange(change, floor: list.counters.floor), isRepeated: false)
      case .lookup(let lookup): pending.set(lookup, of: lookup.item)
      }
    }
    var batch = RowBatch()
    batch.add(pending, of: OwnerID(list.name))
    try commit(batch.statements)
  }

  package func finishList(_ list: MovedList, _ summary: MovedSummary) throws {
    let counters = list.counters
    var row = Parameters.text(list.name)
    for number in [
      counters.revision.number, counters.floor.number, Int64(counters.itemCount),
      Int64(counters.byteCount),
    ] {
      row.append(number)
    }
    row.append(counters.lastNumber.value)
    var completed = Parameters.text(list.name)
    for number in summary.numbers { completed.append(number) }
    try commit([BoundStatement(MoveSQL.setList, row), BoundStatement(MoveSQL.setCompleted, completed)])
  }

  package func reader() throws -> any MoveSource { PostgreSQLMoveSource(reading: connection) }

  // MARK: Accounts

  package func write(_ accounts: Accounts) throws {
    let users = accounts.users.map { BoundStatement(AccountSQL.insertUser, $0.parameters) }
    let tokens = accounts.tokens.map { BoundStatement(AccountSQL.insertToken, $0.parameters) }
    try commit(
      [
        BoundStatement(MoveSQL.removeTokens), BoundStatement(MoveSQL.removeUsers),
        BoundStatement(MoveSQL.setAccountVersion, .number(accounts.version)),
      ] + users + tokens)
  }

  /// Runs statements in a transaction, in one round trip.
  private func commit(_ statements: [BoundStatement]) throws {
    do {
      let results = try connection.send(
        [BoundStatement(MoveSQL.begin)] + statements + [BoundStatement(MoveSQL.commit)])
      guard results.last?.tag == "COMMIT" else { throw StoreTransaction.outcomeUnknown }
    } catch {
      StoreTransaction.rollBack(connection)
      throw error
    }
  }
}

extension PendingItem {
  /// Creates the row of an item.
  fileprivate init(_ record: MovedItem, _ key: FingerprintKey) {
    let fingerprint = record.state == .present ? ContentFingerprint(of: record.item.content, key: key) : nil
    self.init(
      item: record.item, fingerprint: fingerprint, addedAs: record.addedAs, state: record.state, isNew: true)
  }
}

extension PendingChange {
  /// Creates the row of a change.
  ///
  /// The state before a deletion has the revision 0 if SQLite did not store it. Then it only names the item in the
  /// history.
  fileprivate init(_ record: MovedChange, floor: Revision) {
    let change: ItemChange
    switch record.kind {
    case .put(let cause):
      // The row contains the state before the change, not the state after it.
      change = .put(.placeholder(record.id, record.revision, at: record.time), cause)
    case .deleted(let wasDone):
      change = .deleted(
        ItemDeletion(id: record.id, wasDone: wasDone, revision: record.revision, deletedAt: record.time))
    }
    var title = record.title
    title?.revision = .initial
    self.init(change, former: record.former?.item ?? title, origin: record.origin, floor: floor)
    size = record.size
  }
}
#endif
