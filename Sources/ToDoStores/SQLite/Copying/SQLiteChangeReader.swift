import ToDoModel
import ToDoRules
import ToDoSQLite

/// Reads a list's changes from the rows of `item` and `past_change`.
///
/// SQLite stores each state of an item once: in the item's row, or with the next change's revision in
/// `past_change`. A change is the row with its revision, and the state before it is the row that it replaced.
struct SQLiteChangeReader {
  private let owner: Int64
  private let list: CopiedList
  private let db: SQLiteConnection
  private let formerState, title: Statement

  init(_ db: SQLiteConnection, owner: Int64, _ list: CopiedList) throws {
    self.db = db
    self.owner = owner
    self.list = list
    formerState = try Statement(SQLiteCopySQL.formerState, on: db, binding: [owner])
    title = try Statement(SQLiteCopySQL.title, on: db, binding: [owner])
  }

  // MARK: Changes after the floor

  /// - Throws: `StoreCopyError.damagedHistory` if a former state belongs to no change.
  func forEachChange(_ body: (CopiedChange) throws -> Void) throws {
    let row = try Statement(SQLiteCopySQL.changes, on: db, binding: [owner, list.counters.floor.number])
    var formerCount: Int64 = 0
    try row.forEachRow {
      let change = try change(row)
      if change.former != nil { formerCount += 1 }
      try body(change)
      return true
    }
    guard try db.number(SQLiteCopySQL.formerStateCount, [owner, list.counters.floor.number]) == formerCount else {
      throw StoreCopyError.damagedHistory(list: list.name)
    }
  }

  private func change(_ row: Statement) throws -> CopiedChange {
    let stored = try SQLiteItemRow.decodeChange(row)
    var change = CopiedChange(
      revision: stored.revision, id: stored.id, kind: .put(.added), time: stored.time,
      origin: row.origin(SQLiteItemRow.columnCount), former: try former(of: stored))
    switch stored {
    case .put(_, let cause): change.kind = .put(cause)
    case .deleted(let deletion):
      change.kind = .deleted(wasDone: deletion.wasDone)
      if change.former == nil { change.title = try titleItem(stored.id) }
    }
    return change
  }

  private func former(of change: ItemChange) throws -> CopiedChange.Former? {
    formerState.bind(change.revision.number, at: 2)
    formerState.bind(change.id, at: 3)
    return try formerState.firstRow { try Self.state(formerState) }
  }

  private func titleItem(_ id: ItemID) throws -> ToDoItem? {
    title.bind(id, at: 2)
    return try title.firstRow { try SQLiteItemRow.decode(title) }
  }

  private static func state(_ row: Statement) throws -> CopiedChange.Former {
    let cause = PutCause(number: row.number(SQLiteItemRow.Column.cause.rawValue)) ?? .edited
    return CopiedChange.Former(
      try SQLiteItemRow.decode(row), cause: cause, origin: row.origin(SQLiteItemRow.columnCount))
  }

  // MARK: Changes up to the floor

  /// Reads what compaction will remove. The change that replaced a state may have been removed earlier.
  func forEachRemainder(_ body: (CopiedChange) throws -> Void) throws {
    let row = try Statement(SQLiteCopySQL.remainders, on: db, binding: [owner, list.counters.floor.number])
    var last: CopiedChange?
    try row.forEachRow {
      guard let id = row.id(0) else { throw StoreCopyError.damagedHistory(list: list.name) }
      let revision = Revision(row.number(SQLiteItemRow.columnCount + SQLiteItemRow.originCount))
      var change = CopiedChange(
        revision: revision, id: id, kind: .put(.edited),
        time: Timestamp(microseconds: row.number(SQLiteItemRow.Column.updatedAt.rawValue)), origin: ChangeOrigin())
      if let last, (last.revision, last.id) == (revision, id) { change = last } else if let last { try body(last) }
      if row.optionalNumber(SQLiteItemRow.Column.cause.rawValue) == nil {
        change.kind = .deleted(wasDone: row.optionalNumber(SQLiteItemRow.Column.completedAt.rawValue) != nil)
      } else {
        change.former = try Self.state(row)
      }
      last = change
      return true
    }
    if let last { try body(last) }
  }
}
