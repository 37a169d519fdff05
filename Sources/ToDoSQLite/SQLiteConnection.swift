import CToDoSQLite
import Glibc

/// An open connection to a database file.
///
/// A connection and its statements are used by one thread at a time; SQLite does not lock them. A text in double quotes is
/// always a name, never a string.
package final class SQLiteConnection {
  /// The purpose for which a connection is opened.
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

  /// Deletes everything in a database file, whatever it contains. Other connections to the file stay usable.
  ///
  /// - Throws: `SQLiteError`, with the code `busy` while another connection holds a lock, and `cannotOpen` if there is no file.
  package static func empty(_ path: String) throws {
    var handle: OpaquePointer?
    defer { sqlite3_close_v2(handle) }
    var code = sqlite3_open_v2(
      path, &handle, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, nil)
    if code == SQLITE_OK { code = setResetAtVacuum(handle, 1) }
    if code == SQLITE_OK { code = sqlite3_exec(handle, "VACUUM", nil, nil, nil) }
    if code == SQLITE_OK { code = setResetAtVacuum(handle, 0) }
    // With the number of the former schema, other connections would not read the new one.
    let schema = "PRAGMA schema_version = \(UInt32.random(in: 1...0x7fff_ffff))"
    if code == SQLITE_OK { code = sqlite3_exec(handle, schema, nil, nil, nil) }
    guard code == SQLITE_OK else { throw SQLiteError(code, of: handle) }
  }

  /// Protects the connection from a file of unknown origin: its schema runs nothing with side effects.
  ///
  /// - Throws: `SQLiteError`.
  package func distrustSchema() throws {
    try check(CToDoSQLite.distrustSchema(handle))
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

extension SQLiteConnection {
  /// The number of SQLite's instructions between two calls of `shouldInterrupt`.
  private static let instructionsPerCheck: Int32 = 1000

  private func setBusyHandler() {
    sqlite3_busy_handler(
      handle,
      { context, attempts in
        guard let context else { return 0 }
        let connection = Unmanaged<SQLiteConnection>.fromOpaque(context).takeUnretainedValue()
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
        let connection = Unmanaged<SQLiteConnection>.fromOpaque(context).takeUnretainedValue()
        return connection.shouldInterrupt?() == true ? 1 : 0
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  private func removeHandlers() {
    guard let handle else { return }
    sqlite3_busy_handler(handle, nil, nil)
    sqlite3_progress_handler(handle, 0, nil, nil)
  }
}

extension SQLiteConnection {
  /// Runs statements that have no parameters, and discards their rows.
  ///
  /// - Throws: `SQLiteError`. The statements before the failed one have taken effect.
  package func execute(_ script: String) throws {
    guard let handle else { throw SQLiteError(.misuse) }
    let code = sqlite3_exec(handle, script, nil, nil, nil)
    guard code == SQLITE_OK else { throw SQLiteError(code, of: handle, sql: script) }
  }

  /// Runs a statement to its end.
  ///
  /// - Throws: `SQLiteError`.
  package func run(_ sql: String, _ values: [any Bindable] = []) throws {
    try Statement(sql, on: self, binding: values).run()
  }

  /// Runs a statement to its end, and returns the results of `decode` for its rows.
  ///
  /// - Throws: `SQLiteError`, or the error of `decode`.
  package func rows<Row>(
    _ sql: String, _ values: [any Bindable] = [], decode: (Statement) throws -> Row
  ) throws -> [Row] {
    let statement = try Statement(sql, on: self, binding: values)
    var rows: [Row] = []
    try statement.forEachRow {
      rows.append(try decode(statement))
      return true
    }
    return rows
  }

  /// Returns the integer in the first column of a statement's first row; `nil` if there is no row, or for NULL.
  ///
  /// - Throws: `SQLiteError`.
  package func number(_ sql: String, _ values: [any Bindable] = []) throws -> Int64? {
    let statement = try Statement(sql, on: self, binding: values)
    return try statement.firstRow { statement.optionalNumber(0) } ?? nil
  }

  /// Returns the text in the first column of a statement's first row; `nil` if there is no row, or for NULL.
  ///
  /// - Throws: `SQLiteError`.
  package func text(_ sql: String, _ values: [any Bindable] = []) throws -> String? {
    let statement = try Statement(sql, on: self, binding: values)
    return try statement.firstRow { statement.optionalText(0) } ?? nil
  }
}

// MARK: - Transactions

/// The lock that a transaction takes at its beginning: https://www.sqlite.org/lang_transaction.html
package enum TransactionKind: String, Sendable {
  /// None. The first read takes the lock of a reader, and determines the moment that all reads see.
  case deferred = "DEFERRED"
  /// The lock of the writer.
  case immediate = "IMMEDIATE"
  /// A lock that excludes readers too, unless the database has a write-ahead log.
  case exclusive = "EXCLUSIVE"
}

extension SQLiteConnection {
  /// Runs `body` in a transaction. Commits, or rolls back if `body` or the commit throws.
  ///
  /// - Throws: `SQLiteError`, also if a transaction is open, which is then unchanged; or the error of `body`.
  package func transaction<Value>(_ kind: TransactionKind, _ body: () throws -> Value) throws -> Value {
    try execute("BEGIN \(kind.rawValue)")
    do {
      let value = try body()
      try execute("COMMIT")
      return value
    } catch {
      // If this fails too, the first error is the cause. Closing the connection rolls back as well.
      if isInTransaction { try? execute("ROLLBACK") }
      throw error
    }
  }
}

extension SQLiteConnection {
  /// Whether the file was renamed or removed, or its name given to another file, after it was opened. False if SQLite cannot
  /// determine that.
  package var hasMoved: Bool {
    var hasMoved: CInt = 0
    guard let handle, sqlite3_file_control(handle, "main", SQLITE_FCNTL_HAS_MOVED, &hasMoved) == SQLITE_OK else {
      return false
    }
    return hasMoved != 0
  }

  /// Moves as much of the write-ahead log into the database file as is possible without waiting for another connection.
  ///
  /// SQLite before 3.51.3 can lose commits when the log starts again during a checkpoint, after an earlier checkpoint has moved
  /// all of it (https://sqlite.org/wal.html#walresetbug). A log does not start again while someone reads it, so a reader stays
  /// until the checkpoint is complete. If nothing was left to move, the reader reads the file alone, and the checkpoint writes
  /// nothing. SQLite's automatic checkpoints have no such reader: do not use them.
  ///
  /// - Throws: `SQLiteError`.
  package func checkpoint() throws {
    guard let handle, let path = sqlite3_db_filename(handle, "main") else { throw SQLiteError(.misuse) }
    let reader = try SQLiteConnection(path: String(cString: path), access: .reading)
    // A reader of another file with the same name would prevent nothing.
    guard !hasMoved else { throw SQLiteError(.cannotOpen) }
    try reader.transaction(.deferred) {
      _ = try reader.number("SELECT 1 FROM sqlite_schema LIMIT 1")
      try check(sqlite3_wal_checkpoint_v2(handle, "main", SQLITE_CHECKPOINT_PASSIVE, nil, nil))
    }
  }

  /// Makes the database file at least as large as a number of bytes, so that moving the log needs no more of the disk. SQLite
  /// ignores what follows the last page, and truncates it when the whole log is moved.
  ///
  /// Does nothing if the file system cannot allocate space. SQLite's own `SQLITE_FCNTL_SIZE_HINT` is no replacement: it may write
  /// a byte into each new block, and so into a page that a checkpoint of another connection has just written.
  ///
  /// - Throws: `SQLiteError` with the code `full` if the disk has no space.
  package func allocateFile(byteCount: Int64) throws {
    guard handle != nil else { throw SQLiteError(.misuse) }
    var status = stat()
    guard let descriptor, fstat(descriptor, &status) == 0 else { return }
    let missing = off_t(byteCount) - status.st_size
    while missing > 0, fallocate(descriptor, 0, status.st_size, missing) != 0 {
      switch errno {
      case EINTR: continue
      case ENOSPC, EDQUOT, EFBIG: throw SQLiteError(.full)
      default: return
      }
    }
  }

  /// The database file's descriptor; `nil` if it is unknown. Another descriptor would not do, because closing it would
  /// drop the locks that SQLite has on the file.
  private var descriptor: CInt? {
    var system: UnsafeMutablePointer<sqlite3_vfs>?
    guard let handle, let file, sqlite3_file_control(handle, "main", SQLITE_FCNTL_VFS_POINTER, &system) == SQLITE_OK,
      let system, let name = system.pointee.zName, String(cString: name) == "unix",
      let path = sqlite3_db_filename(handle, "main")
    else { return nil }
    // SQLite has no function for it. Its file of a Unix system begins with three pointers, the second of which is known.
    let bytes = UnsafeRawPointer(file)
    guard bytes.load(fromByteOffset: 8, as: UnsafeMutablePointer<sqlite3_vfs>?.self) == system else { return nil }
    let descriptor = bytes.load(fromByteOffset: 24, as: CInt.self)
    var (opened, named) = (stat(), stat())
    guard fstat(descriptor, &opened) == 0, stat(path, &named) == 0, opened.st_dev == named.st_dev,
      opened.st_ino == named.st_ino
    else { return nil }
    return descriptor
  }

  /// Syncs the database file. SQLite itself does so when a checkpoint has moved the whole log.
  ///
  /// - Throws: `SQLiteError`.
  package func syncFile() throws {
    guard let file, let sync = file.pointee.pMethods?.pointee.xSync else { return }
    let code = ResultCode(rawValue: sync(file, SQLITE_SYNC_FULL))
    guard code.rawValue == SQLITE_OK else { throw SQLiteError(code) }
  }

  /// Maps the start of the write-ahead log's index, which the connections of all processes share.
  ///
  /// The connection must have run a statement in WAL mode. The memory is valid until the connection is closed. Other
  /// connections change it at any time.
  ///
  /// - Throws: `SQLiteError`.
  package func mapLogIndex(byteCount: Int32) throws -> UnsafeRawPointer {
    var region: UnsafeMutableRawPointer?
    guard let file, let methods = file.pointee.pMethods?.pointee, methods.iVersion >= 2, let map = methods.xShmMap,
      map(file, 0, byteCount, 0, &region) == SQLITE_OK, let region
    else { throw SQLiteError(.ioError) }
    return UnsafeRawPointer(region)
  }

  private var file: UnsafeMutablePointer<sqlite3_file>? {
    var file: UnsafeMutablePointer<sqlite3_file>?
    guard let handle, sqlite3_file_control(handle, "main", SQLITE_FCNTL_FILE_POINTER, &file) == SQLITE_OK else {
      return nil
    }
    return file
  }
}

/// A database copy's progress.
package struct BackupProgress: Equatable, Sendable {
  /// The number of copied pages.
  package let completedPageCount: Int
  /// The number of pages in the database.
  package let totalPageCount: Int
  /// Whether the copy is complete.
  package let isComplete: Bool
}

extension SQLiteConnection {
  /// Copies the database, pages unchanged, over another one: https://www.sqlite.org/backup.html
  ///
  /// If another connection changes the database between two steps, the copy starts again, unless this connection has a read
  /// transaction open.
  ///
  /// - Parameters:
  ///   - pagesPerStep: the number of pages to copy before `report` is called; -1 for all.
  ///   - report: is called after each step. An error that it throws ends the copy, except after the last step.
  /// - Throws: `SQLiteError`, or the error of `report`. The other database is then unusable.
  package func backUp(
    to target: SQLiteConnection, pagesPerStep: Int32 = -1, report: (BackupProgress) throws -> Void = { _ in }
  ) throws {
    guard let handle, target.handle != nil else { throw SQLiteError(.misuse) }
    guard let backup = sqlite3_backup_init(target.handle, "main", handle, "main") else {
      throw SQLiteError(sqlite3_extended_errcode(target.handle), of: target.handle)
    }
    var code = SQLITE_OK
    do {
      while code == SQLITE_OK {
        code = sqlite3_backup_step(backup, pagesPerStep)
        guard code == SQLITE_OK || code == SQLITE_DONE else { break }
        let total = Int(sqlite3_backup_pagecount(backup))
        let progress = BackupProgress(
          completedPageCount: total - Int(sqlite3_backup_remaining(backup)), totalPageCount: total,
          isComplete: code == SQLITE_DONE)
        if progress.isComplete { try? report(progress) } else { try report(progress) }
      }
    } catch {
      sqlite3_backup_finish(backup)
      throw error
    }
    // Returns the error of the failed step, if any, and sets the message. The code of the step may have more detail.
    let end = sqlite3_backup_finish(backup)
    guard code == SQLITE_DONE else { throw SQLiteError(code, of: target.handle) }
    try target.check(end)
  }
}
