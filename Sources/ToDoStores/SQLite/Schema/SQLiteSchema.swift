import ToDoModel
import ToDoSQLite

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

extension ListIncarnation {
  /// Reads the lists' incarnation in a database with the current schema.
  ///
  /// - Throws: `SQLiteError`, `SQLiteStoreError`.
  static func read(from db: SQLiteConnection) throws -> ListIncarnation {
    let number = try db.number(ItemSQL.incarnation)
    guard let incarnation = number.flatMap({ ListIncarnation(UInt64(bitPattern: $0)) }) else {
      throw SQLiteError(.corrupt)
    }
    return incarnation
  }

  /// Replaces the lists' incarnation in a database with the current schema, for example after a restore. Earlier revisions
  /// and page tokens are then rejected with `ToDoError.listReplaced`.
  ///
  /// No store may have the database open: a store reads the incarnation once.
  ///
  /// - Throws: `SQLiteError`.
  @discardableResult
  static func replace(in db: SQLiteConnection) throws -> ListIncarnation {
    let incarnation = ListIncarnation.random()
    try db.run(ItemSQL.setIncarnation, [Int64(bitPattern: incarnation.number)])
    return incarnation
  }
}
