/// The schema of database files, for programs that manage one.
public enum SQLiteSchema {
  /// The schema version that this program reads and writes.
  public static var currentVersion: Int { Migration.all.count }

  /// Migrates an existing database to the current version. Before, the file is copied next to it, as
  /// `items.sqlite.v1.bak` for version 1 of `items.sqlite`. Waits for the disk.
  ///
  /// - Returns: the version before.
  /// - Throws: `SQLiteStoreError`.
  public static func migrate(path: String) throws -> Int {
    try DatabaseFile(path: path).migrate()
  }
}
