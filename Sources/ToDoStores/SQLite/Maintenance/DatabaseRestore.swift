import SQLite
public import ToDoModel

/// Replaces a database by a backup.
public struct DatabaseRestore: Sendable {
  private let file: DatabaseFile

  /// - Parameter path: the database to replace. It need not exist.
  public init(path: String) {
    file = DatabaseFile(path: path)
  }

  /// Replaces the database by a checked copy of a backup, whose lists get a new incarnation. Waits for the disk.
  ///
  /// The replacement is atomic: if the process is killed, either the former or the new database is in place.
  ///
  /// - Parameters:
  ///   - backup: the file to restore; it is only read.
  ///   - time: the time in the name of the former file.
  /// - Returns: the new path of the former database; `nil` if there was none.
  /// - Throws: `DatabaseMaintenanceError`, `SQLiteStoreError`. The database is unchanged then.
  public func run(from backup: String, at time: Timestamp) throws -> String? {
    do {
      let target = file.plainPath
      if let identity = FileSystem.identity(of: target), identity == FileSystem.identity(of: backup) {
        throw DatabaseMaintenanceError.destinationIsSource(path: backup)
      }
      if FileSystem.exists(target) { try file.checkUnused() }
      try FileSystem.makePrivateDirectory(FileSystem.directory(of: target))
      let partial = try PartialFile(path: target + ".restore")
      do {
        try fill(partial, from: backup)
        let kept = try replace(by: partial, keeping: unusedName("\(target).replaced-\(BackupFolder.text(of: time))"))
        return kept
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

  private func fill(_ partial: PartialFile, from backup: String) throws {
    var copying = DatabaseBackup(path: backup)
    copying.pace = .unlimited
    try copying.copy(to: partial)
    let report = try DatabaseCheck(path: partial.path).run()
    guard report.problems.isEmpty else {
      throw DatabaseMaintenanceError.failedCheck(path: backup, problems: report.problems)
    }
    let accountVersion = formerAccountVersion
    let db = try DatabaseFile(path: partial.path).openExclusively()
    try db.transaction(.exclusive) {
      // An older schema has no incarnation. Its migration creates one.
      if try Self.hasTable("list_incarnation", in: db) { try ListIncarnation.replace(in: db) }
      // A server that has had users must not admit callers without credentials again.
      if accountVersion > 0, try Self.hasTable("account_version", in: db) {
        try db.run("UPDATE account_version SET version = max(version, ?) + 1", [accountVersion])
      }
    }
    try db.close()
  }

  private static func hasTable(_ name: String, in db: Connection) throws -> Bool {
    try db.number("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?", [name]) != nil
  }

  /// The account version of the database to replace; 0 if the database does not exist or cannot be read.
  private var formerAccountVersion: Int64 {
    guard let db = try? file.openExisting() else { return 0 }
    return (try? db.number("SELECT version FROM account_version")) ?? 0
  }

  /// Moves the new file into place. The former file stays in place until the last step.
  private func replace(by partial: PartialFile, keeping kept: String) throws -> String? {
    let target = file.plainPath
    guard FileSystem.exists(target) else {
      try partial.finish(as: target)
      return nil
    }
    // Excludes other processes until the new file is in place. A damaged file cannot be locked, but no process uses it.
    let former = try openFormer()
    try FileCopy.link(target, as: kept)
    // The log of a damaged file belongs to that file, and must not be applied to the new one.
    for suffix in ["-wal", "-journal"] where FileSystem.exists(target + suffix) {
      try FileSystem.move(target + suffix, to: kept + suffix)
    }
    FileSystem.removeIfPresent(target + "-shm")
    try partial.finish(as: target)
    try former?.close()
    return kept
  }

  private func openFormer() throws -> Connection? {
    do { return try file.openExclusively() } catch let error as SQLiteError {
      guard [.notADatabase, .corrupt].contains(error.code) else { throw error }
      return nil
    }
  }
}
