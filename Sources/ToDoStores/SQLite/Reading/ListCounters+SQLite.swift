import ToDoModel
import ToDoSQLite

extension ListCounters {
  /// Decodes the current row of `ItemSQL.owner`.
  init(_ row: Statement) throws(ToDoError) {
    try self.init(
      revision: row.number(1), floor: row.number(2), itemCount: row.number(3), byteCount: row.number(4),
      lastNumber: row.number(7))
  }
}
