import CToDoSQLite

extension Connection {
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
  /// - Throws: `SQLiteError`.
  package func checkpoint() throws {
    guard let handle else { throw SQLiteError(.misuse) }
    try check(sqlite3_wal_checkpoint_v2(handle, "main", SQLITE_CHECKPOINT_PASSIVE, nil, nil))
  }

  /// Makes the database file at least as large as a number of bytes, so that moving the log needs no more of the disk. SQLite
  /// ignores what follows the last page, and truncates it when the whole log is moved.
  ///
  /// - Throws: `SQLiteError` with the code `full` if the disk has no space.
  package func allocateFile(byteCount: Int64) throws {
    guard let handle else { throw SQLiteError(.misuse) }
    // SQLite ignores the size without a unit of growth.
    var (unit, size) = (CInt(4096), byteCount)
    try check(sqlite3_file_control(handle, "main", SQLITE_FCNTL_CHUNK_SIZE, &unit))
    guard sqlite3_file_control(handle, "main", SQLITE_FCNTL_SIZE_HINT, &size) == SQLITE_OK else {
      throw SQLiteError(.full)
    }
  }

  /// Syncs the database file. SQLite itself does so when a checkpoint has moved the whole log.
  ///
  /// - Throws: `SQLiteError`.
  package func syncFile() throws {
    guard let file, let sync = file.pointee.pMethods?.pointee.xSync else { return }
    let code = ResultCode(rawValue: sync(file, SQLITE_SYNC_FULL))
    guard code.rawValue == SQLITE_OK else { throw SQLiteError(code) }
  }

  /// Maps the start of the index of the write-ahead log, which the connections of all processes share.
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
