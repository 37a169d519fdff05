import CToDoSQLite

/// A result code of SQLite, primary or extended: https://www.sqlite.org/rescode.html
package struct ResultCode: RawRepresentable, Hashable, Sendable {
  package let rawValue: Int32

  package init(rawValue: Int32) {
    self.rawValue = rawValue
  }

  /// The code without the detail that an extended code adds.
  package var primary: ResultCode { ResultCode(rawValue: rawValue & 0xFF) }

  /// SQLite's description of the code, without statement, table or value.
  package var meaning: String {
    let text = sqlite3_errstr(rawValue).map { String(cString: $0) } ?? "unknown error"
    return "\(text) (SQLite code \(rawValue))"
  }
}

extension ResultCode {
  /// An error without its own code, for example in a statement's text.
  package static let error = ResultCode(rawValue: SQLITE_ERROR)
  /// Another connection holds a lock.
  package static let busy = ResultCode(rawValue: SQLITE_BUSY)
  /// Another statement of the connection, or a connection with the same cache, holds a lock.
  package static let locked = ResultCode(rawValue: SQLITE_LOCKED)
  /// The connection is for reading only, but something has to be written.
  package static let readOnly = ResultCode(rawValue: SQLITE_READONLY)
  /// A statement was interrupted.
  package static let interrupt = ResultCode(rawValue: SQLITE_INTERRUPT)
  /// A read, write or other operation of the file system failed.
  package static let ioError = ResultCode(rawValue: SQLITE_IOERR)
  /// The file is damaged.
  package static let corrupt = ResultCode(rawValue: SQLITE_CORRUPT)
  /// The disk is full, or the file has its maximum number of pages.
  package static let full = ResultCode(rawValue: SQLITE_FULL)
  /// The file cannot be opened.
  package static let cannotOpen = ResultCode(rawValue: SQLITE_CANTOPEN)
  /// A row violates a constraint.
  package static let constraint = ResultCode(rawValue: SQLITE_CONSTRAINT)
  /// SQLite's interface was used incorrectly, for example after the connection was closed.
  package static let misuse = ResultCode(rawValue: SQLITE_MISUSE)
  /// The parameter index is out of range.
  package static let range = ResultCode(rawValue: SQLITE_RANGE)
  /// The file is not a database.
  package static let notADatabase = ResultCode(rawValue: SQLITE_NOTADB)

  // Extended codes, whose C macros Swift does not import.

  /// A sync of a file failed.
  package static let fileSyncFailed = ResultCode(rawValue: SQLITE_IOERR | 4 << 8)
  /// A sync of a directory failed.
  package static let directorySyncFailed = ResultCode(rawValue: SQLITE_IOERR | 5 << 8)
  /// The index of the log could not grow.
  package static let sharedMemorySizeFailed = ResultCode(rawValue: SQLITE_IOERR | 19 << 8)
  /// A row violates a UNIQUE constraint.
  package static let uniqueConstraint = ResultCode(rawValue: SQLITE_CONSTRAINT | 8 << 8)
}
