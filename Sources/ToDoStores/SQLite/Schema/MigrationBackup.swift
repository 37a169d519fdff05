import ToDoSQLite

/// A copy of a database file, made before the database is migrated.
struct MigrationBackup {
  let file: DatabaseFile

  /// Writes a consistent copy next to the database, as `items.sqlite.v1.bak` for version 1 of `items.sqlite`, and returns its
  /// path once the copy is on disk.
  ///
  /// The copy replaces an older one of the same version, and only the latest one of an earlier version remains. It
  /// needs no other file, because it includes the log.
  ///
  /// - Throws: `SQLiteError` or `FileSystem.Failure`, for example if the disk is full. No copy of this version remains then,
  ///   and the database must not be migrated.
  func create(version: Int) throws -> String {
    let destination = "\(file.plainPath).v\(version).bak"
    let temporary = destination + ".new"
    FileSystem.removeIfPresent(temporary)
    // SQLite would create a file that other users can read, but it writes into an existing empty file. The backup interface
    // copies pages unchanged. VACUUM INTO fails on tables with generated columns if the connection has not read the schema.
    try FileSystem.makePrivateFile(temporary)
    do {
      let source = try file.openForReading()
      let copy = try SQLiteConnection(path: temporary)
      try source.backUp(to: copy)
      try copy.close()
      try source.close()
      try FileSystem.move(temporary, to: destination)
      removeCopies(before: version)
    } catch {
      FileSystem.removeIfPresent(temporary)
      throw error
    }
    return destination
  }

  /// Removes all copies of earlier versions but the latest.
  private func removeCopies(before version: Int) {
    let copies = (1..<max(version, 1)).map { "\(file.plainPath).v\($0).bak" }.filter(FileSystem.exists)
    copies.dropLast().forEach(FileSystem.removeIfPresent)
  }
}
