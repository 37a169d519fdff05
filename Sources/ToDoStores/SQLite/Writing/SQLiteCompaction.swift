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
  /// The minimum bound of revisions and rows of one compaction: the maximum number of changes since the last compaction.
  private static let step = Int(interval) * manyChanges

  /// Compacts the changes that are due, after a group has changed an owner's items.
  ///
  /// - Parameter stored: the owner's revision before the group.
  /// - Returns: the owner with the new floor and number of bytes.
  func compact(
    _ owner: SQLiteItemTransaction.Owner, stored: Revision
  ) throws -> SQLiteItemTransaction.Owner {
    let isDue =
      owner.changeCount >= Self.manyChanges
      || stored.number / Self.interval != owner.counters.revision.number / Self.interval
    guard isDue else { return owner }
    // Each change adds at most one row, so removing twice as many rows as there are changes catches up.
    let limit = max(Self.step, 2 * owner.changeCount)
    var owner = owner
    // The rows of a deletion that is not complete lie above the owner's revision.
    if owner.deletion == nil { owner.counters.floor = try raisedFloor(of: owner, limit: limit) }
    owner.counters.byteCount -= try removeRows(of: owner, limit: limit)
    owner.counters.byteCount -= try removeDeletedItems(
      of: owner, expiredBy: owner.lastChange, limit: limit, sizeLimit: .max
    )
    .size
    owner.counters.countRemoval(ofReservedIDs: try removeDeletedIDs(of: owner, limit: limit))
    return owner
  }

  /// Compacts all changes up to the owner's revision, and removes a bounded number of rows.
  func compactAll(_ owner: inout SQLiteItemTransaction.Owner) throws {
    owner.counters.floor = owner.counters.revision
    owner.counters.byteCount -= try removeRows(of: owner, limit: Self.step)
  }

  private func raisedFloor(of owner: SQLiteItemTransaction.Owner, limit: Int) throws -> Revision {
    var floor = owner.counters.floor
    let next = statements.nextChange
    for _ in 0..<limit {
      next.bind(owner.number, at: 1)
      next.bind(floor.number, at: 2)
      let change = try next.firstRow { (revision: Revision(next.number(0)), time: next.number(1)) }
      guard let change, try allowsCompaction(change.revision, change.time, of: owner) else { break }
      floor = change.revision
    }
    return floor
  }

  private func allowsCompaction(
    _ revision: Revision, _ time: Int64, of owner: SQLiteItemTransaction.Owner
  ) throws -> Bool {
    let time = Timestamp(microseconds: time)
    // An invalid stored time must not stop compaction forever.
    let lowest = Timestamp.supportedRange.lowerBound
    return try retention.allowsCompaction(
      changeAt: Timestamp.supportedRange.contains(time) ? time : lowest, revision: revision, now: owner.lastChange,
      current: owner.counters.revision, timeOf: { try self.time(of: $0, owner) })
  }

  private func time(of revision: Revision, _ owner: SQLiteItemTransaction.Owner) throws -> Timestamp? {
    let next = statements.nextChange
    next.bind(owner.number, at: 1)
    next.bind(revision.previous.number, at: 2)
    return try next.firstRow { Timestamp(microseconds: next.number(1)) }
  }

  /// Removes the kept items that expire first, and leaves their IDs reserved.
  ///
  /// - Returns: the number of removed items, and of their bytes.
  func removeDeletedItems(
    of owner: SQLiteItemTransaction.Owner, expiredBy time: Timestamp, limit: Int, sizeLimit: Int
  ) throws -> (count: Int, size: Int) {
    let (expired, remove) = (statements.deletedItems.expired, statements.deletedItems.removeExpired)
    for statement in [expired, remove] {
      statement.bind(owner.number, at: 1)
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
  private func removeDeletedIDs(of owner: SQLiteItemTransaction.Owner, limit: Int) throws -> Int {
    let age = retention.deletedIDAge / .microseconds(1)
    let remove = statements.removeDeletedIDs
    remove.bind(owner.number, at: 1)
    remove.bind(Int64(Double(owner.lastChange.microseconds) - age), at: 2)
    remove.bind(Int64(limit), at: 3)
    try remove.run()
    return statements.changeCount
  }

  /// - Returns: the number of bytes removed.
  private func removeRows(of owner: SQLiteItemTransaction.Owner, limit: Int) throws -> Int {
    let (find, remove) = (statements.firstRetained, statements.removePast)
    find.bind(owner.number, at: 1)
    find.bind(owner.counters.floor.number, at: 2)
    find.bind(Int64(limit), at: 3)
    let first = try find.firstRow { (revision: find.number(0), id: find.id(1)) }
    remove.bind(owner.number, at: 1)
    remove.bind(first?.revision ?? owner.counters.floor.next.number, at: 2)
    remove.bind(first?.id.map(ItemScan.ItemBound.at) ?? .beforeAll, at: 3)
    var size = 0
    try remove.forEachRow {
      size += Int(remove.number(0))
      return true
    }
    return size
  }
}
