import ToDoModel
import ToDoRules
import ToDoSQLite

/// A list within a group of writes.
struct SQLiteList {
  let owner: OwnerID
  /// The list's number; `nil` if it has no row yet.
  var number: Int64?
  var ledger = ListLedger(ListCounters())
  /// The account version at which a change to users or tokens may last have ended access to the list. A list without a row has the
  /// current account version.
  let accessVersion: Int64
  /// The bulk deletion that other transactions must continue before anything else happens to the list.
  var deletion: PendingDeletion?
  /// The bulk deletion at the start of the group.
  var storedDeletion: PendingDeletion?

  /// Whether the list's row must be written.
  var isChanged: Bool { ledger.row != ledger.stored || deletion != storedDeletion }

  /// Adds the effects of a write that has ended.
  mutating func apply(_ transaction: SQLiteItemTransaction) {
    number = transaction.number
    deletion = transaction.deletion
    ledger.apply(transaction.write)
  }
}

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
  private var lists: [OwnerID: SQLiteList] = [:]
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
    guard try list(of: id).deletion == nil else { throw PendingDeletion.Unfinished() }
    return try run(id, body)
  }

  /// Runs the body of one write to two lists, whose changes to both are rolled back if it throws.
  ///
  /// - Throws: `PendingDeletion.Unfinished` if another write's bulk deletion must be completed first.
  func write<Value>(
    _ first: OwnerID, _ second: OwnerID, _ body: (any ItemTransaction, any ItemTransaction) throws -> Value
  ) throws -> Value {
    if let failure { throw failure }
    let transactions = try [first, second].map { owner in
      let list = try list(of: owner)
      guard list.deletion == nil else { throw PendingDeletion.Unfinished() }
      return SQLiteItemTransaction(on: list, statements, compaction, setsSavepoint: setsSavepoints)
    }
    transactions[0].fail(with: transactions[1])
    transactions[1].fail(with: transactions[0])
    return try perform(transactions) {
      let value = try body(transactions[0], transactions[1])
      // Only a deletion that is alone in its transaction can be continued by another one.
      for transaction in transactions { try transaction.completeDeletion() }
      return value
    }
  }

  /// Performs the next slice of an owner's bulk deletion, if there is one.
  ///
  /// - Returns: whether items are left to delete.
  func continueDeletion(of id: OwnerID) throws -> Bool {
    if let failure { throw failure }
    guard try list(of: id).deletion != nil else { return false }
    return try run(id) { try $0.deleteSlice() }.isUnfinished
  }

  /// Ends an owner's bulk deletion with the items that are deleted so far.
  func truncateDeletion(of id: OwnerID) throws {
    if let failure { throw failure }
    _ = try run(id) { $0.endDeletion() }
  }

  private func run<Value>(
    _ owner: OwnerID, _ body: (SQLiteItemTransaction) throws -> Value
  ) throws -> (value: Value, isUnfinished: Bool) {
    let transaction = SQLiteItemTransaction(
      on: try list(of: owner), statements, compaction, setsSavepoint: setsSavepoints)
    let value = try perform(CollectionOfOne(transaction)) { try body(transaction) }
    return (value, transaction.deletion != nil)
  }

  /// Ends the transactions of one write after its body, which uses them.
  private func perform<Value>(
    _ transactions: some Collection<SQLiteItemTransaction>, _ body: () throws -> Value
  ) throws -> Value {
    do {
      let value = try body()
      for transaction in transactions { try transaction.finish() }
      for transaction in transactions {
        lists[transaction.owner]?.apply(transaction)
        changes.append(transaction, of: transaction.owner)
      }
      return value
    } catch {
      do {
        // SQLite rolls the transaction back by itself if, for example, the disk is full.
        guard statements.isInTransaction else { throw error }
        for transaction in transactions where try !transaction.rollBack() { mustBeRepeated = true }
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
      for owner in lists.keys { try storeChanges(of: owner) }
      try statements.commit.run()
    } catch {
      rollBack()
      throw ToDoError(error)
    }
  }

  /// Compacts and stores a list if it has changed.
  private func storeChanges(of owner: OwnerID) throws {
    guard var list = lists[owner], list.isChanged else { return }
    try compaction.compact(&list)
    if list.deletion != list.storedDeletion { try store(list.deletion, list.number) }
    let (row, statement) = (list.ledger.row, statements.setRevision)
    statement.bind(list.number, at: 1)
    statement.bind(row.revision.number, at: 2)
    statement.bind(row.floor.number, at: 3)
    statement.bind(Int64(row.itemCount), at: 4)
    statement.bind(Int64(row.byteCount), at: 5)
    statement.bind(row.lastNumber.value, at: 6)
    try statement.run()
    changes.revisions.append((owner, row.revision))
  }

  /// Returns the commits for observers.
  func commits() -> [ListCommit] { lists.compactMap { owner, list in list.ledger.commit(of: owner) } }

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

  /// Returns a list, after reading it if it is the first time.
  private func list(of id: OwnerID) throws -> SQLiteList {
    if let list = lists[id] { return list }
    let statement = statements.owner
    statement.bind(id.name, at: 1)
    do {
      let stored = try statement.firstRow {
        let deletion = PendingDeletion(
          number: statement.optionalNumber(5), time: statement.number(6), expiry: statement.optionalNumber(8),
          byteLimit: statement.optionalNumber(12),
          ChangeOrigin(user: statement.optionalText(9) ?? "", client: statement.optionalText(10) ?? ""))
        return SQLiteList(
          owner: id, number: statement.number(0), ledger: ListLedger(try ListCounters(statement)),
          accessVersion: statement.number(11), deletion: deletion, storedDeletion: deletion)
      }
      let list = try stored ?? newList(id)
      lists[id] = list
      return list
    } catch {
      throw ToDoError(error)
    }
  }

  private func newList(_ id: OwnerID) throws -> SQLiteList {
    let statement = statements.accountVersion
    return SQLiteList(owner: id, accessVersion: try statement.firstRow { statement.number(0) } ?? 0)
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
