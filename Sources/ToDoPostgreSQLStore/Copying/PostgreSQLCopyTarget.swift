#if PostgreSQL
import ToDoPostgreSQL
package import ToDoModel
package import ToDoRules
package import ToDoStores

/// Fills an empty PostgreSQL database with the contents of another store.
///
/// Until the copy is complete, the schema version in the database is negative, which servers reject.
package final class PostgreSQLCopyTarget: CopyTarget {
  private let connection: PostgreSQLConnection
  private var fingerprintKey: FingerprintKey?

  /// Connects to a database.
  ///
  /// - Throws: `StoreCopyError.targetBusy`, `PostgreSQLStoreError`, `PostgreSQLError`.
  package convenience init(uri: String) throws { try self.init(uri: uri, timing: .system) }

  /// - Parameter timing: the time of the waits for another process.
  init(uri: String, timing: StoreTiming) throws {
    connection = try StoreConnection.open(uri, purpose: "move")
    connection.timeout = .seconds(300)
    try connection.execute(PostgreSQLCopySQL.session)
    // The server may not have noticed yet that an earlier process has ended.
    for _ in 0..<50 {
      if try connection.run(PostgreSQLCopySQL.lock).bool(0, 0) { return }
      timing.pause(for: .milliseconds(100))
    }
    throw StoreCopyError.targetBusy
  }

  // MARK: Progress

  package func begin(from source: StoreIdentity) throws -> [String: CopiedSummary] {
    fingerprintKey = source.fingerprintKey
    if try !connection.run(PostgreSQLCopySQL.hasProgress).bool(0, 0) { try beginEmpty(source) }
    let stored = try connection.run(PostgreSQLCopySQL.source)
    let isSame =
      stored.count == 1 && stored.bytes(0, 0) == source.incarnationBytes
      && stored.bytes(0, 1) == source.fingerprintKeyBytes
      && stored.int32(0, 2) == -Int32(StoreSchema.currentVersion)
    guard isSame else { throw StoreCopyError.otherSource(target: nil) }
    let rows = try connection.run(PostgreSQLCopySQL.completedLists)
    var completed: [String: CopiedSummary] = [:]
    for row in 0..<rows.count {
      completed[rows.text(row, 0)] = CopiedSummary(numbers: (1...5).map { rows.int64(row, $0) })
    }
    try rows.checkIsWellFormed()
    return completed
  }

  private func beginEmpty(_ source: StoreIdentity) throws {
    // The tables of another store are not migrated.
    if try StoreSchema.version(connection) == 0 { try StoreSchema.migrate(connection) }
    try StoreSchema.check(connection)
    try StoreTransaction.perform(on: connection) {
      try connection.execute(PostgreSQLCopySQL.excludeWrites)
      guard try !connection.run(PostgreSQLCopySQL.isUsed).bool(0, 0) else {
        throw StoreCopyError.targetNotEmpty(target: nil)
      }
      try connection.execute(PostgreSQLCopySQL.createProgress)
      var parameters = Parameters()
      parameters.append(bytes: source.incarnationBytes)
      parameters.append(bytes: source.fingerprintKeyBytes)
      _ = try connection.run(PostgreSQLCopySQL.addSource, parameters)
      var key = Parameters()
      key.append(bytes: source.fingerprintKeyBytes)
      _ = try connection.run(PostgreSQLCopySQL.setFingerprintKey, key)
      _ = try connection.run(StoreSchema.negateVersion)
    }
  }

  package func rejectList(_ name: String) throws {
    _ = try connection.run(PostgreSQLCopySQL.removeCompleted, .text(name))
  }

  package func complete() throws {
    try StoreTransaction.perform(on: connection) {
      try connection.execute(PostgreSQLCopySQL.dropProgress)
      _ = try connection.run(StoreSchema.negateVersion)
    }
  }

  // MARK: Lists

  package func removeList(_ name: String) throws {
    try commit([
      BoundStatement(PostgreSQLCopySQL.removeCompleted, .text(name)),
      BoundStatement(PostgreSQLCopySQL.removeList, .text(name)),
    ])
    for statement in PostgreSQLCopySQL.removeRows {
      while try connection.run(statement, .text(name)).affectedCount > 0 {}
    }
  }

  package func write(_ records: [CopiedRecord], of list: CopiedList) throws {
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

  package func finishList(_ list: CopiedList, _ summary: CopiedSummary) throws {
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
    try commit([
      BoundStatement(PostgreSQLCopySQL.setList, row), BoundStatement(PostgreSQLCopySQL.setCompleted, completed),
    ])
  }

  package func reader() throws -> any CopySource { PostgreSQLCopySource(reading: connection) }

  // MARK: Accounts

  package func write(_ accounts: Accounts) throws {
    try commit(
      [BoundStatement(PostgreSQLCopySQL.setAccountVersion, .number(accounts.version))]
        + PostgreSQLAccountTables.sql.replaceAll(with: accounts).map(BoundStatement.init))
  }

  package func write(_ lists: CopiedUserLists) throws {
    try commit(PostgreSQLAccountTables.listSQL.replaceAll(with: lists).map(BoundStatement.init))
  }

  package func write(_ targets: [OwnerID: [NotificationTarget]]) throws {
    try commit(PostgreSQLAccountTables.notificationSQL.replaceAll(with: targets).map(BoundStatement.init))
  }

  package func write(_ states: [CopiedReminderState]) throws {
    try commit(PostgreSQLAccountTables.reminderSQL.replaceAll(with: states).map(BoundStatement.init))
  }

  /// Runs statements in a transaction, in one round trip.
  private func commit(_ statements: [BoundStatement]) throws {
    do {
      let results = try connection.send(
        [BoundStatement(PostgreSQLCopySQL.begin)] + statements + [BoundStatement(PostgreSQLCopySQL.commit)])
      guard results.last?.tag == "COMMIT" else { throw StoreTransaction.outcomeUnknown }
    } catch {
      StoreTransaction.rollBack(connection)
      throw error
    }
  }
}

extension PendingItem {
  /// Creates the row of an item.
  fileprivate init(_ record: CopiedItem, _ key: FingerprintKey) {
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
  fileprivate init(_ record: CopiedChange, floor: Revision) {
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
