#if PostgreSQL
import ToDoModel
import ToDoPostgreSQL

/// The reason why a PostgreSQL database could not be opened. The database is unchanged.
package enum PostgreSQLStoreError: Error, Equatable, Sendable {
  /// The database server cannot be reached, or rejects the connection. `server` contains no password.
  case cannotConnect(server: String, reason: String)
  /// The database server failed while the schema was read.
  case unreadable(reason: String)
  /// The database stores text in an encoding other than UTF-8.
  case wrongEncoding(String)
  /// The database contains no to-do lists, and the operation does not create them.
  case missing
  /// The tables exist, but their content is not that of this program.
  case damaged
  /// The database for reading is not a replica of the other one.
  case otherStore
  /// The copy of another store into the database was interrupted.
  case incompleteMove
  /// A newer version of this program made the database: its schema has version `found`, and this program supports
  /// versions up to `supported`.
  case newerSchema(found: Int, supported: Int)
  /// An older version of this program made the database, and the operation does not migrate it.
  case olderSchema(found: Int, supported: Int)
  /// A migration from one version of the schema to another failed. Steps that succeeded before are complete.
  case migrationFailed(from: Int, to: Int, reason: String)
}

extension PostgreSQLStoreError: CustomStringConvertible {
  /// A human-readable message.
  package var description: String {
    switch self {
    case .cannotConnect(let server, let reason): "cannot connect to the PostgreSQL database \(server): \(reason)"
    case .unreadable(let reason): "cannot read the PostgreSQL database: \(reason)"
    case .wrongEncoding(let encoding):
      "the PostgreSQL database has the encoding \(encoding); create a database with ENCODING 'UTF8'"
    case .missing:
      "the PostgreSQL database contains no to-do lists; check its name, or start the server once to create them"
    case .damaged: "the table todo_store of the PostgreSQL database is damaged; restore a backup"
    case .otherStore: "the PostgreSQL database for reading is not a replica of the database of the store"
    case .incompleteMove:
      "the PostgreSQL database contains an interrupted copy of another store; run 'todo-server migrate-store' again"
    case .newerSchema(let found, let supported):
      "the PostgreSQL database was made by a newer version of this program: its schema has version \(found), "
        + "and this program supports versions up to \(supported)"
    case .olderSchema(let found, let supported):
      "the PostgreSQL database has schema version \(found), and this program needs version \(supported); "
        + "run 'todo-server migrate', or start this version of the server"
    case .migrationFailed(let from, let to, let reason):
      "cannot bring the PostgreSQL database from schema version \(from) to \(to): \(reason)"
    }
  }
}

extension ToDoError {
  /// Maps an error of the database to the error that callers receive. The text contains neither statements nor
  /// messages of the server, which may contain settings and data.
  ///
  /// - Parameter failure: any error except `CancellationError`.
  init(postgreSQL failure: any Error) {
    self =
      switch failure {
      case let error as ToDoError: error
      case let error as PostgreSQLError where error.kind == .diskFull: .storeFull
      case let error as PostgreSQLError: .storeUnavailable(detail: error.summary)
      case let error as PostgreSQLStoreError: .storeUnavailable(detail: error.summary)
      default: .storeUnavailable(detail: "\(type(of: failure))")
      }
  }
}

extension PostgreSQLError {
  /// The error in plain words.
  fileprivate var summary: String {
    switch kind {
    case .lostConnection: "the connection to the database is lost"
    case .timedOut, .abandoned: "the database did not respond in time"
    case .unavailable: "the database does not accept connections or writes"
    case .diskFull: "the disk of the database is full"
    case .conflict: "a concurrent transaction interrupted the transaction"
    case .canceled: "the database cancelled a statement that took too long"
    case .uniqueViolation: "the database contains the row already"
    case .malformedResult: "the database returned a malformed result"
    case .other: state.map { "the database rejected a request with the state \($0)" } ?? "the database client failed"
    }
  }
}

extension PostgreSQLStoreError {
  /// The error without the database's address.
  fileprivate var summary: String {
    if case .cannotConnect = self { "the database cannot be reached" } else { description }
  }
}
#endif
