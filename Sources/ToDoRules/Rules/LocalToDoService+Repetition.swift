import ToDoModel

extension LocalToDoService {
  /// Returns the violation of a repetition with an unknown time zone. Finding the zone may read a file.
  func zoneViolations(of repetition: Repetition?, at path: String) -> [FieldViolation] {
    // Another name is a violation of the content.
    guard let repetition, ZoneName.isValid(repetition.timeZone), timeZones.rules(of: repetition.timeZone) == nil else {
      return []
    }
    return [
      FieldViolation("\(path).repetition.time_zone", "is \(repetition.timeZone), which this service does not know")
    ]
  }

  // MARK: Checking

  /// Completes an incomplete item. An item that repeats moves on to its next occurrence instead, if there is one.
  func complete(_ item: inout ToDoItem, at now: Timestamp) throws {
    guard !item.isDone else { return }
    guard let repetition = item.repetition, let zone = try zone(of: repetition),
      let next = repetition.next(after: item.due, now: now, in: zone)
    else {
      item.completedAt = now
      return
    }
    item.content = item.content.moved(on: next, now: now, in: zone)
  }

  private func zone(of repetition: Repetition) throws -> (any TimeZoneRules)? {
    guard let zone = timeZones.rules(of: repetition.timeZone) else {
      throw ToDoError.invalidItem(zoneViolations(of: repetition, at: "item"))
    }
    return zone
  }

  /// Adds the done item of an occurrence that a check completes.
  ///
  /// - Parameter item: the item as it was before the check.
  func addOccurrence(of item: ToDoItem, in transaction: any ItemTransaction, at now: Timestamp) throws {
    guard try transaction.itemCount < itemLimit else { throw ToDoError.listFull(limit: itemLimit) }
    let id = occurrenceID(of: item.id, at: item.revision)
    guard case .absent = try transaction.record(of: id) else { throw ToDoError.itemIDConflict(id) }
    var content = item.content
    content.repetition = nil
    let occurrence = ToDoItem(
      id: id, number: try transaction.nextNumber, content: content, createdAt: now, updatedAt: now, completedAt: now,
      revision: try transaction.revision)
    try checkQuota(for: content, in: transaction)
    try transaction.insert(occurrence, fingerprint: ContentFingerprint(of: content, key: store.fingerprintKey))
  }

  /// Returns the ID of the done item that a check adds for an occurrence. A repeated check is recognized by it.
  ///
  /// The key keeps a client from adding another item with that ID first, and the time of the item's ID keeps both near each
  /// other in the stores.
  ///
  /// - Parameter revision: the revision of the item before the check.
  func occurrenceID(of id: ItemID, at revision: Revision) -> ItemID {
    var hash = SipHash128(keyLow: store.fingerprintKey.low, high: store.fingerprintKey.high)
    hash.combine(owner.name)
    for number in [Int64(bitPattern: id.high), Int64(bitPattern: id.low), revision.number] { hash.combine(number) }
    let (low, high) = hash.finish()
    // A UUID of version 8 (RFC 9562, section 5.8).
    return ItemID(
      high: id.high & 0xFFFF_FFFF_FFFF_0000 | 0x8000 | high & 0xFFF, low: 0x8000_0000_0000_0000 | low >> 2)
  }

  /// Whether an item was checked at a revision, so that a done item was added for the occurrence.
  func hasChecked(_ id: ItemID, at revision: Revision) async throws -> Bool {
    try await store.item(occurrenceID(of: id, at: revision), of: owner) != nil
  }

  // MARK: Unchecking

  /// Reverts the check that added a done item for an occurrence, if both items are as the check left them.
  ///
  /// - Returns: the item that repeats, or `nil` if the item is not such an occurrence.
  func uncheckOccurrence(_ id: ItemID, ifRevision: Revision?, allowingDuplicate: Bool) async throws -> ToDoItem? {
    guard let item = try await store.item(id, of: owner), item.isUnchangedOccurrence else { return nil }
    try check(ifRevision)
    let reverted = try await writeWithinQuota(reading: ItemReads(ids: [id])) { [self] transaction -> ToDoItem? in
      let occurrence = try transaction.existingItem(id, ifRevision: ifRevision)
      guard let check = try transaction.check(thatAdded: occurrence),
        occurrenceID(of: check.former.id, at: check.former.revision) == id
      else { return nil }
      if !allowingDuplicate, let existing = try duplicate(of: check.former, in: transaction) {
        throw ToDoError.duplicateItem(check.former.id, existing: existing)
      }
      return try revert(check.former, occurrence, in: transaction)
    }
    if let reverted { writeRate?.charge(1, textSize: reverted.content.textSize, to: rateOwner) }
    return reverted
  }

  private func revert(
    _ former: ToDoItem, _ occurrence: ToDoItem, in transaction: any ItemTransaction
  ) throws -> ToDoItem {
    let now = clock.now()
    var (origin, item) = (origin, former)
    origin.reverted = occurrence.revision
    transaction.attribute(to: origin)
    try checkQuota(for: item.content, in: transaction)
    try transaction.delete(occurrence.id, at: now, restorableUntil: expiry(ofDeletionAt: now))
    (item.updatedAt, item.revision) = (now, try transaction.revision)
    let fingerprint = ContentFingerprint(of: item.content, key: store.fingerprintKey)
    try transaction.update(item, cause: .reverted, fingerprint: fingerprint)
    return item
  }
}

extension ToDoItem {
  /// Whether the item may be the done item of an occurrence, which was added as done and has not changed since.
  fileprivate var isUnchangedOccurrence: Bool {
    completedAt == createdAt && updatedAt == createdAt && repetition == nil
  }
}

extension ItemTransaction {
  /// Returns an item's states before and after the check that added a done item for an occurrence. Returns `nil` if there is
  /// no such check, if it is no longer retained, or if the item has changed since.
  fileprivate func check(thatAdded occurrence: ToDoItem) throws -> (former: ToDoItem, item: ToDoItem)? {
    guard occurrence.isUnchangedOccurrence else { return nil }
    let changes: [RevertibleChange]
    do {
      changes = try self.changes(of: occurrence.revision, after: nil, limit: 3, sizeLimit: .max).changes
    } catch ToDoError.revisionCompacted { return nil }
    guard changes.count == 2, let change = changes.first(where: { $0.change.id != occurrence.id }),
      case .put(let item, .checked) = change.change, let former = change.former,
      case .present(let current, _) = try record(of: item.id), try hasState(of: item, current)
    else { return nil }
    return (former, item)
  }
}
