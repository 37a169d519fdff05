#if PostgreSQL
import ToDoPostgreSQL
import ToDoModel

/// A transaction of a connection.
enum StoreTransaction: String {
  /// A transaction that may change something. Each statement reads the state that is current when it starts.
  case writing = "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE"
  /// A transaction whose statements all read the same state.
  case reading = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"

  /// Runs `body` in a transaction, which is rolled back if `body` throws.
  ///
  /// - Throws: the error of `body`; `PostgreSQLError` if nothing was committed; `outcomeUnknown` if the commit of
  ///   changes may have succeeded.
  static func perform<Value>(
    _ kind: StoreTransaction = .writing, on connection: PostgreSQLConnection, _ body: () throws -> Value
  ) throws -> Value {
    do {
      try connection.execute(kind.rawValue)
      let value = try body()
      try commit(kind, on: connection)
      return value
    } catch {
      rollBack(connection)
      throw error
    }
  }

  /// Ends a transaction that failed, so that the connection can be used again.
  static func rollBack(_ connection: PostgreSQLConnection) {
    // If the rollback fails, the connection stays in the transaction, and its user closes it.
    if connection.isUsable, connection.isInTransaction { try? connection.execute("ROLLBACK") }
  }

  private static func commit(_ kind: StoreTransaction, on connection: PostgreSQLConnection) throws {
    connection.commitIsUncertain = false
    let tag: String
    do throws(PostgreSQLError) {
      tag = try connection.run("COMMIT").tag
    } catch {
      // A server that shuts down may report the error after it has committed.
      if kind == .writing, error.endsConnection || !connection.isUsable { throw outcomeUnknown }
      throw error
    }
    guard tag == "COMMIT" else { throw ToDoError.storeUnavailable(detail: "the database rolled the change back") }
    if connection.commitIsUncertain { throw outcomeUnknown }
  }

  /// The connection was lost during the commit, or the commit was not replicated.
  static let outcomeUnknown = ToDoError.storeUnavailable(
    detail: "the database did not confirm the change; the change may or may not have been saved")
}

extension PostgreSQLError {
  /// Whether another connection, possibly to another server, may succeed where this one failed.
  var endsConnection: Bool {
    switch kind {
    case .lostConnection, .timedOut, .unavailable: true
    default: false
    }
  }
}
#endif
