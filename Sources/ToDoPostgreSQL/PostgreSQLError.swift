#if PostgreSQL
import CToDoLibPQ

/// An error of PostgreSQL, of the connection to it, or of libpq.
package struct PostgreSQLError: Error, Equatable, Sendable {
  /// The error classes that callers handle differently.
  package enum Kind: Equatable, Sendable {
    /// The connection is lost. The outcome of a commit that was sent is unknown.
    case lostConnection
    /// A call took longer than `PostgreSQLConnection.timeout`. The connection is lost.
    case timedOut
    /// The caller's task was canceled during a call, and `PostgreSQLConnection.endsWithTask` is true. The connection is lost.
    case abandoned
    /// No connection could be established, or the server starts up, shuts down, is read-only or has too many
    /// connections.
    case unavailable
    /// The disk of the server is full.
    case diskFull
    /// A concurrent transaction prevented the statement. The transaction can be repeated.
    case conflict
    /// The server ended the statement, for example because of `statement_timeout` or `lock_timeout`.
    case canceled
    /// A row violates a unique index.
    case uniqueViolation
    /// A result does not have the expected form.
    case malformedResult
    /// Any other error.
    case other
  }

  /// The class of the error.
  package let kind: Kind
  /// The SQLSTATE of the server; `nil` if libpq or this module detected the error.
  package let state: String?
  /// The message, in one line. It contains no password, and no values of parameters unless the server's primary
  /// message does.
  package let message: String
  /// The statement's text, without its parameters' values; `nil` if no statement caused the error.
  package let sql: String?
  /// The position of the statement in its batch; `nil` if no statement in a batch failed.
  package let statementIndex: Int?

  /// Creates an error.
  package init(
    _ kind: Kind, state: String? = nil, message: String, sql: String? = nil, statementIndex: Int? = nil
  ) {
    self.kind = kind
    self.state = state
    self.message = message
    self.sql = sql
    self.statementIndex = statementIndex
  }

  /// The error of a result that does not have the expected form.
  package static let malformedResult = PostgreSQLError(
    .malformedResult, message: "a result has another form than expected")
}

extension PostgreSQLError: CustomStringConvertible {
  package var description: String {
    "PostgreSQL error" + (state.map { " \($0)" } ?? "") + ": \(message)"
      + (statementIndex.map { ", in statement \($0)" } ?? "") + (sql.map { ": \($0)" } ?? "")
  }
}

extension PostgreSQLError.Kind {
  /// Creates the class of a SQLSTATE: https://www.postgresql.org/docs/current/errcodes-appendix.html
  package init(state: String) {
    self =
      switch state {
      case "57P01", "57P02", "57P03", "57P04", "57P05", "53300", "25006": .unavailable
      case "25P03": .lostConnection
      case "53100": .diskFull
      case "40001", "40P01": .conflict
      case "57014", "55P03": .canceled
      case "23505": .uniqueViolation
      default: state.hasPrefix("08") ? .unavailable : .other
      }
  }
}

extension PostgreSQLError {
  /// Creates the error of a failed libpq result.
  init(result: OpaquePointer, sql: String?, statementIndex: Int? = nil) {
    let state = ResultField.state.text(of: result)
    let message = ResultField.primaryMessage.text(of: result) ?? String(cString: PQresultErrorMessage(result))
    self.init(
      state.map(Kind.init(state:)) ?? .lostConnection, state: state, message: Self.oneLine(message), sql: sql,
      statementIndex: statementIndex)
  }

  /// Creates the error of a connection's last call.
  init(_ kind: Kind, of connection: OpaquePointer, sql: String? = nil) {
    self.init(kind, message: Self.oneLine(String(cString: PQerrorMessage(connection))), sql: sql)
  }

  /// Replaces the line breaks in a libpq message.
  static func oneLine(_ message: String) -> String {
    message.split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }
}

/// A field of an error or a notice.
enum ResultField: UInt8 {
  /// The severity, never localized.
  case severity = 0x56
  case state = 0x43
  case primaryMessage = 0x4D

  /// Returns the text of the field, or `nil` if the result does not have it.
  func text(of result: OpaquePointer) -> String? {
    PQresultErrorField(result, Int32(rawValue)).map { String(cString: $0) }
  }
}
#endif
