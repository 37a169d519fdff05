import ToDoModel
import ToDoRules
import ToDoSQLite

/// One write to a list, in a transaction that it shares with other writes.
///
/// It follows the rules of `WriteLedger`. It writes the rows of an operation at once, because a statement costs no round trip.
final class SQLiteItemTransaction {
  /// The effects of the write on the list's row and on its history.
  private(set) var write: WriteLedger
  /// The list's number; `nil` if it has no row yet.
  private(set) var number: Int64?
  /// The bulk deletion that other transactions must continue before anything else happens to the list.
  private(set) var deletion: PendingDeletion?
  /// The items of bulk deletions.
  private(set) var bulkDeleted: [ItemID] = []
  let owner: OwnerID
  let accessVersion: Int64
  private let statements: WriteStatements
  private let compaction: SQLiteCompaction
  /// The record that was read last. An item is read before it is changed, so it is not read again.
  private var latest: (id: ItemID, record: StoredRecord)?
  /// Whether the write may have made changes that a rollback must undo.
  private var hasBegun = false
  private let setsSavepoint: Bool
  /// The error of a failed statement. The write fails then, even if its body continues.
  private var failure: ToDoError?
  /// The transaction of the same write on another list.
  private weak var other: SQLiteItemTransaction?

  /// - Parameter setsSavepoint: whether the write can be rolled back alone.
  init(on list: SQLiteList, _ statements: WriteStatements, _ compaction: SQLiteCompaction, setsSavepoint: Bool) {
    owner = list.owner
    number = list.number
    deletion = list.deletion
    accessVersion = list.accessVersion
    write = WriteLedger(on: list.ledger.row)
    self.statements = statements
    self.compaction = compaction
    self.setsSavepoint = setsSavepoint
  }

  /// Makes the statements fail after one for the write's other list has failed.
  func fail(with other: SQLiteItemTransaction) { self.other = other }

  /// Ends a write whose body returned.
  ///
  /// - Throws: the error of a failed statement that the body hid.
  func finish() throws {
    try perform { if hasBegun, setsSavepoint { try statements.releaseSavepoint.run() } }
  }

  /// Rolls back the changes of the write after its body threw.
  ///
  /// - Returns: false if the write made changes and set no savepoint. The whole group must be rolled back then.
  func rollBack() throws -> Bool {
    guard hasBegun else { return true }
    guard setsSavepoint else { return false }
    try statements.rollBackToSavepoint.run()
    try statements.releaseSavepoint.run()
    return true
  }

  /// Runs statements. After a failure, it rethrows the failure without running any.
  func perform<Value>(_ body: () throws -> Value) throws -> Value {
    if let failure = failure ?? other?.failure { throw failure }
    do {
      return try body()
    } catch {
      let failure = ToDoError(error)
      self.failure = failure
      throw failure
    }
  }

  /// Performs a change. The savepoint is set before the first change, because most failing bodies throw before it.
  func change<Value>(_ body: (_ list: Int64) throws -> Value) throws -> Value {
    try perform {
      if !hasBegun {
        if setsSavepoint { try statements.setSavepoint.run() }
        hasBegun = true
      }
      return try body(try listNumber())
    }
  }

  private func listNumber() throws -> Int64 {
    if let number { return number }
    statements.addOwner.bind(owner.name, at: 1)
    try statements.addOwner.run()
    number = statements.lastInsertedNumber
    return statements.lastInsertedNumber
  }
}

extension SQLiteItemTransaction: ItemTransaction {
  var isListAvailable: Bool {
    get throws {
      guard let list = owner.list else { return true }
      return try perform {
        let statement = statements.availableList
        statement.bind(list.description, at: 1)
        return try statement.firstRow { true } ?? false
      }
    }
  }

  var revision: Revision { write.revision }

  var nextNumber: ItemNumber { write.row.nextNumber }

  var itemCount: Int { write.row.itemCount }

  var byteCount: Int { write.row.byteCount }

  func compactChanges() throws {
    guard number != nil else { return }
    try change { list in try compaction.compactAll(list, &write.row) }
  }

  func record(of id: ItemID) throws -> ItemRecord {
    try completeDeletion()
    return try perform {
      guard let number else { return .absent }
      let (record, deletedItem) = (statements.record, statements.deletedItem)
      record.bind(number, at: 1)
      record.bind(id, at: 2)
      let present = try record.firstRow {
        StoredRecord.present(try SQLiteItemRow.decode(record), addedAs: record.fingerprint(SQLiteItemRow.columnCount))
      }
      if let present {
        latest = (id, present)
        return try present.itemRecord
      }
      deletedItem.bind(number, at: 1)
      deletedItem.bind(id, at: 2)
      return try deletedItem.firstRow { .deleted } ?? .absent
    }
  }

  func deletedItem(_ id: ItemID) throws -> ToDoItem? {
    try completeDeletion()
    return try perform {
      guard let number else { return nil }
      let statement = statements.deletedItems.kept
      statement.bind(number, at: 1)
      statement.bind(id, at: 2)
      let item = try statement.firstRow { try SQLiteItemRow.decodeDeleted(statement) }
      // The statement that restores the item copies the fingerprint.
      if let item { latest = (id, .kept(item, addedAs: nil)) }
      return item
    }
  }

  /// Returns the record of an item that is changed, after `read` if it was not read last.
  private func record(of id: ItemID, reading read: (ItemID) throws -> Void) throws -> StoredRecord {
    if latest?.id != id { try read(id) }
    guard let latest, latest.id == id else { return .absent }
    return latest.record
  }

  func incompleteItem(matching fingerprint: ContentFingerprint) throws -> ItemID? {
    try completeDeletion()
    return try perform {
      guard let number else { return nil }
      // One range contains all matches, and mostly nothing else. The exact ranges are searched only if its first item does not
      // match, so that the time does not depend on the number of items that differ by little.
      let (first, last) = fingerprint.matchingRange
      guard let candidate = try incompleteItem(number, first, last) else { return nil }
      if candidate.fingerprint?.matches(fingerprint) == true { return candidate.id }
      for (first, last) in fingerprint.matchingRanges {
        if let match = try incompleteItem(number, first, last) { return match.id }
      }
      return nil
    }
  }

  func incompleteItems(matching fingerprint: ContentFingerprint, limit: Int) throws -> [ItemID] {
    try completeDeletion()
    return try perform {
      guard let number else { return [] }
      return try fingerprint.matchingRanges.reduce(into: []) { ids, range in
        ids += try statements.connection.rows(
          ItemSQL.incompleteItems, [number, range.first.storedBytes, range.last.storedBytes, limit - ids.count]
        ) { row in
          guard let id = row.id(0) else {
            throw ToDoError.storeUnavailable(detail: "a stored item has no valid identity")
          }
          return id
        }
      }
    }
  }

  private func incompleteItem(
    _ list: Int64, _ first: ContentFingerprint, _ last: ContentFingerprint
  ) throws -> (id: ItemID, fingerprint: ContentFingerprint?)? {
    let statement = statements.incompleteItem
    statement.bind(list, at: 1)
    statement.bind(first, at: 2)
    statement.bind(last, at: 3)
    return try statement.firstRow {
      guard let id = statement.id(0) else {
        throw ToDoError.storeUnavailable(detail: "a stored item has no valid identity")
      }
      return (id, statement.fingerprint(1))
    }
  }

  func insert(_ item: ToDoItem, fingerprint: ContentFingerprint) throws {
    try completeDeletion()
    try change { list in try store(write.insert(item, fingerprint: fingerprint), list) }
  }

  func reinsert(_ item: ToDoItem, fingerprint: ContentFingerprint) throws {
    try completeDeletion()
    try change { list in try store(write.reinsert(item, fingerprint: fingerprint), list) }
  }

  func update(_ item: ToDoItem, cause: PutCause, fingerprint: ContentFingerprint) throws {
    let (current, addedAs) = try record(of: item.id) { _ = try record(of: $0) }.current
    try change { list in
      let rows = write.update(item, cause: cause, fingerprint: fingerprint, current: current, addedAs: addedAs)
      try store(rows, list)
    }
  }

  func delete(_ id: ItemID, at time: Timestamp, restorableUntil expiry: Timestamp?) throws {
    let (item, addedAs) = try record(of: id) { _ = try record(of: $0) }.current
    try change { list in
      try store(write.delete(item, addedAs: addedAs, at: time, restorableUntil: expiry), list)
    }
  }

  func restore(_ item: ToDoItem, fingerprint: ContentFingerprint) throws {
    try completeDeletion()
    let (kept, addedAs) = try record(of: item.id) { _ = try deletedItem($0) }.restorable
    try change { list in
      try store(write.restore(item, fingerprint: fingerprint, kept: kept, addedAs: addedAs), list)
    }
  }

  func removeDeletedItems(limit: Int, sizeLimit: Int) throws -> Int {
    try completeDeletion()
    guard number != nil else { return 0 }
    latest = nil
    return try change { list in
      let removed = try compaction.removeDeletedItems(of: list, expiredBy: .max, limit: limit, sizeLimit: sizeLimit)
      write.row.byteCount -= removed.size
      return removed.count
    }
  }
}

// MARK: - Rows

extension SQLiteItemTransaction {
  /// Writes the rows of an operation.
  private func store(_ rows: ChangedRows, _ list: Int64) throws {
    let item = rows.item
    switch item.state {
    case .present where item.isNew: try put(rows, statements.insert, list)
    case .present where rows.isReinserted:
      try put(rows, statements.insert, list)
      try removeReservation(of: item.item.id, list)
    case .present where rows.isRestored: try restoreRow(rows, list)
    case .present:
      _ = try saveToHistory(item.item.id, list, ifAfter: .initial)
      try put(rows, statements.update, list)
      precondition(statements.changeCount == 1, "only an existing item is updated")
    case .kept(let time, let expiry):
      _ = try deleteRow(item.item.id, list, completedAt: item.item.completedAt, at: time, expiry)
    case .reserved(let time):
      _ = try deleteRow(item.item.id, list, completedAt: item.item.completedAt, at: time, nil)
    }
    latest = (item.item.id, StoredRecord(item))
  }

  /// Writes the row of an item.
  private func put(_ rows: ChangedRows, _ statement: Statement, _ list: Int64) throws {
    guard case .put(let item, let cause) = rows.change.change, let fingerprint = rows.item.fingerprint else {
      preconditionFailure("a deletion has statements of its own")
    }
    SQLiteItemRow.bind(item, cause, owner: list, fingerprint: fingerprint, rows.change.origin, to: statement)
    try statement.run()
  }

  /// Replaces a deleted item's row by the restored item's.
  private func restoreRow(_ rows: ChangedRows, _ list: Int64) throws {
    let id = rows.item.item.id
    try put(rows, statements.deletedItems.restore, list)
    try removeReservation(of: id, list)
    let removeDeletion = statements.deletedItems.removeDeletion
    // Only the last change of an item is recorded.
    removeDeletion.bind(list, at: 1)
    removeDeletion.bind(revision.number, at: 2)
    removeDeletion.bind(id, at: 3)
    try removeDeletion.run()
    // The ledger does not know the changes of a bulk deletion.
    if !rows.isRepeated { write.row.countRecordedDeletions(-statements.changeCount, formerSize: 0) }
  }

  /// Removes the row for a deleted item or a reserved ID.
  private func removeReservation(of id: ItemID, _ list: Int64) throws {
    let removeID = statements.deletedItems.removeID
    removeID.bind(list, at: 1)
    removeID.bind(id, at: 2)
    try removeID.run()
    precondition(statements.changeCount == 1, "only a deleted item becomes an item again")
  }

  /// Replaces an item's row by a deletion.
  ///
  /// - Parameter expiry: the time until which the item is kept; `nil` to remove it.
  /// - Returns: whether the row was copied to the history: not if no reader can request it.
  private func deleteRow(
    _ id: ItemID, _ list: Int64, completedAt: Timestamp?, at time: Timestamp, _ expiry: Timestamp?
  ) throws -> Bool {
    let isSaved = try saveToHistory(id, list, ifAfter: write.row.floor)
    if let expiry { try mark(statements.deletedItems.keep, id, list, at: time, expiry) }
    // Removing the row comes before the other insertions, because it frees space.
    statements.delete.bind(list, at: 1)
    statements.delete.bind(id, at: 2)
    try statements.delete.run()
    precondition(statements.changeCount == 1, "only an existing item is deleted")
    let addDeletion = statements.addDeletion
    addDeletion.bind(list, at: 1)
    addDeletion.bind(id, at: 2)
    addDeletion.bind(revision.number, at: 3)
    addDeletion.bind(time.microseconds, at: 4)
    addDeletion.bind(completedAt?.microseconds, at: 5)
    addDeletion.bind(write.origin, at: 6)
    try addDeletion.run()
    if expiry == nil { try mark(statements.markDeleted, id, list, at: time, nil) }
    return isSaved
  }

  private func mark(
    _ statement: Statement, _ id: ItemID, _ list: Int64, at time: Timestamp, _ expiry: Timestamp?
  ) throws {
    statement.bind(list, at: 1)
    statement.bind(id, at: 2)
    statement.bind(revision.number, at: 3)
    statement.bind(time.microseconds, at: 4)
    if let expiry { statement.bind(expiry.microseconds, at: 5) }
    try statement.run()
  }

  /// Copies an item's row to the history, before it is changed, if it is later than a revision and not of this write.
  ///
  /// - Returns: whether the row was copied.
  private func saveToHistory(_ id: ItemID, _ list: Int64, ifAfter bound: Revision) throws -> Bool {
    let keep = statements.copyToHistory
    keep.bind(list, at: 1)
    keep.bind(id, at: 2)
    keep.bind(bound.number, at: 3)
    keep.bind(revision.number, at: 4)
    try keep.run()
    return statements.changeCount == 1
  }
}

// MARK: - Bulk deletion

extension SQLiteItemTransaction {
  /// Deletes a selection, or the first slice of it if the selection is large.
  ///
  /// Only a deletion that is alone in its transaction is divided. A later change of the same transaction completes it.
  func delete(
    _ selection: BulkDeletion, at time: Timestamp, restorableUntil expiry: Timestamp?, byteLimit: Int
  ) throws -> Int {
    precondition(selection != .deleted, "deleted items are removed by removeDeletedItems")
    try completeDeletion()
    guard number != nil else { return 0 }
    let count = try perform { try self.count(of: selection) }
    guard count > 0 else { return 0 }
    let isDivisible = !write.isChange
    deletion = PendingDeletion(
      selection: selection, time: time, expiry: expiry, byteLimit: byteLimit, origin: write.origin)
    try deleteSlice()
    if !isDivisible { try completeDeletion() }
    return count
  }

  /// Deletes the remaining items of a deletion that this transaction began.
  func completeDeletion() throws {
    while deletion != nil { try deleteSlice() }
  }

  /// Deletes the next items of the pending deletion, and ends the deletion if they are the last.
  func deleteSlice() throws {
    guard let deletion else { return }
    latest = nil
    write.origin = deletion.origin
    try change { list in
      let (items, isLast) = try nextItems(of: deletion.selection, list)
      let size = items.reduce(0) { $0 + $1.size }
      let expiry = try expiry(of: deletion, items.count, size: size, list)
      var formerSize = 0
      for item in items
      where try deleteRow(item.id, list, completedAt: item.completedAt, at: deletion.time, expiry) {
        formerSize += item.size
      }
      bulkDeleted += items.map(\.id)
      write.countBulkDeletion(
        of: items.count, size: size, formerSize: formerSize, isKept: expiry != nil, at: deletion.time)
      if isLast { endDeletion() }
    }
  }

  /// Ends the pending deletion with the items that are deleted so far. Only then the revision increases.
  func endDeletion() {
    guard let deletion else { return }
    write.endBulkDeletion(nil, at: deletion.time)
    self.deletion = nil
  }

  /// Returns the time until which a slice of a deletion keeps its items, or `nil` if the list has no room for them. Compacts the
  /// earlier changes if the list has no room for copies in the history.
  private func expiry(
    of deletion: PendingDeletion, _ count: Int, size: Int, _ list: Int64
  ) throws -> Timestamp? {
    if !write.row.hasRoom(forDeletionOf: count, size: size, within: deletion.byteLimit) {
      try compaction.compactAll(list, &write.row)
    }
    return write.row.hasRoom(forDeletionOf: count, size: 0, within: deletion.byteLimit) ? deletion.expiry : nil
  }

  /// The columns of an item that its deletion requires.
  private struct DeletedRow {
    let id: ItemID
    let completedAt: Timestamp?
    /// The size by `StoredSize`.
    let size: Int
  }

  /// Returns the items of one slice, and whether no others are left.
  private func nextItems(of selection: BulkDeletion, _ list: Int64) throws -> (items: [DeletedRow], isLast: Bool) {
    let next = selection == .all ? statements.firstItems : statements.firstDone
    next.bind(list, at: 1)
    next.bind(Int64(PendingDeletion.maximumItems + 1), at: 2)
    var (items, size, isLast) = ([DeletedRow](), 0, true)
    try next.forEachRow {
      isLast = items.count < PendingDeletion.maximumItems && size < PendingDeletion.maximumBytes
      guard isLast else { return false }
      guard let id = next.id(0) else {
        throw ToDoError.storeUnavailable(detail: "a stored item has no valid identity")
      }
      items.append(
        DeletedRow(
          id: id, completedAt: next.optionalNumber(1).map { Timestamp(microseconds: $0) }, size: Int(next.number(2))))
      size += items[items.count - 1].size
      return true
    }
    return (items, isLast)
  }

  private func count(of selection: BulkDeletion) throws -> Int {
    guard selection == .done else { return write.row.itemCount }
    let count = statements.countOfDone
    count.bind(number, at: 1)
    return try count.firstRow { Int(count.number(0)) } ?? 0
  }
}

extension SQLiteItemTransaction: HistoryTransaction {
  func attribute(to origin: ChangeOrigin) { write.origin = origin }

  func changes(of revision: Revision, after last: ItemID?, limit: Int, sizeLimit: Int) throws -> (
    changes: [RevertibleChange], hasMore: Bool
  ) {
    try completeDeletion()
    try write.row.checkCanRead(revision)
    return try perform {
      guard let number else { return ([], false) }
      let statement = statements.changesOfRevision
      statement.bind(number, at: 1)
      statement.bind(revision.number, at: 2)
      statement.bind(last.map(ItemScan.ItemBound.at) ?? .beforeAll, at: 3)
      statement.bind(Int64(limit), at: 4)
      var (changes, size) = ([RevertibleChange](), 0)
      try statement.forEachRow {
        let change = try SQLiteItemRow.decodeChange(statement)
        let moved = statement.optionalText(SQLiteItemRow.columnCount).flatMap { ListMove(storedText: $0) }
        changes.append(RevertibleChange(change, former: try formerState(of: change, number), moved: moved))
        size += changes[changes.count - 1].textSize
        return size < sizeLimit
      }
      return (changes, changes.count == limit || size >= sizeLimit)
    }
  }

  private func formerState(of change: ItemChange, _ list: Int64) throws -> ToDoItem? {
    guard case .put = change else { return nil }
    let statement = statements.formerState
    statement.bind(list, at: 1)
    statement.bind(change.revision.number, at: 2)
    statement.bind(change.id, at: 3)
    return try statement.firstRow { try SQLiteItemRow.decode(statement) }
  }
}

extension SQLiteItemTransaction {
  func pendingLookup(of id: ItemID) throws -> PendingLookup? {
    try perform {
      guard let number else { return nil }
      let statement = statements.pendingLookup
      statement.bind(number, at: 1)
      statement.bind(id, at: 2)
      return try statement.firstRow {
        PendingLookup(
          owner: owner, item: id, address: statement.text(0), attempts: Int(statement.number(1)),
          due: Timestamp(microseconds: statement.number(2)))
      }
    }
  }

  func setPendingLookup(of id: ItemID, _ lookup: PendingLookup?) throws {
    try change { list in
      let statement = lookup == nil ? statements.deletePendingLookup : statements.setPendingLookup
      statement.bind(list, at: 1)
      statement.bind(id, at: 2)
      if let lookup {
        statement.bind(lookup.address, at: 3)
        statement.bind(Int64(lookup.attempts), at: 4)
        statement.bind(lookup.due.microseconds, at: 5)
      }
      try statement.run()
    }
  }
}
