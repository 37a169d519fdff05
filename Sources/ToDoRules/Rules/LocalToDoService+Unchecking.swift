import ToDoModel

extension LocalToDoService {
  /// Reverts the check that added a done item for an occurrence, if both items are as the check left them.
  ///
  /// The quota does not count, because the check has added more; what exceeds it is compacted afterwards.
  ///
  /// - Returns: the item that repeats, even if the check was reverted before. `nil` if the item is not such an occurrence.
  func uncheckOccurrence(_ id: ItemID, ifRevision: Revision?, allowingDuplicate: Bool) async throws -> ToDoItem? {
    guard id.isOccurrence else { return nil }
    if let item = try await store.item(id, of: owner), !item.isUnchangedOccurrence { return nil }
    try check(ifRevision)
    let reverted = try await write(reading: ItemReads(ids: [id])) { [self] transaction in
      try revertCheck(of: id, ifRevision: ifRevision, allowingDuplicate: allowingDuplicate, in: transaction)
    }
    guard let reverted else { return nil }
    if reverted.isChanged { charge(1, textSize: reverted.item.content.textSize) }
    if reverted.exceedsQuota { try await compactChanges() }
    return reverted.item
  }

  /// The item that repeats, whether it was changed now, and whether the list may exceed its quota.
  private typealias RevertedCheck = (item: ToDoItem, isChanged: Bool, exceedsQuota: Bool)

  private func revertCheck(
    of id: ItemID, ifRevision: Revision?, allowingDuplicate: Bool, in transaction: any ItemTransaction
  ) throws -> RevertedCheck? {
    guard case .present = try transaction.record(of: id) else {
      return try itemUnchecked(before: id, ifRevision: ifRevision, in: transaction).map { ($0, false, false) }
    }
    let occurrence = try transaction.existingItem(id, ifRevision: ifRevision)
    guard let check = try transaction.check(thatAdded: occurrence),
      occurrenceID(of: check.former.id, at: check.former.revision) == id
    else { return nil }
    if !allowingDuplicate, let existing = try duplicate(of: check.former, in: transaction) {
      throw ToDoError.duplicateItem(check.former.id, existing: existing)
    }
    let size = StoredSize.of(check.former.content) + StoredSize.deletion
    let exceedsQuota = try transaction.byteCount + size > byteLimit
    return (try revert(check.former, occurrence, in: transaction), true, exceedsQuota)
  }

  private func revert(
    _ former: ToDoItem, _ occurrence: ToDoItem, in transaction: any ItemTransaction
  ) throws -> ToDoItem {
    // Not attributed as a reversal, so that an undo reverts this change, and not the one before the check.
    let now = clock.now()
    var item = former
    try transaction.delete(occurrence.id, at: now, restorableUntil: expiry(ofDeletionAt: now))
    (item.updatedAt, item.revision) = (now, try transaction.revision)
    let fingerprint = ContentFingerprint(of: item.content, key: store.fingerprintKey)
    try transaction.update(item, cause: .unchecked, fingerprint: fingerprint)
    return item
  }

  /// Returns the item that repeats if an uncheck has deleted the occurrence, which had the revision, and both are retained.
  private func itemUnchecked(
    before id: ItemID, ifRevision: Revision?, in transaction: any ItemTransaction
  ) throws -> ToDoItem? {
    guard let deleted = try transaction.deletedItem(id),
      let change = try transaction.retainedChanges(of: deleted.revision).first(where: { $0.change.id != id }),
      case .put(let item, .unchecked) = change.change, let moved = change.former,
      ifRevision == nil || ifRevision == moved.revision,
      let check = try transaction.retainedChanges(of: moved.revision).first(where: { $0.change.id == item.id }),
      let former = check.former, occurrenceID(of: item.id, at: former.revision) == id,
      case .present(let current, _) = try transaction.record(of: item.id)
    else { return nil }
    return current
  }
}

extension ItemTransaction {
  /// Returns an item's states before and after the check that added a done item for an occurrence. Returns `nil` if there is
  /// no such check, if it is no longer retained, or if the item has changed since.
  fileprivate func check(thatAdded occurrence: ToDoItem) throws -> (former: ToDoItem, item: ToDoItem)? {
    guard occurrence.isUnchangedOccurrence else { return nil }
    let changes = try retainedChanges(of: occurrence.revision)
    guard changes.count == 2, let change = changes.first(where: { $0.change.id != occurrence.id }),
      case .put(let item, .checked) = change.change, let former = change.former,
      case .present(let current, _) = try record(of: item.id), try hasState(of: item, current)
    else { return nil }
    return (former, item)
  }

  /// Returns the first three changes of a revision; none if they are no longer retained.
  fileprivate func retainedChanges(of revision: Revision) throws -> [RevertibleChange] {
    do { return try changes(of: revision, after: nil, limit: 3, sizeLimit: .max).changes } catch ToDoError
      .revisionCompacted
    {
      return []
    }
  }
}
