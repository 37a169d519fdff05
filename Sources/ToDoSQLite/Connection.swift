import CToDoSQLite

/// An open connection to a database file.
///
/// A connection and its statements are used by one thread at a time; SQLite does not lock them. A text in double quotes is
/// always a name, never a string.
package final class Connection {
  /// What a connection is opened for.
  package enum Access: Sendable {
    /// Reading. The file must exist.
    case reading
    /// Reading and writing. SQLite creates a missing file.
    case writing
  }

  /// `nil` once the connection is closed.
  private(set) var handle: OpaquePointer?
  private var cached: [String: Statement] = [:]
  private let busyHandler: BusyHandler?

  /// Decides whether SQLite tries again to get a lock that another connection holds. The argument is the number of attempts
  /// since the lock was requested. The handler may wait.
  package typealias BusyHandler = (_ attempts: Int) -> Bool

  /// Opens a database, and reads its header and schema.
  ///
  /// - Parameters:
  ///   - path: the file; `:memory:` for a database in memory.
  ///   - busyHandler: `nil` to fail with `ResultCode.busy` immediately.
  /// - Throws: `SQLiteError`, with the code `notADatabase` if the file has other content.
  package init(path: String, access: Access = .writing, busyHandler: BusyHandler? = nil) throws {
    self.busyHandler = busyHandler
    let mode = access == .reading ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
    let code = sqlite3_open_v2(path, &handle, mode | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, nil)
    try check(code)
    try check(rejectDoubleQuotedStrings(handle))
    if busyHandler != nil { setBusyHandler() }
    // SQLite reads a file when it needs it.
    _ = try number("SELECT 1 FROM sqlite_schema LIMIT 1")
  }

  deinit {
    // Statements that live longer keep SQLite's object, but not this one.
    removeHandlers()
    sqlite3_close_v2(handle)
  }

  /// Closes the connection. Later calls throw `SQLiteError` with the code `misuse`. Closing again does nothing.
  ///
  /// A connection that is released without this call is closed too, once its last statement is released.
  ///
  /// - Throws: `SQLiteError` with the code `busy` while a statement or a backup of the connection exists. The connection stays
  ///   open then.
  package func close() throws {
    cached = [:]
    try check(sqlite3_close(handle))
    handle = nil
  }

  // MARK: State

  /// Whether a transaction is open. SQLite rolls a transaction back by itself after some errors, for example on a full disk.
  package var isInTransaction: Bool { handle.map { sqlite3_get_autocommit($0) == 0 } ?? false }

  /// The number of rows that the last `INSERT`, `UPDATE` or `DELETE` changed.
  package var changeCount: Int { handle.map { Int(sqlite3_changes64($0)) } ?? 0 }

  /// The number of the last inserted row.
  package var lastInsertedRow: Int64 { handle.map { sqlite3_last_insert_rowid($0) } ?? 0 }

  /// Returns whether a running statement ends with `ResultCode.interrupt`; `nil` if none does.
  ///
  /// SQLite calls it every few microseconds while a statement runs, so a statement that ends sooner succeeds.
  package var shouldInterrupt: (() -> Bool)? {
    didSet { setProgressHandler() }
  }

  /// Returns the prepared statement of a text. The connection retains it, so that the next call does not compile it again.
  ///
  /// For few, constant texts: the number of retained statements has no limit.
  ///
  /// - Throws: `SQLiteError`.
  package func cachedStatement(_ sql: String) throws -> Statement {
    if let statement = cached[sql] { return statement }
    let statement = try Statement(sql, on: self)
    cached[sql] = statement
    return statement
  }

  /// - Throws: `SQLiteError` unless a call succeeded.
  func check(_ code: Int32) throws {
    guard code == SQLITE_OK else { throw SQLiteError(code, of: handle) }
  }
}

// MARK: - Handlers

extension Connection {
  /// The number of SQLite's instructions between two calls of `shouldInterrupt`.
  private static let instructionsPerCheck: Int32 = 1000

  private func setBusyHandler() {
    sqlite3_busy_handler(
      handle,
      { context, attempts in
        guard let context else { return 0 }
        let connection = Unmanaged<Connection>.fromOpaque(context).takeUnretainedValue()
        return connection.busyHandler?(Int(attempts)) == true ? 1 : 0
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  private func setProgressHandler() {
    guard let handle else { return }
    guard shouldInterrupt != nil else { return sqlite3_progress_handler(handle, 0, nil, nil) }
    sqlite3_progress_handler(
      handle, Self.instructionsPerCheck,
      { context in
        guard let context else { return 0 }
        let connection = Unmanaged<Connection>.fromOpaque(context).takeUnretainedValue()
        return connection.shouldInterrupt?() == true ? 1 : 0
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  private func removeHandlers() {
    guard let handle else { return }
    sqlite3_busy_handler(handle, nil, nil)
    sqlite3_progress_handler(handle, 0, nil, nil)
  }
}
