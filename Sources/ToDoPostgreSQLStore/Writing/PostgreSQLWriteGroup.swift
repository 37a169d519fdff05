#if PostgreSQL
import ToDoPostgreSQL
import ToDoModel
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
  let connection: Connection
  let turn: BodyTurn
  /// The stored form of the key with which the store's callers make fingerprints.
  let fingerprintKey: [UInt8]
  var lists: [OwnerID: ListState] = [:]
  /// The errors of all writes to lists that cannot be changed.
  var rejections: [OwnerID: ToDoError] = [:]
  /// Statements that precede the next ones: the ends of savepoints.
  private var deferred: [BoundStatement] = []
  /// The error of a statement.
  private(set) var failure: (any Error)?
  /// Whether a statement of a write has changed something.
  private(set) var hasSentChanges = false
  /// The number of reads that needed a round trip because the write did not declare them.
  private(set) var undeclaredReads = 0

  init(on connection: Connection, turn: BodyTurn, fingerprintKey: [UInt8]) {
    self.connection = connection
    self.turn = turn
    self.fingerprintKey = fingerprintKey
  }

  /// Runs the body of a write to a list. If it throws, its changes are undone.
  func write<Value>(_ owner: OwnerID, _ body: (any ItemTransaction) throws -> Value) throws -> Value {
    if let failure { throw ToDoError(postgreSQL: failure) }
    if let rejection = rejections[owner] { throw rejection }
    let transaction = PostgreSQLItemTransaction(on: owner, in: self)
    let result = turn.run { Result { try body(transaction) } }
    // The caller rolls the whole group back.
    if let failure { throw ToDoError(postgreSQL: failure) }
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

  /// Returns statements that send the changes of the earlier writes to a list.
  func takePendingStatements(of owner: OwnerID) -> [BoundStatement] {
    var rows = RowBatch()
    if let pending = lists[owner]?.takePending() {
      hasSentChanges = hasSentChanges || !pending.isEmpty
      rows.add(pending, of: owner)
    }
    return rows.statements
  }

  /// Returns the statements before a commit: the ends of savepoints, and all pending changes, by kind.
  func takeAllStatements() -> [BoundStatement] {
    defer { deferred = [] }
    var rows = RowBatch()
    for owner in lists.keys { if let pending = lists[owner]?.takePending() { rows.add(pending, of: owner) } }
    return deferred + rows.statements
  }
}
#endif
