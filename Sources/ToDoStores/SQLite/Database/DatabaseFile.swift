import GRDB

/// A database file, and how it is opened.
struct DatabaseFile: Sendable {
  /// As the user wrote it.
  let path: String
  /// How long to wait for another program that has the database locked.
  var busyTimeout = Duration.seconds(10)
  /// How many pages the file may have, if there is a limit.
  var maximumPageCount: Int?
  /// From how many pages of the log on it is moved into the file: 40 MiB. A page that is written again and again, as those
  /// of indexes are, is moved once for all of them.
  var logLength = 10_000
  var migrations = Migration.all

  init(path: String) {
    self.path = path
  }

  /// The same file, in a form that SQLite takes for nothing but a file: not `:memory:` and not a URI.
  var plainPath: String { path.hasPrefix("/") ? path : "./" + path }

  /// Opens the database for writing; makes it when there is none, and brings it to the present schema.
  ///
  /// What is made, directories and file, is for the user alone; what is there keeps its permissions.
  ///
  /// - Throws: `SQLiteStoreError`.
  func open() throws -> DatabaseQueue {
    try translatingErrors {
      guard !path.isEmpty else { throw SQLiteStoreError.cannotOpen(path: path, reason: "the path is empty") }
      try makeIfAbsent()
      // With SQLite's own 2 MiB, adding becomes slower from 20,000 items on.
      let queue = try DatabaseQueue(path: plainPath, configuration: configuration(cacheSize: 32_768))
      try queue.inDatabase { db in
        let migrator = Migrator(file: self)
        // Before anything is written to what may not be ours.
        try migrator.checkIdentity(of: db)
        try enterWALMode(db)
        try migrator.migrate(db)
      }
      // A restore may have replaced the file while this connection waited for it.
      return try queue.inDatabase(isInPlace) ? queue : open()
    }
  }

  /// Opens a database for writing that already has the current schema. Neither creates nor migrates a database.
  ///
  /// - Throws: `SQLiteStoreError`.
  func openCurrent() throws -> DatabaseQueue {
    try translatingErrors {
      guard exists else { throw SQLiteStoreError.missing(path: path) }
      let queue = try DatabaseQueue(path: plainPath, configuration: configuration(cacheSize: 8192))
      try queue.inDatabase { db in
        try Migrator(file: self).checkSchema(of: db)
        try enterWALMode(db)
      }
      return try queue.inDatabase(isInPlace) ? queue : openCurrent()
    }
  }

  /// Migrates an existing database to the current schema.
  ///
  /// - Returns: the version before.
  /// - Throws: `SQLiteStoreError`.
  func migrate() throws -> Int {
    guard exists else { throw SQLiteStoreError.missing(path: path) }
    let queue = try openForReading()
    let found = try translatingErrors { try queue.inDatabase { try Migrator(file: self).checkIdentity(of: $0) } }
    try queue.close()
    try open().close()
    return found
  }

  /// Whether there is a file.
  var exists: Bool { FileSystem.exists(plainPath) }

  /// Opens another connection, for reading, to a database that `open` has opened.
  ///
  /// - Throws: `SQLiteStoreError`.
  func openForReading() throws -> DatabaseQueue {
    try translatingErrors {
      var configuration = configuration(cacheSize: 8192)
      configuration.readonly = true
      return try DatabaseQueue(path: plainPath, configuration: configuration)
    }
  }

  /// - Parameter cacheSize: the most memory to keep pages in, in KiB.
  private func configuration(cacheSize: Int) -> Configuration {
    var configuration = Configuration()
    configuration.foreignKeysEnabled = false
    let pause: UInt32 = 1000
    let tries = busyTimeout / .microseconds(Int64(pause))
    // SQLite's own handler soon sleeps 100 ms at a time, and then misses the moments between the commits of a busy server.
    configuration.busyMode = .callback { count in
      FileSystem.sleep(microseconds: pause)
      return Double(count) < tries
    }
    let maximumPageCount = maximumPageCount
    configuration.prepareDatabase { db in
      try db.execute(sql: "PRAGMA cache_size = -\(cacheSize)")
      if let maximumPageCount { try db.execute(sql: "PRAGMA max_page_count = \(maximumPageCount)") }
    }
    return configuration
  }

  private func makeIfAbsent() throws {
    guard !FileSystem.exists(plainPath) else { return }
    try FileSystem.makePrivateDirectory(FileSystem.directory(of: plainPath))
    // SQLite would make a file that others can read. The file gets its name when it is closed already: closing a database
    // that another thread has opened meanwhile would drop that thread's locks.
    let temporary = "\(plainPath).\(FileSystem.processNumber).\(UInt64.random(in: 0...UInt64.max)).new"
    try FileSystem.makePrivateFile(temporary)
    defer { FileSystem.removeIfPresent(temporary) }
    try FileSystem.link(temporary, as: plainPath)
  }

  /// Writers append to a log of their own, readers need not wait for them, and a commit returns when it is on disk.
  private func enterWALMode(_ db: Database) throws {
    let clock = ContinuousClock()
    let end = clock.now + busyTimeout
    // When two programs do this at once, SQLite lets one fail without asking the busy handler.
    while true {
      do {
        guard try String.fetchOne(db, sql: "PRAGMA journal_mode = WAL") == "wal" else {
          throw SQLiteStoreError.cannotOpen(path: path, reason: "its file system has no shared memory for a log")
        }
        break
      } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY && clock.now < end {
        FileSystem.sleep(microseconds: 1000)
      }
    }
    // The second and third are for macOS, where a plain fsync stops at the drive's own memory.
    try db.execute(
      sql: """
        PRAGMA synchronous = FULL;
        PRAGMA fullfsync = ON;
        PRAGMA checkpoint_fullfsync = ON;
        PRAGMA wal_autocheckpoint = \(logLength);
        PRAGMA journal_size_limit = 67108864;
        """)
  }

  private func translatingErrors<Value>(_ body: () throws -> Value) throws -> Value {
    do {
      return try body()
    } catch let error as FileSystem.Failure {
      throw SQLiteStoreError.cannotOpen(path: path, reason: error.reason)
    } catch let error as DatabaseError {
      switch error.resultCode {
      case .SQLITE_NOTADB, .SQLITE_CORRUPT: throw SQLiteStoreError.notADatabase(path: path)
      case .SQLITE_BUSY, .SQLITE_LOCKED: throw SQLiteStoreError.locked(path: path)
      default: throw SQLiteStoreError.cannotOpen(path: path, reason: error.resultCode.meaning)
      }
    }
  }
}
