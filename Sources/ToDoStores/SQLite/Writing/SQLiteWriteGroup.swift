import ToDoModel
import ToDoRules

/// Several writes in one transaction of SQLite.
///
/// An owner's revision is read once and written once in a group, however many of its writes change something.
///
/// With savepoints a write that throws is taken back by itself. But SQLite copies every page that is changed after one, which
/// takes longer than most writes, and few throw after they have changed something. So a group is tried without, and
/// `mustBeRepeated` when one did.
final class SQLiteWriteGroup {
  let statements: WriteStatements
  /// What became of the items.
  private(set) var changes = ItemChanges()
  /// Whether a write is to be taken back and cannot be, so that all are, and must be performed by a group with savepoints.
  private(set) var mustBeRepeated = false
  private let setsSavepoints: Bool
  private let compaction: SQLiteCompaction
  private var owners: [OwnerID: (current: SQLiteItemTransaction.Owner, stored: SQLiteItemTransaction.Owner)] = [:]
  /// Why the whole transaction is lost.
  private var failure: ToDoError?

  /// Begins the transaction, waiting for other programs that write.
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
      // A newer program may have migrated the database meanwhile.
      let version = try statements.schemaVersion.firstRow { statements.schemaVersion.number(0) }
      guard version == Int64(schemaVersion) else {
        throw ToDoError.schemaChanged
      }
    } catch {
      rollBack()
      throw ToDoError(error)
    }
  }

  /// Runs one body; what it did is taken back when it throws.
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
        // SQLite rolls everything back by itself when, for example, the disk is full.
        guard statements.isInTransaction else { throw error }
        if try !transaction.rollBack() { mustBeRepeated = true }
      } catch {
        failure = ToDoError(error)
      }
      throw error
    }
  }

  /// - Throws: `ToDoError`; nothing was kept then.
  func commit() throws {
    do {
      if let failure { throw failure }
      for (changed, stored) in owners.values where changed.revision != stored.revision || changed.mustBeStored {
        let current = try compaction.compact(changed, stored: stored.revision)
        if current.deletion != stored.deletion { try store(current.deletion, current.number) }
        statements.setRevision.bind(current.number, at: 1)
        statements.setRevision.bind(current.revision.number, at: 2)
        statements.setRevision.bind(current.floor.number, at: 3)
        statements.setRevision.bind(Int64(current.itemCount), at: 4)
        statements.setRevision.bind(Int64(current.byteCount), at: 5)
        try statements.setRevision.run()
        changes.revisions.append((OwnerID(current.name), current.revision))
      }
      try statements.commit.run()
    } catch {
      rollBack()
      throw ToDoError(error)
    }
  }

  /// Takes everything back.
  func rollBack() {
    guard statements.isInTransaction else { return }
    // Should even this fail, the next group cannot begin and says so.
    try? statements.rollback.run()
  }

  private func store(_ deletion: PendingDeletion?, _ owner: Int64?) throws {
    let statement = statements.setDeletion
    statement.bind(owner, at: 1)
    statement.bind(deletion?.number, at: 2)
    statement.bind(deletion?.time.microseconds, at: 3)
    try statement.run()
  }

  private func read(
    _ id: OwnerID
  ) throws -> (current: SQLiteItemTransaction.Owner, stored: SQLiteItemTransaction.Owner) {
    let statement = statements.owner
    statement.bind(id.name, at: 1)
    do {
      let owner = try statement.firstRow {
        SQLiteItemTransaction.Owner(
          name: id.name, number: statement.number(0), revision: Revision(statement.number(1)),
          floor: Revision(statement.number(2)), itemCount: Int(statement.number(3)),
          byteCount: Int(statement.number(4)),
          deletion: PendingDeletion(number: statement.optionalNumber(5), time: statement.number(6)))
      }
      let current =
        owner ?? SQLiteItemTransaction.Owner(name: id.name, number: nil, revision: .initial, floor: .initial)
      return (current, current)
    } catch {
      throw ToDoError(error)
    }
  }
}
