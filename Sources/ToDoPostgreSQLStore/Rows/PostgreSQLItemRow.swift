#if PostgreSQL
import ToDoPostgreSQL
import ToDoModel
import ToDoRules
import ToDoStores

/// The mapping between rows of the table `item` and items.
enum PostgreSQLItemRow {
  /// The columns that `decode` reads, in this order.
  static let columns = "id, revision, content, deleted_at, expires_at"
  /// The number of `columns`.
  static let columnCount = 5

  /// Decodes the item of a row, with its deletion if it is a deleted item that is kept.
  ///
  /// - Parameter first: the number of the first column in `columns`.
  /// - Throws: `ToDoError.storeUnavailable` if the store never writes one of the values, `PostgreSQLError`.
  static func decode(_ rows: Rows, _ row: Int, from first: Int = 0) throws -> ToDoItem {
    let (id, revision) = (ItemID(uuid: rows.uuid(row, first)), Revision(rows.int64(row, first + 1)))
    try rows.checkIsWellFormed()
    guard !rows.isNull(row, first + 2) else {
      throw ToDoError.storeUnavailable(detail: "the stored item \(id) has no content")
    }
    var item = try rows.item(row, first + 2, id: id, revision: revision)
    if let deletedAt = rows.optionalInt64(row, first + 3), let expiresAt = rows.optionalInt64(row, first + 4) {
      item.deletion = ToDoItem.Deletion(
        deletedAt: Timestamp(microseconds: deletedAt), expiresAt: Timestamp(microseconds: expiresAt))
    }
    try rows.checkIsWellFormed()
    return item
  }

  /// Whether a row belongs to a deleted item or a reserved ID.
  static func isDeleted(_ rows: Rows, _ row: Int, from first: Int = 0) -> Bool { !rows.isNull(row, first + 3) }
}

extension Rows {
  /// Decodes an item's content.
  func item(_ row: Int, _ column: Int, id: ItemID, revision: Revision) throws(ToDoError) -> ToDoItem {
    try withBytes(row, column) { bytes throws(ToDoError) in
      try EncodedItem.decode(bytes, id: id, revision: revision)
    }
  }

  /// Decodes an origin from four columns.
  func origin(_ row: Int, _ first: Int) -> ChangeOrigin {
    ChangeOrigin(
      user: optionalText(row, first) ?? "", client: optionalText(row, first + 1) ?? "",
      reverted: optionalInt64(row, first + 2).map { Revision($0) },
      moved: optionalText(row, first + 3).flatMap { ListMove(storedText: $0) })
  }
}
#endif
