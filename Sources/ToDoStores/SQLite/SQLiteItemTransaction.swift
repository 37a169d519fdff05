import ToDoModel

/// One write on an owner's items, inside a transaction that it shares with other writes.
final class SQLiteItemTransaction {
  /// What the group knows of an owner, changed by the write.
  struct Owner {
    let name: String
    /// `nil` for an owner that has no row yet.
    var number: Int64?
    var revision: Revision
    /// The earliest revision that the feed can be asked after.
    var floor: Revision
    var itemCount = 0
    /// By `StoredSize`.
    var byteCount = 0
    /// Whether changes were forgotten, so that the row must be written even if no item changed.
    var hasForgotten = false
    /// How many changes the group made, and the time of the last.
    var changeCount = 0
    var lastChange = Timestamp(microseconds: 0)
  }

  private(set) var owner: Owner
  /// What became of the items.
  private(set) var changes = ItemChanges()
  private let id: OwnerID
  let statements: WriteStatements
  private let compaction: SQLiteCompaction
  private var isChanged = false
  /// The item that was looked up last, as it is now. Whoever changes an item has looked it up.
  private var latest: ToDoItem?
  /// Whether something may have been done that would have to be taken back.
  private var hasBegun = false
  private let setsSavepoint: Bool
  /// Why a statement failed. The write is lost then, even if its body goes on.
  private var failure: ToDoError?

  /// - Parameter setsSavepoint: whether it can be taken back by itself.
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
  /// - Throws: when a statement failed and the body hid it.
  func finish() throws {
    try perform {
      if hasBegun, setsSavepoint { try statements.releaseSavepoint.run() }
      if isChanged { owner.revision = owner.revision.next }
    }
  }

  /// Takes back what the write did, after its body threw.
  ///
  /// - Returns: false when it did something and set no savepoint, so that only all writes can be taken back.
  func undo() throws -> Bool {
    guard hasBegun else { return true }
    guard setsSavepoint else { return false }
    try statements.rollBackToSavepoint.run()
    try statements.releaseSavepoint.run()
    return true
  }

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

  /// Performs a change, with the savepoint before the first: most bodies throw before they change anything.
  func change<Value>(_ body: (_ owner: Int64) throws -> Value) throws -> Value {
    try perform {
      if !hasBegun {
        if setsSavepoint { try statements.setSavepoint.run() }
        hasBegun = true
      }
      return try body(try ownerNumber())
    }
  }

  private func noteChanges(_ count: Int, at time: Timestamp) {
    guard count > 0 else { return }
    isChanged = true
    owner.changeCount += count
    owner.lastChange = time
  }

  /// Keeps an item as it is, before it becomes something else or is deleted.
  private func keepPast(_ item: ToDoItem, _ owner: Int64) throws {
    let keep = statements.keepItem
    keep.bind(owner, at: 1)
    keep.bind(item.id, at: 2)
    keep.bind(self.owner.floor.number, at: 3)
    keep.bind(revision.number, at: 4)
    try keep.run()
    if statements.changeCount == 1 { self.owner.byteCount += StoredSize.of(item.content) }
  }

  /// The item as it is before a change of it.
  private func presentItem(_ id: ItemID) throws -> ToDoItem {
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
  var revision: Revision { owner.revision.next }

  var itemCount: Int { owner.itemCount }

  var byteCount: Int { owner.byteCount }

  func forgetChanges() throws {
    guard owner.number != nil else { return }
    try change { _ in
      try compaction.forgetAll(&owner)
      owner.hasForgotten = true
    }
  }

  func record(of id: ItemID) throws -> ItemRecord {
    try perform {
      guard let number = owner.number else { return .absent }
      let (record, deletedItem) = (statements.record, statements.deletedItem)
      record.bind(number, at: 1)
      record.bind(id, at: 2)
      let present = try record.firstRow {
        ItemRecord.present(try ItemRow.decode(record), addedAs: record.fingerprint(ItemRow.columnCount))
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

  func undoneItem(matching fingerprint: ContentFingerprint) throws -> ItemID? {
    try perform {
      guard let number = owner.number else { return nil }
      // One range holds all that match, and mostly nothing else. Only if it does, the exact ones are searched: so the time
      // does not depend on how many items differ by little.
      let (first, last) = fingerprint.matchingRange
      guard let candidate = try undoneItem(number, first, last) else { return nil }
      if candidate.fingerprint?.matches(fingerprint) == true { return candidate.id }
      for (first, last) in fingerprint.matchingRanges {
        if let match = try undoneItem(number, first, last) { return match.id }
      }
      return nil
    }
  }

  private func undoneItem(
    _ owner: Int64, _ first: ContentFingerprint, _ last: ContentFingerprint
  ) throws -> (id: ItemID, fingerprint: ContentFingerprint?)? {
    let statement = statements.undoneItem
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
    precondition(item.revision == revision, "a changed item bears the transaction's revision")
    try change { owner in
      ItemRow.bind(item, .added, owner: owner, fingerprint: fingerprint, to: statements.insert)
      try statements.insert.run()
      self.owner.itemCount += 1
      self.owner.byteCount += StoredSize.of(item.content)
      changes.append(.put(item, .added), replacing: nil, of: id)
      latest = item
      noteChanges(1, at: item.updatedAt)
    }
  }

  func update(_ item: ToDoItem, cause: PutCause, fingerprint: ContentFingerprint) throws {
    precondition(item.revision == revision, "a changed item bears the transaction's revision")
    let replaced = try presentItem(item.id)
    try change { owner in
      try keepPast(replaced, owner)
      ItemRow.bind(item, cause, owner: owner, fingerprint: fingerprint, to: statements.update)
      try statements.update.run()
      precondition(statements.changeCount == 1, "only an item that is there is updated")
      self.owner.byteCount += StoredSize.of(item.content) - StoredSize.of(replaced.content)
      changes.append(.put(item, cause), replacing: replaced, of: id)
      latest = item
      noteChanges(1, at: item.updatedAt)
    }
  }

  func delete(_ id: ItemID, at time: Timestamp) throws {
    let deleted = try presentItem(id)
    let deletion = ItemDeletion(id: id, wasDone: deleted.isDone, revision: revision, deletedAt: time)
    try change { owner in
      try keepPast(deleted, owner)
      // First what makes room.
      statements.delete.bind(owner, at: 1)
      statements.delete.bind(id, at: 2)
      try statements.delete.run()
      precondition(statements.changeCount == 1, "only an item that is there is deleted")
      let addDeletion = statements.addDeletion
      addDeletion.bind(owner, at: 1)
      addDeletion.bind(id, at: 2)
      addDeletion.bind(revision.number, at: 3)
      addDeletion.bind(time.microseconds, at: 4)
      addDeletion.bind(deleted.completedAt?.microseconds, at: 5)
      try addDeletion.run()
      statements.markDeleted.bind(owner, at: 1)
      statements.markDeleted.bind(id, at: 2)
      statements.markDeleted.bind(revision.number, at: 3)
      statements.markDeleted.bind(time.microseconds, at: 4)
      try statements.markDeleted.run()
      self.owner.itemCount -= 1
      self.owner.byteCount += StoredSize.row + StoredSize.deletedID - StoredSize.of(deleted.content)
      changes.append(.deleted(deletion), replacing: deleted, of: self.id)
      latest = nil
      noteChanges(1, at: time)
    }
  }

  func delete(_ selection: BulkDeletion, at time: Timestamp) throws -> Int {
    guard owner.number != nil else { return 0 }
    let (size, keep, add, mark, delete) =
      switch selection {
      case .all:
        (
          statements.sizeOfAll, statements.keepAll, statements.addAllDeletions, statements.markAllDeleted,
          statements.deleteAll
        )
      case .done:
        (
          statements.sizeOfDone, statements.keepDone, statements.addDoneDeletions, statements.markDoneDeleted,
          statements.deleteDone
        )
      }
    return try change { owner in
      for statement in [size, keep] {
        statement.bind(owner, at: 1)
        statement.bind(self.owner.floor.number, at: 2)
        statement.bind(revision.number, at: 3)
      }
      let growth = try size.firstRow { Int(size.optionalDouble(1) ?? 0) - Int(size.optionalDouble(0) ?? 0) } ?? 0
      try keep.run()
      for statement in [add, mark] {
        statement.bind(owner, at: 1)
        statement.bind(revision.number, at: 2)
        statement.bind(time.microseconds, at: 3)
        try statement.run()
      }
      delete.bind(owner, at: 1)
      try delete.run()
      let count = statements.changeCount
      self.owner.itemCount -= count
      self.owner.byteCount += growth + count * (StoredSize.row + StoredSize.deletedID)
      if count > 0 { changes.noteBulkDeletion(of: id) }
      latest = nil
      noteChanges(count, at: time)
      return count
    }
  }
}
