import GRDB

/// Brings a database to the present version of the schema.
struct Migrator {
  let file: DatabaseFile

  /// Written in the header of every database of this program: "ToDo" in ASCII.
  static let applicationID = 0x546F_446F

  private var supported: Int { file.migrations.count }

  /// - Returns: the version of the schema; 0 for an empty database.
  /// - Throws: `SQLiteStoreError` when the database is not for this version of this program.
  @discardableResult
  func checkIdentity(of db: Database) throws -> Int {
    var found = 0
    try db.inTransaction(.deferred) {
      found = try version(of: db)
      return .commit
    }
    return found
  }

  /// - Throws: `SQLiteStoreError` unless the database has the schema of this version of this program.
  func checkSchema(of db: Database) throws {
    let found = try checkIdentity(of: db)
    guard found == supported else {
      throw SQLiteStoreError.olderSchema(path: file.path, found: found, supported: supported)
    }
  }

  /// Does nothing to a database that is up to date.
  ///
  /// Of several programs that come at once, one migrates; the others wait for it. When an older database is migrated, a copy
  /// of the old file is kept beside it.
  func migrate(_ db: Database) throws {
    var isCurrent = false
    try db.inTransaction(.deferred) {
      isCurrent = try version(of: db) == supported
      return .commit
    }
    guard !isCurrent else { return }
    try db.inTransaction(.immediate) {
      // Another program may have been faster.
      let found = try version(of: db)
      if found < supported { try migrate(db, from: found) }
      return .commit
    }
  }

  private func migrate(_ db: Database, from found: Int) throws {
    // The transaction keeps others from writing, so the copy is what gets migrated.
    let copy = found > 0 ? try OldFileKeeper(file: file).keep(version: found) : nil
    do {
      for migration in file.migrations[found...] {
        try db.execute(sql: migration.sql)
        try migration.step?(db)
      }
      try db.execute(sql: "PRAGMA application_id = \(Self.applicationID); PRAGMA user_version = \(supported)")
    } catch let error as DatabaseError {
      if let copy { FileSystem.removeIfThere(copy) }
      throw SQLiteStoreError.migrationFailed(
        path: file.path, from: found, to: supported, reason: error.resultCode.meaning)
    }
  }

  /// The version of a database that is for this program; 0 for an empty one.
  private func version(of db: Database) throws -> Int {
    let application = try Int.fetchOne(db, sql: "PRAGMA application_id") ?? 0
    let version = try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0
    if application == 0, version == 0, try Bool.fetchOne(db, sql: "SELECT count(*) = 0 FROM sqlite_schema") == true {
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
