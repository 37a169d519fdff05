public import ToDoModel

extension LocalToDoService {
  public func updateItem(
    _ id: ItemID, _ edit: ItemEdit, ifRevision: Revision?, allowingDuplicate: Bool, savingWithoutCoordinate: Bool
  ) async throws -> ToDoItem {
    guard !edit.isEmpty else {
      throw ToDoError.invalidRequest([FieldViolation("update_mask", "must name at least one field")])
    }
    try check(ifRevision)
    try writeRate?.admit(1, textSize: 0, to: owner)
    let lookup = try await lookUp(for: edit, of: id, ifRevision, required: !savingWithoutCoordinate)
    return try await change(id, .edited, ifRevision: ifRevision, allowingDuplicate: allowingDuplicate) { item, _ in
      let content = item.content.applying(edit).canonical
      try Self.rejectInvalid(content.violations(at: "item"))
      item.content = content.applying(lookup)
    } then: { [owner] item, transaction, now in
      guard let pending = PendingLookup(after: lookup, of: item, owner: owner, at: now) else { return }
      try transaction.setPendingLookup(of: id, pending)
    }
  }

  public func checkItem(_ id: ItemID, ifRevision: Revision?) async throws -> ToDoItem {
    try writeRate?.admit(1, textSize: 0, to: owner)
    return try await change(id, .checked, ifRevision: ifRevision, allowingDuplicate: true) { item, now in
      if !item.isDone { item.completedAt = now }
    }
  }

  public func uncheckItem(_ id: ItemID, ifRevision: Revision?, allowingDuplicate: Bool) async throws -> ToDoItem {
    try writeRate?.admit(1, textSize: 0, to: owner)
    return try await change(id, .unchecked, ifRevision: ifRevision, allowingDuplicate: allowingDuplicate) { item, _ in
      item.completedAt = nil
    }
  }

  /// A change of an item at a time.
  private typealias Edit = @Sendable (inout ToDoItem, Timestamp) throws -> Void

  /// Changes an existing item, and stores it only if `edit` changed anything.
  ///
  /// - Parameter then: receives the changed item, in the same transaction.
  private func change(
    _ id: ItemID, _ cause: PutCause, ifRevision: Revision?, allowingDuplicate: Bool, _ edit: @escaping Edit,
    then: @escaping @Sendable (ToDoItem, any ItemTransaction, Timestamp) throws -> Void = { _, _, _ in }
  ) async throws -> ToDoItem {
    try check(ifRevision)
    let reads = allowingDuplicate ? ItemReads(ids: [id]) : try await reads(of: id, expecting: edit)
    let item = try await writeWithinQuota(reading: reads) { [self, key = store.fingerprintKey] transaction in
      let item = try transaction.existingItem(id, ifRevision: ifRevision)
      let now = clock.now()
      var changed = item
      try edit(&changed, now)
      try then(changed, transaction, now)
      guard changed != item else { return item }
      if !allowingDuplicate, let existing = try duplicate(of: changed, in: transaction) {
        throw ToDoError.duplicateItem(id, existing: existing)
      }
      changed.updatedAt = now
      changed.revision = try transaction.revision
      try checkQuota(for: changed.content, in: transaction)
      let fingerprint = ContentFingerprint(of: changed.content, key: key)
      try transaction.update(changed, cause: cause, fingerprint: fingerprint)
      return changed
    }
    // The whole item was stored, even if only a part of it changed.
    writeRate?.charge(0, textSize: item.content.textSize, to: owner)
    return item
  }

  /// Returns what a change of an item reads if no other write changes the item before.
  private func reads(of id: ItemID, expecting edit: Edit) async throws -> ItemReads {
    var reads = ItemReads(ids: [id])
    // The transaction rejects an item that does not exist, and an edit that is invalid.
    guard let item = try await store.item(id, of: owner) else { return reads }
    var changed = item
    guard (try? edit(&changed, clock.now())) != nil, changed != item, !changed.isDone else { return reads }
    reads.fingerprints = [ContentFingerprint(of: changed.content, key: store.fingerprintKey)]
    return reads
  }
}
