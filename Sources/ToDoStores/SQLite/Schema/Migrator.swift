import ToDoSQLite

/// Migrates a database to the current version of the schema.
struct Migrator {
  let file: DatabaseFile

  /// Written in the header of this program's databases: "ToDo" in ASCII.
  static let applicationID = 0x546F_446F

  private var supported: Int { file.migrations.count }

  /// Checks that this version of this program can use a database, possibly after a migration.
  ///
  /// - Returns: the schema version; 0 for an empty database.
  /// - Throws: `SQLiteStoreError` if it cannot.
  @discardableResult
  func checkIdentity(of db: SQLiteConnection) throws -> Int {
    try db.transaction(.deferred) { try version(of: db) }
  }

  /// Checks that a database has the current schema.
  ///
  /// - Throws: `SQLiteStoreError` if it does not.
  func checkSchema(of db: SQLiteConnection) throws {
    let found = try checkIdentity(of: db)
    guard found == supported else {
      throw SQLiteStoreError.olderSchema(path: file.path, found: found, supported: supported)
    }
  }

  /// Migrates a database, unless it is up to date.
  ///
  /// If several processes migrate concurrently, one does the work and the others wait for it. Before an older database is
  /// migrated, the file is copied (`MigrationBackup`).
  func migrate(_ db: SQLiteConnection) throws {
    guard try checkIdentity(of: db) < supported else { return }
    try db.transaction(.immediate) {
      // Another process may have migrated the database since the check.
      let found = try version(of: db)
      if found < supported { try migrate(db, from: found) }
    }
  }

  private func migrate(_ db: SQLiteConnection, from found: Int) throws {
    // The transaction excludes other writers, so the copy equals the database that is migrated.
    let copy = found > 0 && file.isCopiedBeforeMigration ? try MigrationBackup(file: file).create(version: found) : nil
    do {
      for migration in file.migrations[found...] {
        try db.execute(migration.sql)
        try migration.step?(db)
      }
      try db.execute("PRAGMA application_id = \(Self.applicationID); PRAGMA user_version = \(supported)")
    } catch let error as SQLiteError {
      if let copy { FileSystem.removeIfPresent(copy) }
      throw SQLiteStoreError.migrationFailed(
        path: file.path, from: found, to: supported, reason: error.code.meaning)
    }
  }

  /// Returns the schema version of this program's database, or 0 for an empty database.
  private func version(of db: SQLiteConnection) throws -> Int {
    let application = try db.number("PRAGMA application_id") ?? 0
    let version = Int(try db.number("PRAGMA user_version") ?? 0)
    if application == 0, version == 0, try db.number("SELECT count(*) FROM sqlite_schema") == 0 {
      return 0
    }
    guard application == Self.applicationID, version > 0 else {
      throw SQLiteStoreError.notAToDoDatabase(path: file.path)
    }
    guard version <= supported else {
      throw SQLiteStoreError.newerSchema(path: file.path, found: version, supported: supported)
    }
    return version
  }
}
