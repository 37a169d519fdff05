import GRDB
import GRDBSQLite

extension DatabaseFile {
  /// Opens a database of this program for reading, with any schema version. Does not create or migrate it.
  ///
  /// - Throws: `SQLiteStoreError`.
  func openExisting() throws -> DatabaseQueue {
    guard exists else { throw SQLiteStoreError.missing(path: path) }
    let queue = try openForReading()
    do { _ = try queue.inDatabase { try Migrator(file: self).checkIdentity(of: $0) } } catch let error as DatabaseError
    {
      switch error.resultCode {
      case .SQLITE_NOTADB, .SQLITE_CORRUPT: throw SQLiteStoreError.notADatabase(path: path)
      default: throw SQLiteStoreError.cannotOpen(path: path, reason: error.resultCode.meaning)
      }
    }
    return queue
  }

  /// Opens another connection to a database that `open` has opened, to move its log into the file.
  func openForCheckpoints() throws -> DatabaseQueue {
    var configuration = Configuration()
    configuration.foreignKeysEnabled = false
    configuration.prepareDatabase { db in
      try db.execute(sql: "PRAGMA synchronous = FULL; PRAGMA fullfsync = ON; PRAGMA checkpoint_fullfsync = ON")
    }
    return try DatabaseQueue(path: plainPath, configuration: configuration)
  }

  /// Opens a database that no other connection has open, and excludes all others until it is closed.
  ///
  /// Moves the log into the file, and leaves the file without a log.
  ///
  /// - Throws: `DatabaseMaintenanceError.inUse`, `DatabaseError`.
  func openExclusively() throws -> DatabaseQueue {
    var configuration = Configuration()
    configuration.foreignKeysEnabled = false
    configuration.busyMode = .immediateError
    do {
      let queue = try DatabaseQueue(path: plainPath, configuration: configuration)
      try queue.inDatabase { db in
        // A database in WAL mode leaves it only when no other connection is open.
        let mode = try String.fetchOne(db, sql: "PRAGMA journal_mode = DELETE")
        guard mode == "delete" else { throw DatabaseError(resultCode: .SQLITE_BUSY) }
        try db.execute(
          sql: """
            PRAGMA locking_mode = EXCLUSIVE; PRAGMA synchronous = EXTRA; PRAGMA fullfsync = ON;
            BEGIN EXCLUSIVE; COMMIT
            """)
      }
      return queue
    } catch let error as DatabaseError where [.SQLITE_BUSY, .SQLITE_LOCKED].contains(error.resultCode) {
      throw DatabaseMaintenanceError.inUse(path: path, process: nil)
    }
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

  /// Whether the file that a connection has open is still the one at `path`.
  func isInPlace(_ db: Database) -> Bool {
    var hasMoved: CInt = 0
    guard let connection = db.sqliteConnection,
      sqlite3_file_control(connection, "main", SQLITE_FCNTL_HAS_MOVED, &hasMoved) == SQLITE_OK
    else { return true }
    return hasMoved == 0
  }
}
