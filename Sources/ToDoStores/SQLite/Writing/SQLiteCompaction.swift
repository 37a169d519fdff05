import ToDoModel
import ToDoRules

/// Forgets changes that need not be kept, a bounded number at a time.
///
/// First the floor of the feed rises over whole revisions, the earliest first, up to the first that must be kept; then
/// rows that lie below it are removed. A revision of many deletions is thus forgotten at once, and removed bit by bit.
struct SQLiteCompaction {
  let statements: WriteStatements
  let retention: ChangeRetention

  /// How many revisions lie between two compactions, unless one write makes many changes.
  private static let interval: Int64 = 64
  private static let manyChanges = 16
  /// How many revisions and rows one compaction forgets, at least: as many as there can be since the last one.
  private static let step = Int(interval) * manyChanges

  /// Forgets what is due when a group has changed an owner's items.
  ///
  /// - Parameter stored: the owner's revision before the group.
  /// - Returns: the owner with the floor and the number of bytes from now on.
  func compact(
    _ owner: SQLiteItemTransaction.Owner, stored: Revision
  ) throws -> SQLiteItemTransaction.Owner {
    let isDue =
      owner.changeCount >= Self.manyChanges
      || stored.number / Self.interval != owner.revision.number / Self.interval
    guard isDue else { return owner }
    // Each change becomes one row at most, so removing twice as many rows as there are changes gets to an end.
    let limit = max(Self.step, 2 * owner.changeCount)
    var owner = owner
    // The rows of a deletion that is not complete lie above the owner's revision.
    if owner.deletion == nil { owner.floor = try raisedFloor(of: owner, limit: limit) }
    owner.byteCount -= try removeRows(of: owner, limit: limit)
    owner.byteCount -= try removeDeletedIDs(of: owner, limit: limit)
    return owner
  }

  /// Forgets all changes up to the owner's revision, and removes a bounded number of rows.
  func compactAll(_ owner: inout SQLiteItemTransaction.Owner) throws {
    owner.floor = owner.revision
    owner.byteCount -= try removeRows(of: owner, limit: Self.step)
  }

  private func raisedFloor(of owner: SQLiteItemTransaction.Owner, limit: Int) throws -> Revision {
    var floor = owner.floor
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
    // A time that the store does not write must not stop the compaction for good.
    let lowest = Timestamp.supportedRange.lowerBound
    return try retention.allowsCompaction(
      changeAt: Timestamp.supportedRange.contains(time) ? time : lowest, revision: revision, now: owner.lastChange,
      current: owner.revision, timeOf: { try self.time(of: $0, owner) })
  }

  private func time(of revision: Revision, _ owner: SQLiteItemTransaction.Owner) throws -> Timestamp? {
    let next = statements.nextChange
    next.bind(owner.number, at: 1)
    next.bind(revision.previous.number, at: 2)
    return try next.firstRow { Timestamp(microseconds: next.number(1)) }
  }

  /// - Returns: the size of what is gone.
  private func removeDeletedIDs(of owner: SQLiteItemTransaction.Owner, limit: Int) throws -> Int {
    let age = retention.deletedIDAge / .microseconds(1)
    let remove = statements.removeDeletedIDs
    remove.bind(owner.number, at: 1)
    remove.bind(Int64(Double(owner.lastChange.microseconds) - age), at: 2)
    remove.bind(Int64(limit), at: 3)
    try remove.run()
    return statements.changeCount * StoredSize.deletedID
  }

  /// - Returns: the size of what is gone.
  private func removeRows(of owner: SQLiteItemTransaction.Owner, limit: Int) throws -> Int {
    let (find, remove) = (statements.firstRetained, statements.removePast)
    find.bind(owner.number, at: 1)
    find.bind(owner.floor.number, at: 2)
    find.bind(Int64(limit), at: 3)
    let first = try find.firstRow { (revision: find.number(0), id: find.id(1)) }
    remove.bind(owner.number, at: 1)
    remove.bind(first?.revision ?? owner.floor.next.number, at: 2)
    remove.bind(first?.id.map(ItemScan.ItemBound.at) ?? .beforeAll, at: 3)
    var size = 0
    try remove.forEachRow {
      size += Int(remove.number(0))
      return true
    }
    return size
  }
}
