import GRDB

/// Keeps a copy of a database before it is migrated.
struct OldFileKeeper {
  let file: DatabaseFile

  /// Writes a consistent copy beside the database, as `items.sqlite.v1.bak` for version 1 of `items.sqlite`, and returns its
  /// path when it is on disk.
  ///
  /// An older copy of the same version is replaced. The copy needs no other file: what still was in the log is in it.
  func keep(version: Int) throws -> String {
    let destination = "\(file.plainPath).v\(version).bak"
    let temporary = destination + ".new"
    FileSystem.removeIfThere(temporary)
    // SQLite writes into an empty file that is there, but makes one that others can read. Its backup copies pages as they
    // are; VACUUM INTO fails on tables with generated columns when the connection has not read the schema before.
    try FileSystem.makePrivateFile(temporary)
    do {
      let source = try file.openForReading()
      let copy = try DatabaseQueue(path: temporary)
      try source.backup(to: copy)
      try copy.close()
      try source.close()
      try FileSystem.move(temporary, to: destination)
    } catch {
      FileSystem.removeIfThere(temporary)
      throw error
    }
    return destination
  }
}
