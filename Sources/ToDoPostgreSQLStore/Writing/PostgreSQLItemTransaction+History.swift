#if PostgreSQL
import ToDoPostgreSQL
import ToDoModel
import ToDoRules
import ToDoStores

extension PostgreSQLItemTransaction: HistoryTransaction {
  func attribute(to origin: ChangeOrigin) { write.origin = origin }

  func changes(of revision: Revision, after last: ItemID?, limit: Int, sizeLimit: Int) throws -> (
    changes: [RevertibleChange], hasMore: Bool
  ) {
    try write.row.checkCanRead(revision)
    var parameters = Parameters()
    parameters.append(name)
    parameters.append(revision.number)
    parameters.append(Int64(limit))
    parameters.append(Int64(sizeLimit))
    if let last { parameters.append(uuid: last.uuid) }
    group.noteUndeclaredRead()
    let rows = try flush(running: WriteSQL.changes(hasStart: last != nil), parameters, changesRows: false)
    let changes = try (0..<rows.count).map { try revertibleChange(rows, $0, of: revision) }
    let readCount = rows.count > 0 ? Int(rows.int64(0, 7)) : 0
    try group.check(rows)
    return (changes, readCount == limit || readCount > changes.count)
  }

  private func revertibleChange(_ rows: Rows, _ row: Int, of revision: Revision) throws -> RevertibleChange {
    let id = ItemID(uuid: rows.uuid(row, 0))
    guard let number = rows.optionalInt16(row, 1) else {
      let deletion = ItemDeletion(
        id: id, wasDone: rows.bool(row, 3), revision: revision, deletedAt: Timestamp(microseconds: rows.int64(row, 2))
      )
      return RevertibleChange(.deleted(deletion), former: nil)
    }
    guard let cause = PutCause(number: Int64(number)), !rows.isNull(row, 6) else {
      throw ToDoError.storeUnavailable(detail: "the stored change of \(id) at revision \(revision) is invalid")
    }
    let item = try rows.item(row, 6, id: id, revision: revision)
    var former: ToDoItem?
    if cause != .added, cause != .restored, let revision = rows.optionalInt64(row, 5), !rows.isNull(row, 4) {
      former = try rows.item(row, 4, id: id, revision: Revision(revision))
    }
    return RevertibleChange(.put(item, cause), former: former)
  }
}

extension Rows {
  /// Decodes the content of an item.
  func item(_ row: Int, _ column: Int, id: ItemID, revision: Revision) throws(ToDoError) -> ToDoItem {
    try withBytes(row, column) { bytes throws(ToDoError) in
      try EncodedItem.decode(bytes, id: id, revision: revision)
    }
  }
}
#endif
