import ToDoModel
import ToDoRules
import ToDoSQLite

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
      ItemRow.bind(item, .added, owner: owner, fingerprint: fingerprint, origin, to: statements.insert)
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
      ItemRow.bind(item, cause, owner: owner, fingerprint: fingerprint, origin, to: statements.update)
      try statements.update.run()
      precondition(statements.changeCount == 1, "only an existing item is updated")
      changes.append(.put(item, cause), replacing: replaced, of: id)
      latest = item
      noteChanges(1, at: item.updatedAt)
    }
  }
}
