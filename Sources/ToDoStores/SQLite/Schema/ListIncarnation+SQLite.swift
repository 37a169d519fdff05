import ToDoModel
import ToDoSQLite

extension ListIncarnation {
  /// Reads the incarnation of the lists in a database of the current schema.
  ///
  /// - Throws: `SQLiteError`, `SQLiteStoreError`.
  static func read(from db: Connection) throws -> ListIncarnation {
    let number = try db.number(ItemSQL.incarnation)
    guard let incarnation = number.flatMap({ ListIncarnation(UInt64(bitPattern: $0)) }) else {
      throw SQLiteError(.corrupt)
    }
    return incarnation
  }

  /// Replaces the incarnation of the lists in a database of the current schema, for example after a restore. Earlier revisions
  /// and page tokens are then rejected with `ToDoError.listReplaced`.
  ///
  /// No store may have the database open: a store reads the incarnation once.
  ///
  /// - Throws: `SQLiteError`.
  @discardableResult
  static func replace(in db: Connection) throws -> ListIncarnation {
    let incarnation = ListIncarnation.random()
    try db.run(ItemSQL.setIncarnation, [Int64(bitPattern: incarnation.number)])
    return incarnation
  }
}
