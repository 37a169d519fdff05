import ToDoSQLite

extension DatabaseFile {
  /// Opens a database of this program for reading, with any schema version. Does not create or migrate it.
  ///
  /// - Throws: `SQLiteStoreError`.
  func openExisting() throws -> Connection {
    try checkIsNotLost()
    guard exists else { throw SQLiteStoreError.missing(path: path) }
    let db = try openForReading()
    do { try Migrator(file: self).checkIdentity(of: db) } catch let error as SQLiteError {
      switch error.code {
      case .notADatabase, .corrupt: throw SQLiteStoreError.notADatabase(path: path)
      default: throw SQLiteStoreError.cannotOpen(path: path, reason: error.code.meaning)
      }
    }
    return db
  }

  /// Opens another connection to a database that `open` has opened, to move its log into the file.
  func openForCheckpoints() throws -> Connection {
    let db = try Connection(path: plainPath)
    try db.execute("PRAGMA synchronous = FULL; PRAGMA fullfsync = ON; PRAGMA checkpoint_fullfsync = ON")
    return db
  }

  /// Opens a database that no other connection has open, and excludes all others until it is closed.
  ///
  /// Moves the log into the file, and leaves the file without a log.
  ///
  /// - Throws: `DatabaseMaintenanceError.inUse`, `SQLiteError`.
  func openExclusively() throws -> Connection {
    do {
      let db = try Connection(path: plainPath)
      // A database in WAL mode leaves it only when no other connection is open.
      let mode = try db.text("PRAGMA journal_mode = DELETE")
      guard mode == "delete" else { throw SQLiteError(.busy) }
      try db.execute(
        """
        PRAGMA locking_mode = EXCLUSIVE; PRAGMA synchronous = EXTRA; PRAGMA fullfsync = ON;
        BEGIN EXCLUSIVE; COMMIT
        """)
      return db
    } catch let error as SQLiteError where [.busy, .locked].contains(error.code) {
      throw DatabaseMaintenanceError.inUse(path: path, process: nil)
    }
  }

  /// Whether the write-ahead log has the header of a log, or is empty or missing. SQLite ignores any other log.
  var hasReadableLog: Bool {
    let header = FileSystem.firstBytes(of: plainPath + "-wal", count: 4)
    // The magic numbers of SQLite's file format: https://www.sqlite.org/fileformat2.html#the_write_ahead_log
    return header.isEmpty || header.starts(with: [0x37, 0x7F, 0x06]) && [0x82, 0x83].contains(header.last)
  }

  /// Checks that no other process has the database open.
  ///
  /// - Throws: `DatabaseMaintenanceError.inUse` otherwise.
  ///
  /// Must not be called while this process has the database open.
  func checkUnused() throws {
    if let process = FileSystem.processUsingDatabase(at: plainPath) {
      throw DatabaseMaintenanceError.inUse(path: path, process: process)
    }
  }
}
