#if PostgreSQL
import ToDoPostgreSQL

/// One step in the history of the schema. Servers of the former version work during the step, so their statements must
/// stay valid.
///
/// The version of a database is the number of steps that have run, which `todo_store.version` stores. A released step
/// is never changed.
enum StoreMigration: Sendable {
  /// Statements that run in the transaction that sets the version. They should be few, and must not read or write all
  /// rows of a table that has rows, because each is given 100 ms.
  case transaction(String)
  /// Statements that take long and hold no lock that delays other transactions, such as `CREATE INDEX CONCURRENTLY`.
  /// They run outside of a transaction. After an interruption they are repeated from the first one, so an index that
  /// may be incomplete must be dropped first.
  case online([String])

  static let all = [lists, accessVersions]
}

extension StoreMigration {
  /// Runs the step.
  ///
  /// In an existing database, each statement of a transaction ends after 100 ms, because other transactions queue
  /// behind its locks, also while it awaits them. The transaction is repeated until it succeeds.
  ///
  /// - Parameters:
  ///   - isFirst: whether the step creates the first tables.
  ///   - setVersion: sets the version of the database.
  func run(
    on connection: Connection, isFirst: Bool, until deadline: ContinuousClock.Instant, setVersion: () throws -> Void
  ) throws {
    switch self {
    case .transaction(let sql):
      while true {
        do {
          return try StoreTransaction.perform(on: connection) {
            if !isFirst { try connection.execute("SET LOCAL statement_timeout = '100ms'") }
            try connection.execute(sql)
            try setVersion()
          }
        } catch let error as PostgreSQLError where error.kind == .cancelled && ContinuousClock.now < deadline {
          _ = try connection.run("SELECT pg_sleep(0.1)")
        }
      }
    case .online(let statements):
      for statement in statements { try connection.execute(statement) }
      try StoreTransaction.perform(on: connection, setVersion)
    }
  }
}
#endif
