import CToDoSQLite

/// An error of SQLite.
package struct SQLiteError: Error, Equatable, Sendable {
  /// The most specific code that SQLite reported, which may be a primary code.
  package let extendedCode: ResultCode
  /// SQLite's message. It may contain names from the schema and a part of the statement.
  package let message: String
  /// The statement's text, without its parameters' values; `nil` if no statement caused the error.
  package let sql: String?

  /// Creates an error with SQLite's description of the code as its message.
  package init(_ code: ResultCode) {
    self.init(code, message: String(cString: sqlite3_errstr(code.rawValue)), sql: nil)
  }

  init(_ code: ResultCode, message: String, sql: String?) {
    extendedCode = code
    self.message = message
    self.sql = sql
  }

  /// The code without detail.
  package var code: ResultCode { extendedCode.primary }
}

extension SQLiteError {
  /// Creates an error with the message of a connection's last call.
  init(_ code: Int32, of connection: OpaquePointer?, sql: String? = nil) {
    let code = ResultCode(rawValue: code)
    // After misuse, a connection still has the message of an earlier error.
    guard let connection, code.primary != .misuse, let message = sqlite3_errmsg(connection) else {
      self.init(code, message: String(cString: sqlite3_errstr(code.rawValue)), sql: sql)
      return
    }
    self.init(code, message: String(cString: message), sql: sql)
  }
}

extension SQLiteError: CustomStringConvertible {
  package var description: String {
    "SQLite error \(extendedCode.rawValue): \(message)" + (sql.map { ", in the statement: \($0)" } ?? "")
  }
}
