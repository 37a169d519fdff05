import ToDoSQLite
import ToDoSupport

/// A database file, and the configuration with which it is opened.
struct DatabaseFile: Sendable {
  /// The path as the user wrote it.
  let path: String
  /// The maximum time to wait for another process that has the database locked.
  var busyTimeout = Duration.seconds(10)
  /// The maximum number of pages in the file; `nil` for no limit.
  var maximumPageCount: Int?
  /// The log length, in pages, from which the log is moved into the file: 40 MiB. A page that is written repeatedly, as the
  /// pages of indexes are, is moved once for all writes.
  var logLength = 10_000
  /// The size, in bytes, to which a longer log is truncated when it starts again.
  static let maximumIdleLogSize = 64 << 20
  var migrations = Migration.all
  /// Whether a migration first copies the file next to it.
  var isCopiedBeforeMigration = true
  /// Taken by each write of the stores that are opened with this value or a copy of it. SQLite's own lock goes to whoever asks at
  /// the right moment: one store with many short writes would keep the other, which asks once a millisecond, waiting.
  let turns = Turns()

  init(path: String) {
    self.path = path
  }

  /// The same file, in a form that SQLite always treats as a file: not `:memory:` and not a URI.
  var plainPath: String { path.hasPrefix("/") ? path : "./" + path }

  /// Opens the database for writing. Creates a missing database, and migrates an older one to the current schema.
  ///
  /// New directories and files are private to the user; existing ones retain their permissions.
  ///
  /// - Throws: `SQLiteStoreError`.
  func open() throws -> SQLiteConnection {
    try translatingErrors {
      guard !path.isEmpty else { throw SQLiteStoreError.cannotOpen(path: path, reason: "the path is empty") }
      return try preparing {
        try checkIsNotLost()
        try makeIfAbsent()
        // With SQLite's default of 2 MiB, adding becomes slower from 20,000 items on.
        return try connect(cacheSize: 32_768)
      } with: { db in
        let migrator = Migrator(file: self)
        // First, because the file may belong to another program and must not be written to then.
        try migrator.checkIdentity(of: db)
        try enterWALMode(db)
        try migrator.migrate(db)
      }
    }
  }

  /// Opens a database for writing that already has the current schema. Neither creates nor migrates a database.
  ///
  /// - Throws: `SQLiteStoreError`.
  func openCurrent() throws -> SQLiteConnection {
    try translatingErrors {
      try checkIsNotLost()
      guard exists else { throw SQLiteStoreError.missing(path: path) }
      return try preparing {
        try connect(cacheSize: 8192)
      } with: { db in
        try Migrator(file: self).checkSchema(of: db)
        try enterWALMode(db)
      }
    }
  }

  /// Connects and prepares the connection. Repeats both if a restore replaced the file meanwhile, which may also have made
  /// the preparation fail.
  private func preparing(
    _ connect: () throws -> SQLiteConnection, with prepare: (SQLiteConnection) throws -> Void
  ) throws -> SQLiteConnection {
    while true {
      let db = try connect()
      do {
        try prepare(db)
        if !db.hasMoved { return db }
      } catch {
        guard db.hasMoved else { throw error }
      }
    }
  }

  /// Migrates an existing database to the current schema.
  ///
  /// - Returns: the version before.
  /// - Throws: `SQLiteStoreError`.
  func migrate() throws -> Int {
    guard exists else { throw SQLiteStoreError.missing(path: path) }
    let db = try openForReading()
    let found = try translatingErrors { try Migrator(file: self).checkIdentity(of: db) }
    try db.close()
    try open().close()
    return found
  }

  /// Checks that the file is not empty, and that nothing is left of a missing one.
  ///
  /// - Throws: `SQLiteStoreError.empty` or `.lost`.
  func checkIsNotLost() throws {
    if FileSystem.size(of: plainPath) == 0 { throw SQLiteStoreError.empty(path: path) }
    let remnants = [SpaceReserve.suffix, "-wal", "-journal"]
    guard !exists, let suffix = remnants.first(where: { FileSystem.exists(plainPath + $0) }) else { return }
    // Another process may have created both since.
    if !exists { throw SQLiteStoreError.lost(path: path, remnant: path + suffix) }
  }

  /// Whether the file exists.
  var exists: Bool { FileSystem.exists(plainPath) }

  /// Opens another connection, for reading, to a database that `open` has opened.
  ///
  /// - Throws: `SQLiteStoreError`.
  func openForReading() throws -> SQLiteConnection {
    try translatingErrors {
      do {
        return try connect(.reading, cacheSize: 8192)
      } catch let error as SQLiteError where error.code == .readOnly {
        // A program was killed while it changed a file that has no log. Only a connection for writing undoes that.
        try connect(cacheSize: 8192).close()
        return try connect(.reading, cacheSize: 8192)
      }
    }
  }

  /// - Parameter cacheSize: the maximum size of the page cache, in KiB.
  private func connect(_ access: SQLiteConnection.Access = .writing, cacheSize: Int) throws -> SQLiteConnection {
    let pause: UInt32 = 1000
    let tries = busyTimeout / .microseconds(Int64(pause))
    // SQLite's own handler soon sleeps 100 ms at a time, and then misses the gaps between the commits of a busy server.
    let db = try SQLiteConnection(path: plainPath, access: access) { attempts in
      FileSystem.sleep(microseconds: pause)
      return Double(attempts) < tries
    }
    try db.execute("PRAGMA cache_size = -\(cacheSize)")
    if let maximumPageCount { try db.execute("PRAGMA max_page_count = \(maximumPageCount)") }
    return db
  }

  private func makeIfAbsent() throws {
    guard !FileSystem.exists(plainPath) else { return }
    try FileSystem.makePrivateDirectory(FileSystem.directory(of: plainPath))
    // SQLite would create a file that other users can read. The file gets its name after it is closed, because closing any
    // descriptor of a database that another thread has opened drops that thread's locks.
    let temporary = "\(plainPath).\(FileSystem.processNumber).\(UInt64.random(in: 0...UInt64.max)).new"
    try FileSystem.makePrivateFile(temporary)
    defer { FileSystem.removeIfPresent(temporary) }
    // Writes the header, so that an empty file is always one that lost its content.
    let db = try SQLiteConnection(path: temporary)
    try db.execute("BEGIN IMMEDIATE; COMMIT")
    try db.close()
    try FileSystem.link(temporary, as: plainPath)
  }

  /// Configures a write-ahead log, so that readers do not wait for writers, and commits that return when they are on disk.
  private func enterWALMode(_ db: SQLiteConnection) throws {
    let clock = ContinuousClock()
    let end = clock.now + busyTimeout
    // If two processes do this concurrently, SQLite fails one without calling the busy handler.
    while true {
      do {
        guard try db.text("PRAGMA journal_mode = WAL") == "wal" else {
          throw SQLiteStoreError.cannotOpen(path: path, reason: "its file system has no shared memory for a log")
        }
        break
      } catch let error as SQLiteError where error.code == .busy && clock.now < end {
        FileSystem.sleep(microseconds: 1000)
      }
    }
    // The second and third are for macOS, where a plain fsync does not flush the drive's cache. Automatic checkpoints are not
    // safe (`SQLiteConnection.checkpoint()`).
    try db.execute(
      """
      PRAGMA synchronous = FULL;
      PRAGMA fullfsync = ON;
      PRAGMA checkpoint_fullfsync = ON;
      PRAGMA wal_autocheckpoint = 0;
      PRAGMA journal_size_limit = \(Self.maximumIdleLogSize);
      """)
  }

  private func translatingErrors<Value>(_ body: () throws -> Value) throws -> Value {
    do {
      return try body()
    } catch let error as FileSystem.Failure {
      throw limitation ?? SQLiteStoreError.cannotOpen(path: path, reason: error.reason)
    } catch let error as SQLiteError {
      switch error.code {
      case .notADatabase, .corrupt: throw SQLiteStoreError.notADatabase(path: path)
      case .busy, .locked: throw SQLiteStoreError.locked(path: path)
      case _ where error.isDiskFull: throw SQLiteStoreError.full(path: path)
      default: throw limitation ?? SQLiteStoreError.cannotOpen(path: path, reason: error.extendedCode.meaning)
      }
    }
  }

  /// The reason why the file cannot be written: permissions, or a file system that is read-only or full. `nil` if it can.
  var limitation: SQLiteStoreError? {
    switch FileSystem.limitation(of: FileSystem.directory(of: plainPath)) {
    case .readOnly: .readOnly(path: path)
    case .full: .full(path: path)
    case .forbidden(let directory): .notWritable(path: path, obstacle: directory)
    case nil: exists && !FileSystem.isWritable(plainPath) ? .notWritable(path: path, obstacle: path) : nil
    }
  }
}

extension DatabaseFile {
  /// Opens a database of this program for reading, with any schema version. Does not create or migrate it.
  ///
  /// - Throws: `SQLiteStoreError`.
  func openExisting() throws -> SQLiteConnection {
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
  func openForCheckpoints() throws -> SQLiteConnection {
    let db = try SQLiteConnection(path: plainPath)
    try db.execute("PRAGMA synchronous = FULL; PRAGMA fullfsync = ON; PRAGMA checkpoint_fullfsync = ON")
    return db
  }

  /// Opens a database that no other connection has open, and excludes all others until it is closed.
  ///
  /// Moves the log into the file, and leaves the file without a log.
  ///
  /// - Throws: `DatabaseMaintenanceError.inUse`, `SQLiteError`.
  func openExclusively() throws -> SQLiteConnection {
    do {
      let db = try SQLiteConnection(path: plainPath)
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
