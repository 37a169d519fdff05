import ToDoModel
import ToDoRules
import ToDoSQLite

/// A bulk deletion that has begun and is not complete.
///
/// A deletion of many items is performed in slices, each in a transaction of its own, so that writes of other owners run
/// between them. The owner's row records the deletion until the last slice. Until then the list's revision stays, and the
/// rows of the next revision are invisible: the feed ends at the list's revision, and every other read and write of the list
/// first continues the deletion. So the deletion is atomic for every client, and it continues after a crash.
struct PendingDeletion: Equatable {
  let selection: BulkDeletion
  let time: Timestamp
  /// The time until which the deleted items are kept; `nil` to remove them.
  let expiry: Timestamp?
  /// The size of the list that copies of the deleted items do not exceed.
  let byteLimit: Int
  /// Who deletes the items.
  let origin: ChangeOrigin

  /// The maximum number of items that a slice deletes.
  static let maximumItems = 64
  /// A slice ends when it has deleted this many bytes, by `StoredSize`.
  static let maximumBytes = 64 << 10

  /// The error of reads and writes that must wait until a deletion is complete. The store handles it and never throws it.
  struct Unfinished: Error {}
}

extension PendingDeletion {
  /// The number that represents the selection in a row.
  var number: Int64 { selection == .all ? 1 : 2 }

  /// - Parameter number: `nil` if there is no deletion.
  init?(number: Int64?, time: Int64, expiry: Int64?, byteLimit: Int64?, _ origin: ChangeOrigin) {
    guard let number else { return nil }
    self.init(
      selection: number == 1 ? .all : .done, time: Timestamp(microseconds: time),
      expiry: expiry.map { Timestamp(microseconds: $0) }, byteLimit: byteLimit.map { Int($0) } ?? .max, origin: origin)
  }
}

extension SQLiteItemTransaction {
  /// Deletes a selection, or the first slice of it if the selection is large.
  ///
  /// Only a deletion that is alone in its transaction is divided. A later change of the same transaction completes it.
  func delete(
    _ selection: BulkDeletion, at time: Timestamp, restorableUntil expiry: Timestamp?, byteLimit: Int
  ) throws -> Int {
    precondition(selection != .deleted, "deleted items are removed by removeDeletedItems")
    try completeDeletion()
    guard owner.number != nil else { return 0 }
    let count = try perform { try self.count(of: selection) }
    guard count > 0 else { return 0 }
    let isDivisible = !isChanged
    owner.deletion = PendingDeletion(
      selection: selection, time: time, expiry: expiry, byteLimit: byteLimit, origin: origin)
    try deleteSlice()
    if !isDivisible { try completeDeletion() }
    return count
  }

  /// Deletes the remaining items of a deletion that this transaction began.
  func completeDeletion() throws {
    while owner.deletion != nil { try deleteSlice() }
  }

  /// Deletes the next items of the pending deletion, and ends the deletion if they are the last.
  func deleteSlice() throws {
    guard let deletion = owner.deletion else { return }
    latest = nil
    origin = deletion.origin
    try change { owner in
      let (items, isLast) = try nextItems(of: deletion.selection, owner)
      let expiry = try self.expiry(of: deletion, keeping: items)
      for item in items { try delete(item, owner, at: deletion.time, expiry) }
      changes.noteBulkDeletion(of: items.map(\.id), id)
      noteSlice(count: items.count, isLast: isLast, at: deletion.time)
    }
  }

  /// Returns the time until which a slice of a deletion keeps its items, or `nil` if the list has no room for them. Compacts the
  /// earlier changes if the list has no room for copies in the history.
  private func expiry(of deletion: PendingDeletion, keeping items: [DeletedRow]) throws -> Timestamp? {
    let size = items.reduce(0) { $0 + $1.size }
    if !owner.counters.hasRoom(forDeletionOf: items.count, size: size, within: deletion.byteLimit) {
      try compaction.compactAll(&owner)
    }
    return owner.counters.hasRoom(forDeletionOf: items.count, size: 0, within: deletion.byteLimit)
      ? deletion.expiry : nil
  }

  /// Returns the items of one slice, and whether no others are left.
  private func nextItems(of selection: BulkDeletion, _ owner: Int64) throws -> (items: [DeletedRow], isLast: Bool) {
    let next = selection == .all ? statements.firstItems : statements.firstDone
    next.bind(owner, at: 1)
    next.bind(Int64(PendingDeletion.maximumItems + 1), at: 2)
    var (items, size, isLast) = ([DeletedRow](), 0, true)
    try next.forEachRow {
      isLast = items.count < PendingDeletion.maximumItems && size < PendingDeletion.maximumBytes
      guard isLast else { return false }
      guard let id = next.id(0) else {
        throw ToDoError.storeUnavailable(detail: "a stored item has no valid identity")
      }
      items.append(DeletedRow(id: id, completedAt: next.optionalNumber(1), size: Int(next.number(2))))
      size += items[items.count - 1].size
      return true
    }
    return (items, isLast)
  }

  private func count(of selection: BulkDeletion) throws -> Int {
    guard selection == .done else { return owner.counters.itemCount }
    let count = statements.countOfDone
    count.bind(owner.number, at: 1)
    return try count.firstRow { Int(count.number(0)) } ?? 0
  }
}
