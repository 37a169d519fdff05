import ToDoModel
import ToDoRules
import ToDoSQLite

/// Removes changes that need not be retained, a bounded number at a time.
///
/// First the floor of the feed rises by whole revisions, up to the first revision that must be retained. Then rows up to the
/// floor are removed. So a revision of many deletions is compacted in one step, and its rows are removed in several.
struct SQLiteCompaction {
  let statements: WriteStatements
  let retention: ChangeRetention

  /// The number of revisions between two compactions, unless one group makes many changes.
  private static let interval: Int64 = 64
  private static let manyChanges = 16
  /// The minimum bound of the revisions and rows in one compaction: the maximum number of changes since the last compaction.
  private static let step = Int(interval) * manyChanges

  /// Compacts the changes that are due, after a group has changed a list.
  func compact(_ list: inout SQLiteList) throws {
    let (stored, count) = (list.ledger.stored.revision, list.ledger.changeCount)
    let isDue =
      count >= Self.manyChanges
      || stored.number / Self.interval != list.ledger.row.revision.number / Self.interval
    guard isDue, let number = list.number, let now = list.ledger.lastChange else { return }
    // Each change adds at most one row, so removing twice as many rows as there are changes catches up.
    let limit = max(Self.step, 2 * count)
    // The rows of a deletion that is not complete lie above the list's revision.
    if list.deletion == nil { list.ledger.row.floor = try raisedFloor(of: number, list.ledger.row, now, limit: limit) }
    list.ledger.row.byteCount -= try removeRows(of: number, upTo: list.ledger.row.floor, limit: limit)
    list.ledger.row.byteCount -= try removeDeletedItems(of: number, expiredBy: now, limit: limit, sizeLimit: .max).size
    list.ledger.row.countRemoval(ofReservedIDs: try removeDeletedIDs(of: number, now, limit: limit))
  }

  /// Compacts all changes up to a list's revision, and removes a bounded number of rows.
  func compactAll(_ list: Int64, _ row: inout ListCounters) throws {
    row.floor = row.revision
    row.byteCount -= try removeRows(of: list, upTo: row.floor, limit: Self.step)
  }

  private func raisedFloor(
    of list: Int64, _ row: ListCounters, _ now: Timestamp, limit: Int
  ) throws -> Revision {
    var floor = row.floor
    let next = statements.nextChange
    for _ in 0..<limit {
      next.bind(list, at: 1)
      next.bind(floor.number, at: 2)
      let change = try next.firstRow { (revision: Revision(next.number(0)), time: next.number(1)) }
      guard let change,
        try allowsCompaction(change.revision, change.time, of: list, now, current: row.revision)
      else { break }
      floor = change.revision
    }
    return floor
  }

  private func allowsCompaction(
    _ revision: Revision, _ time: Int64, of list: Int64, _ now: Timestamp, current: Revision
  ) throws -> Bool {
    let time = Timestamp(microseconds: time)
    // An invalid stored time must not stop compaction forever.
    let lowest = Timestamp.supportedRange.lowerBound
    return try retention.allowsCompaction(
      changeAt: Timestamp.supportedRange.contains(time) ? time : lowest, revision: revision, now: now,
      current: current, timeOf: { try self.time(of: $0, list) })
  }

  private func time(of revision: Revision, _ list: Int64) throws -> Timestamp? {
    let next = statements.nextChange
    next.bind(list, at: 1)
    next.bind(revision.previous.number, at: 2)
    return try next.firstRow { Timestamp(microseconds: next.number(1)) }
  }

  /// Removes the kept items that expire first, and leaves their IDs reserved.
  ///
  /// - Returns: the number of removed items, and of their bytes.
  func removeDeletedItems(
    of list: Int64, expiredBy time: Timestamp, limit: Int, sizeLimit: Int
  ) throws -> (count: Int, size: Int) {
    let (expired, remove) = (statements.deletedItems.expired, statements.deletedItems.removeExpired)
    for statement in [expired, remove] {
      statement.bind(list, at: 1)
      statement.bind(time.microseconds, at: 2)
    }
    expired.bind(Int64(limit), at: 3)
    var (count, size) = (0, 0)
    try expired.forEachRow {
      count += 1
      size += Int(expired.number(0))
      return size < sizeLimit
    }
    guard count > 0 else { return (0, 0) }
    remove.bind(Int64(count), at: 3)
    try remove.run()
    return (count, size)
  }

  /// - Returns: the number of IDs removed.
  private func removeDeletedIDs(of list: Int64, _ now: Timestamp, limit: Int) throws -> Int {
    let age = retention.deletedIDAge / .microseconds(1)
    let remove = statements.removeDeletedIDs
    remove.bind(list, at: 1)
    remove.bind(Int64(Double(now.microseconds) - age), at: 2)
    remove.bind(Int64(limit), at: 3)
    try remove.run()
    return statements.changeCount
  }

  /// - Returns: the number of bytes removed.
  private func removeRows(of list: Int64, upTo floor: Revision, limit: Int) throws -> Int {
    let (find, remove) = (statements.firstRetained, statements.removePast)
    find.bind(list, at: 1)
    find.bind(floor.number, at: 2)
    find.bind(Int64(limit), at: 3)
    let first = try find.firstRow { (revision: find.number(0), id: find.id(1)) }
    remove.bind(list, at: 1)
    remove.bind(first?.revision ?? floor.next.number, at: 2)
    remove.bind(first?.id.map(ItemScan.ItemBound.at) ?? .beforeAll, at: 3)
    var size = 0
    try remove.forEachRow {
      size += Int(remove.number(0))
      return true
    }
    return size
  }
}
