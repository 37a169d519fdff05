import ToDoModel
import ToDoRules
import ToDoSQLite

/// Several writes in one transaction of SQLite.
///
/// An owner's revision is read once and written once per group, whatever the number of its writes.
///
/// A group first runs without savepoints. If a write throws after changing something, the group is rolled back and run again
/// with savepoints (`mustBeRepeated`), so that only that write is undone. Savepoints are avoided at first because SQLite
/// copies every page changed after one, which costs more than most writes.
final class SQLiteWriteGroup {
  let statements: WriteStatements
  /// The changes that the writes made to items.
  private(set) var changes = ItemChanges()
  /// Whether a write must be rolled back and has no savepoint. The group must then be rolled back and run again with savepoints.
  private(set) var mustBeRepeated = false
  private let setsSavepoints: Bool
  private let compaction: SQLiteCompaction
  private var owners: [OwnerID: (current: SQLiteItemTransaction.Owner, stored: SQLiteItemTransaction.Owner)] = [:]
  /// The error that made the whole transaction fail.
  private var failure: ToDoError?

  /// Begins the transaction. Waits while another process writes.
  ///
  /// - Throws: `ToDoError`.
  init(
    _ statements: WriteStatements, schemaVersion: Int, retention: ChangeRetention, settingSavepoints: Bool
  ) throws {
    self.statements = statements
    setsSavepoints = settingSavepoints
    compaction = SQLiteCompaction(statements: statements, retention: retention)
    do {
      try statements.begin.run()
      // A newer version of the program may have migrated the database since it was opened.
      let version = try statements.schemaVersion.firstRow { statements.schemaVersion.number(0) }
      guard version == Int64(schemaVersion) else {
        throw ToDoError.schemaChanged
      }
    } catch {
      rollBack()
      throw ToDoError(error)
    }
  }

  /// Runs the body of one write, whose changes are rolled back if it throws.
  ///
  /// - Returns: the body's value, and whether it began a bulk deletion that `continueDeletion(of:)` must complete.
  /// - Throws: `PendingDeletion.Unfinished` if another write's bulk deletion must be completed first.
  func write<Value>(
    _ id: OwnerID, _ body: (any ItemTransaction) throws -> Value
  ) throws -> (value: Value, isUnfinished: Bool) {
    if let failure { throw failure }
    let owner = try owners[id] ?? read(id)
    guard owner.current.deletion == nil else { throw PendingDeletion.Unfinished() }
    return try run(id, owner, body)
  }

  /// Performs the next slice of an owner's bulk deletion, if there is one.
  ///
  /// - Returns: whether items are left to delete.
  func continueDeletion(of id: OwnerID) throws -> Bool {
    if let failure { throw failure }
    let owner = try owners[id] ?? read(id)
    guard owner.current.deletion != nil else { return false }
    return try run(id, owner) { try $0.deleteSlice() }.isUnfinished
  }

  /// Ends an owner's bulk deletion with the items that are deleted so far.
  func truncateDeletion(of id: OwnerID) throws {
    if let failure { throw failure }
    let owner = try owners[id] ?? read(id)
    guard let deletion = owner.current.deletion else { return }
    _ = try run(id, owner) { $0.noteSlice(count: 0, isLast: true, at: deletion.time) }
  }

  private func run<Value>(
    _ id: OwnerID, _ owner: (current: SQLiteItemTransaction.Owner, stored: SQLiteItemTransaction.Owner),
    _ body: (SQLiteItemTransaction) throws -> Value
  ) throws -> (value: Value, isUnfinished: Bool) {
    let transaction = SQLiteItemTransaction(
      on: owner.current, id, statements, compaction, setsSavepoint: setsSavepoints)
    do {
      let value = try body(transaction)
      try transaction.finish()
      owners[id] = (transaction.owner, owner.stored)
      changes.append(transaction.changes)
      return (value, transaction.owner.deletion != nil)
    } catch {
      do {
        // SQLite rolls the transaction back by itself if, for example, the disk is full.
        guard statements.isInTransaction else { throw error }
        if try !transaction.rollBack() { mustBeRepeated = true }
      } catch {
        failure = ToDoError(error)
      }
      throw error
    }
  }

  /// Compacts and stores the changed owners, and commits the transaction.
  ///
  /// - Throws: `ToDoError`. Nothing is committed then.
  func commit() throws {
    do {
      if let failure { throw failure }
      for (changed, stored) in owners.values
      where changed.counters.revision != stored.counters.revision || changed.mustBeStored {
        let current = try compaction.compact(changed, stored: stored.counters.revision)
        if current.deletion != stored.deletion { try store(current.deletion, current.number) }
        statements.setRevision.bind(current.number, at: 1)
        statements.setRevision.bind(current.counters.revision.number, at: 2)
        statements.setRevision.bind(current.counters.floor.number, at: 3)
        statements.setRevision.bind(Int64(current.counters.itemCount), at: 4)
        statements.setRevision.bind(Int64(current.counters.byteCount), at: 5)
        statements.setRevision.bind(current.counters.lastNumber.value, at: 6)
        try statements.setRevision.run()
        changes.revisions.append((OwnerID(current.name), current.counters.revision))
      }
      try statements.commit.run()
    } catch {
      rollBack()
      throw ToDoError(error)
    }
  }

  /// Rolls the transaction back.
  func rollBack() {
    guard statements.isInTransaction else { return }
    // If this fails, the next group fails to begin and reports the error.
    try? statements.rollback.run()
  }

  private func store(_ deletion: PendingDeletion?, _ owner: Int64?) throws {
    let statement = statements.setDeletion
    statement.bind(owner, at: 1)
    statement.bind(deletion?.number, at: 2)
    statement.bind(deletion?.time.microseconds, at: 3)
    statement.bind(deletion?.expiry?.microseconds, at: 4)
    statement.bind(deletion?.origin.user, at: 5)
    statement.bind(deletion?.origin.client, at: 6)
    statement.bind(deletion.map { Int64($0.byteLimit) }, at: 7)
    try statement.run()
  }

  private func read(
    _ id: OwnerID
  ) throws -> (current: SQLiteItemTransaction.Owner, stored: SQLiteItemTransaction.Owner) {
    let statement = statements.owner
    statement.bind(id.name, at: 1)
    do {
      let owner = try statement.firstRow {
        return SQLiteItemTransaction.Owner(
          name: id.name, number: statement.number(0), counters: try ListCounters(statement),
          accessVersion: statement.number(11),
          deletion: PendingDeletion(
            number: statement.optionalNumber(5), time: statement.number(6), expiry: statement.optionalNumber(8),
            byteLimit: statement.optionalNumber(12),
            ChangeOrigin(user: statement.optionalText(9) ?? "", client: statement.optionalText(10) ?? "")))
      }
      let current = try owner ?? newOwner(id)
      return (current, current)
    } catch {
      throw ToDoError(error)
    }
  }

  private func newOwner(_ id: OwnerID) throws -> SQLiteItemTransaction.Owner {
    let statement = statements.accountVersion
    return SQLiteItemTransaction.Owner(
      name: id.name, number: nil, accessVersion: try statement.firstRow { statement.number(0) } ?? 0)
  }
}

extension SQLiteWriteGroup {
  /// Returns the due lookups of all owners, and postpones them until the end of the lease.
  func claimPendingLookups(
    dueBy now: Timestamp, until lease: Timestamp, limit: Int
  ) throws -> [PendingLookup] {
    do {
      let due = try duePendingLookups(by: now, limit: limit)
      return try due.map { owner, lookup in
        let statement = statements.postponePendingLookup
        statement.bind(owner, at: 1)
        statement.bind(lookup.item, at: 2)
        statement.bind(lease.microseconds, at: 3)
        try statement.run()
        var lookup = lookup
        lookup.due = lease
        return lookup
      }
    } catch {
      throw ToDoError(error)
    }
  }

  private func duePendingLookups(
    by now: Timestamp, limit: Int
  ) throws -> [(owner: Int64, lookup: PendingLookup)] {
    let statement = statements.duePendingLookups
    statement.bind(now.microseconds, at: 1)
    statement.bind(Int64(limit), at: 2)
    var due: [(Int64, PendingLookup)] = []
    try statement.forEachRow {
      guard let id = statement.id(1) else {
        throw ToDoError.storeUnavailable(detail: "a stored lookup has no valid identity")
      }
      let lookup = PendingLookup(
        owner: OwnerID(statement.text(0)), item: id, address: statement.text(2), attempts: Int(statement.number(3)),
        due: now)
      due.append((statement.number(4), lookup))
      return true
    }
    return due
  }
}
