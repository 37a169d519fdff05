public import ToDoModel
import ToDoSQLite

/// Replaces a database by a backup.
public struct DatabaseRestore: Sendable {
  /// A completed restore.
  public struct Result: Equatable, Sendable {
    /// The new path of the former database; `nil` if there was none.
    public let previousPath: String?
    /// The reason why the restored database requires credentials although the backup does not; `nil` if the backup decides.
    public let requirement: CredentialsRequirement?
  }

  /// The reason why a restored database requires credentials.
  @nonexhaustive
  public enum CredentialsRequirement: Equatable, Sendable {
    /// The former database has had users.
    case hadUsers
    /// The former database, or its log, cannot be read, so it counts as one that has had users.
    case isUnreadable
  }

  private let file: DatabaseFile

  /// - Parameter path: the database to replace. It need not exist.
  public init(path: String) {
    file = DatabaseFile(path: path)
  }

  /// Replaces the database by a checked copy of a backup with the current schema, whose lists get a new incarnation. Waits
  /// for the disk.
  ///
  /// The replacement is atomic: if the process is killed, either the former or the new database is in place.
  ///
  /// A server must not admit callers without credentials again once it has had users. So the new database counts as one that
  /// has had users if the former one does, or if the former one cannot be read.
  ///
  /// - Parameters:
  ///   - backup: the file to restore; it is only read.
  ///   - time: the time in the name of the former file.
  ///   - allowsAnonymous: whether the backup alone decides whether callers need credentials.
  /// - Throws: `DatabaseMaintenanceError`, `SQLiteStoreError`. The database is unchanged then.
  public func run(from backup: String, at time: Timestamp, allowsAnonymous: Bool = false) throws -> Result {
    do {
      let target = file.plainPath
      if let identity = FileSystem.identity(of: target), identity == FileSystem.identity(of: backup) {
        throw DatabaseMaintenanceError.destinationIsSource(path: backup)
      }
      guard !FileSystem.isDirectory(backup) else {
        throw DatabaseMaintenanceError.fileFailed(path: backup, reason: "is a directory")
      }
      let partialPath = target + ".restore"
      try PartialFile.checkIsNotSource(backup, partialPath)
      if FileSystem.exists(target) { try file.checkUnused() }
      try FileSystem.makePrivateDirectory(FileSystem.directory(of: target))
      let partial = try PartialFile(path: partialPath)
      do {
        let db = try fill(partial, from: backup)
        return try replace(
          by: partial, db, keeping: unusedName("\(target).replaced-\(BackupFolder.text(of: time))"),
          allowsAnonymous: allowsAnonymous)
      } catch {
        partial.remove()
        throw error
      }
    } catch let error as FileSystem.Failure {
      if error.isBusy { throw DatabaseMaintenanceError.inUse(path: file.path, process: nil) }
      throw DatabaseMaintenanceError.fileFailed(path: file.path, reason: error.reason)
    } catch let error as SQLiteError {
      throw DatabaseMaintenanceError.fileFailed(path: file.path, reason: error.code.meaning)
    }
  }

  private func unusedName(_ name: String) -> String {
    var (unused, number) = (name, 1)
    while FileSystem.exists(unused) { (unused, number) = ("\(name)-\(number + 1)", number + 1) }
    return unused
  }

  /// Copies and checks the backup, and migrates the copy.
  ///
  /// - Returns: the copy, open.
  private func fill(_ partial: PartialFile, from backup: String) throws -> SQLiteConnection {
    var copying = DatabaseBackup(path: backup)
    copying.pace = .unlimited
    try copying.copy(to: partial)
    let report = try DatabaseCheck(path: partial.path).run()
    guard report.problems.isEmpty else {
      throw DatabaseMaintenanceError.failedCheck(path: backup, problems: report.problems)
    }
    var copy = DatabaseFile(path: partial.path)
    // The backup remains as it is.
    copy.isCopiedBeforeMigration = false
    let db = try copy.openExclusively()
    try Migrator(file: copy).migrate(db)
    try ListIncarnation.replace(in: db)
    return db
  }

  /// Moves the new file into place. The former file stays in place until the last step.
  private func replace(
    by partial: PartialFile, _ db: SQLiteConnection, keeping kept: String, allowsAnonymous: Bool
  ) throws -> Result {
    let target = file.plainPath
    let logs = ["-wal", "-journal"].filter { FileSystem.exists(target + $0) }
    let exists = FileSystem.exists(target)
    // Excludes other processes until the new file is in place. A damaged file cannot be locked, but no process uses it.
    let former = exists ? try openFormer() : nil
    let requirement =
      allowsAnonymous || (!exists && logs.isEmpty) ? nil : try requireCredentials(in: db, asIn: former)
    try db.close()
    if exists { try FileCopy.link(target, as: kept, openIn: former) }
    // The log of a damaged or missing file belongs to that file, and must not be applied to the new one.
    for suffix in logs where FileSystem.exists(target + suffix) {
      try FileSystem.move(target + suffix, to: kept + suffix)
    }
    FileSystem.removeIfPresent(target + "-shm")
    try partial.finish(as: target)
    try former?.close()
    return Result(previousPath: exists ? kept : nil, requirement: requirement)
  }

  /// Opens the former database.
  ///
  /// - Returns: `nil` if it or its log is damaged.
  private func openFormer() throws -> SQLiteConnection? {
    // SQLite would delete the log of an empty file, and ignore a damaged log.
    guard FileSystem.size(of: file.plainPath) != 0, file.hasReadableLog else { return nil }
    do { return try file.openExclusively() } catch let error as SQLiteError {
      guard [.notADatabase, .corrupt].contains(error.code) else { throw error }
      return nil
    }
  }

  /// Makes a database require credentials if the former one has had users, or cannot be read (`nil`).
  ///
  /// - Returns: the reason; `nil` if the former one has had none, or the database requires credentials by itself.
  private func requireCredentials(in db: SQLiteConnection, asIn former: SQLiteConnection?) throws
    -> CredentialsRequirement?
  {
    let version = former.flatMap { Self.accountVersion(of: $0) }
    guard version != 0 else { return nil }
    let own = try db.number("SELECT version FROM account_version") ?? 0
    try db.run("UPDATE account_version SET version = ?", [max(own, version ?? 0) + 1])
    return own > 0 ? nil : version == nil ? .isUnreadable : .hadUsers
  }

  /// Returns the account version of a database, 0 if its schema is older than users, or `nil` if it cannot be read.
  private static func accountVersion(of db: SQLiteConnection) -> Int64? {
    do {
      guard try db.number("PRAGMA application_id") == Int64(Migrator.applicationID) else { return nil }
      let table = "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'account_version'"
      guard try db.number(table) != nil else { return 0 }
      return try db.number("SELECT version FROM account_version")
    } catch {
      return nil
    }
  }
}
