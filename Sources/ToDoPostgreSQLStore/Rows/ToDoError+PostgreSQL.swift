#if PostgreSQL
import ToDoPostgreSQL
import ToDoModel

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
    case .cancelled: "the database cancelled a statement that took too long"
    case .uniqueViolation: "the database contains the row already"
    case .malformedResult: "the database returned a malformed result"
    case .other: state.map { "the database rejected a request with the state \($0)" } ?? "the database client failed"
    }
  }
}

extension PostgreSQLStoreError {
  /// The error without the address of the database.
  fileprivate var summary: String {
    if case .cannotConnect = self { "the database cannot be reached" } else { description }
  }
}
#endif
