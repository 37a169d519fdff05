import ToDoModel
import ToDoRules
import ToDoSQLite

/// One write to an owner's items, in a transaction that it shares with other writes.
final class SQLiteItemTransaction {
  /// The state of an owner within a group. A write changes it.
  struct Owner {
    let name: String
    /// The number of the owner; `nil` if it has no row yet.
    var number: Int64?
    var counters = ListCounters()
    /// The account version of the last change of users or tokens that may have ended access to the list. That of a list
    /// without a row is the current account version.
    var accessVersion: Int64 = 0
    /// Whether the row must be written even if the revision stays.
    var mustBeStored = false
    /// The bulk deletion that other transactions must continue before anything else happens to the list.
    var deletion: PendingDeletion?
    /// The number of changes that the group made, and the time of the last one.
    var changeCount = 0
    var lastChange = Timestamp(microseconds: 0)
  }

  private(set) var owner: Owner
  /// The changes that the write made to items.
  private(set) var changes = ItemChanges()
  /// Who makes the changes.
  private var origin = ChangeOrigin()
  private let id: OwnerID
  private let statements: WriteStatements
  private let compaction: SQLiteCompaction
  private var isChanged = false
  /// The current state of the item that was read last. An item is read before it is changed, so it is not read again.
  private var latest: ToDoItem?
  /// Whether the write may have made changes that a rollback must undo.
  private var hasBegun = false
  private let setsSavepoint: Bool
  /// The error of a failed statement. The write fails then, even if its body continues.
  private var failure: ToDoError?

  /// - Parameter setsSavepoint: whether the write can be rolled back alone.
  init(
    on owner: Owner, _ id: OwnerID, _ statements: WriteStatements, _ compaction: SQLiteCompaction, setsSavepoint: Bool
  ) {
    self.owner = owner
    self.id = id
    self.statements = statements
    self.compaction = compaction
    self.setsSavepoint = setsSavepoint
  }

  /// Ends a write whose body returned.
  ///
  /// - Throws: the error of a failed statement that the body hid.
  func finish() throws {
    try perform {
      if hasBegun, setsSavepoint { try statements.releaseSavepoint.run() }
      if isChanged { owner.counters.revision = owner.counters.nextRevision }
    }
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
    if let failure { throw failure }
    do {
      return try body()
    } catch {
      let failure = ToDoError(error)
      self.failure = failure
      throw failure
    }
  }

  /// Performs a change. The savepoint is set before the first change, because most failing bodies throw before it.
  func change<Value>(_ body: (_ owner: Int64) throws -> Value) throws -> Value {
    try perform {
      if !hasBegun {
        if setsSavepoint { try statements.setSavepoint.run() }
        hasBegun = true
      }
      return try body(try ownerNumber())
    }
  }

  /// Records changes, which increment the revision.
  private func noteChanges(_ count: Int, at time: Timestamp) {
    guard count > 0 else { return }
    isChanged = true
    owner.changeCount += count
    owner.lastChange = time
  }

  /// Records a slice of the pending deletion. Only the last slice increments the revision.
  func noteSlice(count: Int, isLast: Bool, at time: Timestamp) {
    owner.changeCount += count
    owner.lastChange = time
    owner.mustBeStored = true
    guard isLast else { return }
    owner.deletion = nil
    isChanged = true
  }

  /// Copies the current state of an item to the history, before it is changed, so that the change can be reverted.
  private func saveToHistory(_ item: ToDoItem, _ owner: Int64) throws {
    guard try saveToHistory(item.id, owner, ifAfter: .initial) else { return }
    self.owner.counters.countFormerStates(size: StoredSize.of(item.content))
  }

  /// Copies an item's row to the history, before it is deleted, unless no reader can request it.
  ///
  /// - Returns: whether the row was copied.
  private func saveDeletedToHistory(_ id: ItemID, _ owner: Int64) throws -> Bool {
    try saveToHistory(id, owner, ifAfter: self.owner.counters.floor)
  }

  private func saveToHistory(_ id: ItemID, _ owner: Int64, ifAfter bound: Revision) throws -> Bool {
    let keep = statements.copyToHistory
    keep.bind(owner, at: 1)
    keep.bind(id, at: 2)
    keep.bind(bound.number, at: 3)
    keep.bind(revision.number, at: 4)
    try keep.run()
    return statements.changeCount == 1
  }

  /// Returns the state of an existing item before a change.
  private func currentItem(_ id: ItemID) throws -> ToDoItem {
    if let latest, latest.id == id { return latest }
    guard case .present(let item, _) = try record(of: id) else {
      preconditionFailure("only an item that is there is changed")
    }
    return item
  }

  private func ownerNumber() throws -> Int64 {
    if let number = owner.number { return number }
    statements.addOwner.bind(owner.name, at: 1)
    try statements.addOwner.run()
    owner.number = statements.lastInsertedNumber
    return statements.lastInsertedNumber
  }
}

extension SQLiteItemTransaction: ItemTransaction {
  var accessVersion: Int64 { owner.accessVersion }

  var revision: Revision { owner.counters.nextRevision }

  var nextNumber: ItemNumber { owner.counters.nextNumber }

  var itemCount: Int { owner.counters.itemCount }

  var byteCount: Int { owner.counters.byteCount }

  func compactChanges() throws {
    guard owner.number != nil else { return }
    try change { _ in
      try compaction.compactAll(&owner)
      owner.mustBeStored = true
    }
  }

  func record(of id: ItemID) throws -> ItemRecord {
    try completeDeletion()
    return try perform {
      guard let number = owner.number else { return .absent }
      let (record, deletedItem) = (statements.record, statements.deletedItem)
      record.bind(number, at: 1)
      record.bind(id, at: 2)
      let present = try record.firstRow {
        ItemRecord.present(try SQLiteItemRow.decode(record), addedAs: record.fingerprint(SQLiteItemRow.columnCount))
      }
      if let present {
        if case .present(let item, _) = present { latest = item }
        return present
      }
      deletedItem.bind(number, at: 1)
      deletedItem.bind(id, at: 2)
      return try deletedItem.firstRow { .deleted } ?? .absent
    }
  }

  func incompleteItem(matching fingerprint: ContentFingerprint) throws -> ItemID? {
    try completeDeletion()
    return try perform {
      guard let number = owner.number else { return nil }
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

  private func incompleteItem(
    _ owner: Int64, _ first: ContentFingerprint, _ last: ContentFingerprint
  ) throws -> (id: ItemID, fingerprint: ContentFingerprint?)? {
    let statement = statements.incompleteItem
    statement.bind(owner, at: 1)
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
    try change { owner in
      self.owner.counters.countInsertion(of: item)
      SQLiteItemRow.bind(item, .added, owner: owner, fingerprint: fingerprint, origin, to: statements.insert)
      try statements.insert.run()
      changes.append(.put(item, .added), replacing: nil, of: id)
      latest = item
      noteChanges(1, at: item.updatedAt)
    }
  }

  func update(_ item: ToDoItem, cause: PutCause, fingerprint: ContentFingerprint) throws {
    let replaced = try currentItem(item.id)
    try change { owner in
      self.owner.counters.countUpdate(of: replaced, to: item)
      try saveToHistory(replaced, owner)
      SQLiteItemRow.bind(item, cause, owner: owner, fingerprint: fingerprint, origin, to: statements.update)
      try statements.update.run()
      precondition(statements.changeCount == 1, "only an existing item is updated")
      changes.append(.put(item, cause), replacing: replaced, of: id)
      latest = item
      noteChanges(1, at: item.updatedAt)
    }
  }
}

extension SQLiteItemTransaction {
  func delete(_ id: ItemID, at time: Timestamp, restorableUntil expiry: Timestamp?) throws {
    let deleted = try currentItem(id)
    let deletion = ItemDeletion(id: id, wasDone: deleted.isDone, revision: revision, deletedAt: time)
    try change { owner in
      let row = DeletedRow(
        id: id, completedAt: deleted.completedAt?.microseconds, size: StoredSize.of(deleted.content))
      try delete(row, owner, at: time, expiry)
      changes.append(.deleted(deletion), replacing: deleted, of: self.id)
      latest = nil
      noteChanges(1, at: time)
    }
  }

  /// The columns of an item that its deletion requires.
  struct DeletedRow {
    let id: ItemID
    let completedAt: Int64?
    /// The size by `StoredSize`.
    let size: Int
  }

  /// Replaces an item's row by a deletion.
  ///
  /// - Parameter expiry: the time until which the item is kept; `nil` to remove it.
  func delete(_ row: DeletedRow, _ owner: Int64, at time: Timestamp, _ expiry: Timestamp?) throws {
    let isSaved = try saveDeletedToHistory(row.id, owner)
    if let expiry { try mark(statements.deletedItems.keep, row.id, owner, at: time, expiry) }
    // Removing the row comes before the other insertions, because it frees space.
    statements.delete.bind(owner, at: 1)
    statements.delete.bind(row.id, at: 2)
    try statements.delete.run()
    precondition(statements.changeCount == 1, "only an existing item is deleted")
    let addDeletion = statements.addDeletion
    addDeletion.bind(owner, at: 1)
    addDeletion.bind(row.id, at: 2)
    addDeletion.bind(revision.number, at: 3)
    addDeletion.bind(time.microseconds, at: 4)
    addDeletion.bind(row.completedAt, at: 5)
    addDeletion.bind(origin, at: 6)
    try addDeletion.run()
    if expiry == nil { try mark(statements.markDeleted, row.id, owner, at: time, nil) }
    self.owner.counters.countDeletion(of: 1, size: row.size, isKept: expiry != nil)
    self.owner.counters.countRecordedDeletions(1, formerSize: isSaved ? row.size : 0)
  }

  private func mark(
    _ statement: Statement, _ id: ItemID, _ owner: Int64, at time: Timestamp, _ expiry: Timestamp?
  ) throws {
    statement.bind(owner, at: 1)
    statement.bind(id, at: 2)
    statement.bind(revision.number, at: 3)
    statement.bind(time.microseconds, at: 4)
    if let expiry { statement.bind(expiry.microseconds, at: 5) }
    try statement.run()
  }

  func deletedItem(_ id: ItemID) throws -> ToDoItem? {
    try completeDeletion()
    return try perform {
      guard let number = owner.number else { return nil }
      let statement = statements.deletedItems.kept
      statement.bind(number, at: 1)
      statement.bind(id, at: 2)
      return try statement.firstRow { try SQLiteItemRow.decodeDeleted(statement) }
    }
  }

  func restore(_ item: ToDoItem, fingerprint: ContentFingerprint) throws {
    try completeDeletion()
    try change { owner in
      self.owner.counters.countRestoration(of: item)
      SQLiteItemRow.bind(
        item, .restored, owner: owner, fingerprint: fingerprint, origin, to: statements.deletedItems.restore)
      try statements.deletedItems.restore.run()
      statements.deletedItems.removeID.bind(owner, at: 1)
      statements.deletedItems.removeID.bind(item.id, at: 2)
      try statements.deletedItems.removeID.run()
      precondition(statements.changeCount == 1, "only a deleted item is restored")
      try removeDeletion(of: item.id, owner)
      changes.append(.put(item, .restored), replacing: nil, of: id)
      latest = item
      noteChanges(1, at: item.updatedAt)
    }
  }

  /// Removes the deletion of an item that this transaction has deleted. Only the last change of an item is recorded.
  private func removeDeletion(of id: ItemID, _ owner: Int64) throws {
    let statement = statements.deletedItems.removeDeletion
    statement.bind(owner, at: 1)
    statement.bind(revision.number, at: 2)
    statement.bind(id, at: 3)
    try statement.run()
    self.owner.counters.countRecordedDeletions(-statements.changeCount, formerSize: 0)
  }

  func removeDeletedItems(limit: Int, sizeLimit: Int) throws -> Int {
    try completeDeletion()
    guard owner.number != nil else { return 0 }
    return try change { _ in
      let removed = try compaction.removeDeletedItems(of: owner, expiredBy: .max, limit: limit, sizeLimit: sizeLimit)
      owner.counters.byteCount -= removed.size
      owner.mustBeStored = true
      return removed.count
    }
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

extension SQLiteItemTransaction: HistoryTransaction {
  func attribute(to origin: ChangeOrigin) { self.origin = origin }

  func changes(of revision: Revision, after last: ItemID?, limit: Int, sizeLimit: Int) throws -> (
    changes: [RevertibleChange], hasMore: Bool
  ) {
    try completeDeletion()
    try owner.counters.checkCanRead(revision)
    return try perform {
      guard let number = owner.number else { return ([], false) }
      let statement = statements.changesOfRevision
      statement.bind(number, at: 1)
      statement.bind(revision.number, at: 2)
      statement.bind(last.map(ItemScan.ItemBound.at) ?? .beforeAll, at: 3)
      statement.bind(Int64(limit), at: 4)
      var (changes, size) = ([RevertibleChange](), 0)
      try statement.forEachRow {
        let change = try SQLiteItemRow.decodeChange(statement)
        changes.append(RevertibleChange(change, former: try formerState(of: change, number)))
        size += changes[changes.count - 1].textSize
        return size < sizeLimit
      }
      return (changes, changes.count == limit || size >= sizeLimit)
    }
  }

  private func formerState(of change: ItemChange, _ owner: Int64) throws -> ToDoItem? {
    guard case .put = change else { return nil }
    let statement = statements.formerState
    statement.bind(owner, at: 1)
    statement.bind(change.revision.number, at: 2)
    statement.bind(change.id, at: 3)
    return try statement.firstRow { try SQLiteItemRow.decode(statement) }
  }
}

extension SQLiteItemTransaction {
  func pendingLookup(of id: ItemID) throws -> PendingLookup? {
    try perform {
      guard let number = owner.number else { return nil }
      let statement = statements.pendingLookup
      statement.bind(number, at: 1)
      statement.bind(id, at: 2)
      return try statement.firstRow {
        PendingLookup(
          owner: OwnerID(owner.name), item: id, address: statement.text(0), attempts: Int(statement.number(1)),
          due: Timestamp(microseconds: statement.number(2)))
      }
    }
  }

  func setPendingLookup(of id: ItemID, _ lookup: PendingLookup?) throws {
    try change { owner in
      let statement = lookup == nil ? statements.deletePendingLookup : statements.setPendingLookup
      statement.bind(owner, at: 1)
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
