import GRDB
import ToDoModel

extension ListIncarnation {
  /// Reads the incarnation of the lists in a database of the current schema.
  ///
  /// - Throws: `DatabaseError`, `SQLiteStoreError`.
  static func read(from db: Database) throws -> ListIncarnation {
    let number = try Int64.fetchOne(db, sql: ItemSQL.incarnation)
    guard let incarnation = number.flatMap({ ListIncarnation(UInt64(bitPattern: $0)) }) else {
      throw DatabaseError(resultCode: .SQLITE_CORRUPT)
    }
    return incarnation
  }

  /// Replaces the incarnation of the lists in a database of the current schema, for example after a restore. Earlier revisions
  /// and page tokens are then rejected with `ToDoError.listReplaced`.
  ///
  /// No store may have the database open: a store reads the incarnation once.
  ///
  /// - Throws: `DatabaseError`.
  @discardableResult
  static func replace(in db: Database) throws -> ListIncarnation {
    let incarnation = ListIncarnation.random()
    try db.execute(sql: ItemSQL.setIncarnation, arguments: [Int64(bitPattern: incarnation.number)])
    return incarnation
  }
}
