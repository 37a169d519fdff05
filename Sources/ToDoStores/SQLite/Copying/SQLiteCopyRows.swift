import ToDoModel
import ToDoRules
import ToDoSQLite

/// Inserts the rows of a list's records.
final class SQLiteCopyRows {
  private let key: FingerprintKey
  private let item, kept, reserved, former, deletion, lookup: Statement

  init(_ db: SQLiteConnection, key: FingerprintKey) {
    func statement(_ sql: String) -> Statement { Statement(compilingLater: sql, on: db) }
    self.key = key
    item = statement(SQLiteCopySQL.insertItem)
    kept = statement(SQLiteCopySQL.insertKept)
    reserved = statement(ItemSQL.markDeleted)
    former = statement(SQLiteCopySQL.insertFormer)
    deletion = statement(ItemSQL.addDeletion)
    lookup = statement(ItemSQL.setPendingLookup)
  }

  func insert(_ record: CopiedRecord, owner: Int64) throws {
    switch record {
    case .item(let item): try insert(item, owner)
    case .change(let change): try insert(change, owner)
    case .lookup(let pending):
      lookup.bind(owner, at: 1)
      lookup.bind(pending.item, at: 2)
      lookup.bind(pending.address, at: 3)
      lookup.bind(Int64(pending.attempts), at: 4)
      lookup.bind(pending.due.microseconds, at: 5)
      try lookup.run()
    }
  }

  private func insert(_ record: CopiedItem, _ owner: Int64) throws {
    let extra = SQLiteCopySQL.extraParameter
    switch record.state {
    case .present:
      let fingerprint = ContentFingerprint(of: record.item.content, key: key)
      SQLiteItemRow.bind(record.item, record.cause, owner: owner, fingerprint: fingerprint, record.origin, to: item)
      record.addedAs.map(\.storedBytes).bind(to: item, at: extra)
      try item.run()
    case .kept(let time, let expiry):
      bind(record.item, record.cause, record.origin, owner, to: kept)
      record.addedAs.map(\.storedBytes).bind(to: kept, at: extra)
      kept.bind(time.microseconds, at: extra + 1)
      kept.bind(expiry.microseconds, at: extra + 2)
      try kept.run()
    case .reserved(let time):
      reserved.bind(owner, at: 1)
      reserved.bind(record.item.id, at: 2)
      reserved.bind(record.item.revision.number, at: 3)
      reserved.bind(time.microseconds, at: 4)
      try reserved.run()
    }
  }

  private func insert(_ change: CopiedChange, _ owner: Int64) throws {
    if let state = change.former {
      bind(state.item, state.cause, state.origin, owner, to: former)
      former.bind(change.revision.number, at: SQLiteCopySQL.extraParameter)
      try former.run()
    }
    guard case .deleted(let wasDone) = change.kind else { return }
    deletion.bind(owner, at: 1)
    deletion.bind(change.id, at: 2)
    deletion.bind(change.revision.number, at: 3)
    deletion.bind(change.time.microseconds, at: 4)
    // Only whether there is a time is read.
    deletion.bind(wasDone ? (change.former?.item.completedAt ?? change.time).microseconds : nil, at: 5)
    deletion.bind(change.origin, at: 6)
    try deletion.run()
  }

  /// Binds an item to a statement that stores no fingerprint of its content.
  private func bind(
    _ item: ToDoItem, _ cause: PutCause, _ origin: ChangeOrigin, _ owner: Int64, to statement: Statement
  ) {
    SQLiteItemRow.bind(
      item, cause, owner: owner, fingerprint: ContentFingerprint(high: 0, low: 0), origin, to: statement)
  }
}
