public import ToDoModel

extension LocalToDoService {
  public func updateItem(
    _ id: ItemID, _ edit: ItemEdit, ifRevision: Revision?, options: SaveOptions
  ) async throws -> ToDoItem {
    guard !edit.isEmpty else {
      throw ToDoError.invalidRequest([FieldViolation("update_mask", "must name at least one field")])
    }
    try check(ifRevision)
    try admit(1, textSize: 0)
    if edit.repetition != .keep || edit.reminders != nil {
      let repetition: Repetition? = if case .set(let repetition) = edit.repetition { repetition } else { nil }
      try Self.rejectInvalid(zoneViolations(of: repetition, edit.reminders ?? [], at: "item"))
    }
    let lookup = try await lookUp(for: edit, of: id, ifRevision, required: !options.savesWithoutCoordinate)
    return try await change(id, .edited, ifRevision: ifRevision, allowingDuplicate: options.allowsDuplicate) {
      [self] item, _ in
      let content = keepingOccurrence(of: item.content, in: item.content.applying(edit).canonical)
      try Self.rejectInvalid(content.violations(at: "item"))
      item.content = content.applying(lookup)
    } then: { [owner] _, item, transaction, now in
      guard let pending = PendingLookup(after: lookup, of: item, owner: owner, at: now) else { return false }
      try transaction.setPendingLookup(of: id, pending)
      return false
    }
  }

  public func checkItem(_ id: ItemID, ifRevision: Revision?) async throws -> ToDoItem {
    try admit(1, textSize: 0)
    // The next occurrence is searched only for the item that has the revision.
    let item = try await change(
      id, .checked, ifRevision: ifRevision, allowingDuplicate: true, expecting: { _, _ in },
      unlessRepeated: { [self] in try hasChecked($0, at: $1, in: $2) }
    ) { [self] item, now in
      try complete(&item, at: now)
    } then: { [self] former, item, transaction, now in
      guard !former.isDone, !item.isDone else { return false }
      return try addOccurrence(of: former, in: transaction, at: now)
    }
    if !item.isDone { charge(1, textSize: item.content.textSize) }
    return item
  }

  public func uncheckItem(_ id: ItemID, ifRevision: Revision?, allowingDuplicate: Bool) async throws -> ToDoItem {
    try admit(1, textSize: 0)
    if let item = try await uncheckOccurrence(id, ifRevision: ifRevision, allowingDuplicate: allowingDuplicate) {
      return item
    }
    return try await change(
      id, .unchecked, ifRevision: ifRevision, allowingDuplicate: allowingDuplicate,
      unlessRepeated: { try !$0.isDone && $2.hasChanged($0, .unchecked, from: $1) }
    ) { item, _ in
      item.completedAt = nil
    }
  }

  /// A change of an item at a time.
  private typealias Edit = @Sendable (inout ToDoItem, Timestamp) throws -> Void

  /// Completes a change, given the item before and after it. Returns whether it has changed another item.
  private typealias Completion = @Sendable (_ former: ToDoItem, ToDoItem, any ItemTransaction, Timestamp) throws -> Bool

  /// Whether a change was made at a revision, so that a repeated request for it changes nothing.
  private typealias Repeated = @Sendable (ToDoItem, Revision, any ItemTransaction) throws -> Bool

  /// Changes an existing item, and stores it only if `edit` or `then` changed anything.
  ///
  /// - Parameters:
  ///   - expectation: returns the item whose size is charged before the write; `nil` for the item that `edit` leaves.
  ///   - isRepeated: whether the item, which is not at `ifRevision`, is returned as it is.
  ///   - then: runs in the same transaction.
  private func change(
    _ id: ItemID, _ cause: PutCause, ifRevision: Revision?, allowingDuplicate: Bool,
    expecting expectation: Edit? = nil, unlessRepeated isRepeated: @escaping Repeated = { _, _, _ in false },
    _ edit: @escaping Edit,
    then: @escaping Completion = { _, _, _, _ in false }
  ) async throws -> ToDoItem {
    try check(ifRevision)
    // The cost of the write, and its fingerprint, which finds duplicates.
    let expected = try await expectedItem(id, expectation ?? edit, onlyIfCached: allowingDuplicate && writeRate == nil)
    var reads = ItemReads(ids: [id])
    if !allowingDuplicate, let expected, expected.isChanged, !expected.item.isDone {
      reads.fingerprints = [ContentFingerprint(of: expected.item.content, key: store.fingerprintKey)]
    }
    return try await settling(expected?.item.content.textSize ?? 0) { [reads] in
      try await writeWithinQuota(reading: reads) { [self, key = store.fingerprintKey] transaction in
        let item = try transaction.existingItem(id, ifRevision: nil)
        if let ifRevision, ifRevision != item.revision {
          guard try isRepeated(item, ifRevision, transaction) else {
            throw ToDoError.revisionMismatch(id, current: item.revision)
          }
          return item
        }
        let now = clock.now()
        var changed = item
        try edit(&changed, now)
        let isPartOfChange = try then(item, changed, transaction, now)
        guard !changed.isIdentical(to: item) || isPartOfChange else { return item }
        if !allowingDuplicate, !changed.isEqualExceptMarks(to: item),
          let existing = try duplicate(of: changed, in: transaction)
        {
          throw ToDoError.duplicateItem(id, existing: existing)
        }
        changed.updatedAt = now
        changed.revision = try transaction.revision
        try checkQuota(for: changed.content, in: transaction)
        let fingerprint = ContentFingerprint(of: changed.content, key: key)
        try transaction.update(changed, cause: cause, fingerprint: fingerprint)
        return changed
      }
    }
  }

  /// Runs a write of one item, and charges the whole item's text: the expected size before the write enters the queue, so
  /// that calls in flight count, and the difference afterwards.
  func settling(_ expected: Int, _ write: () async throws -> ToDoItem) async throws -> ToDoItem {
    guard writeRate != nil else { return try await write() }
    charge(0, textSize: expected)
    do {
      let item = try await write()
      charge(0, textSize: item.content.textSize - expected)
      return item
    } catch {
      charge(0, textSize: -expected)
      throw error
    }
  }

  /// Returns an item as a change leaves it if no other write changes the item before, or `nil` if the item does not exist or
  /// the change is invalid, which the transaction rejects.
  ///
  /// - Parameter onlyIfCached: whether to use the item only if it is cached.
  private func expectedItem(
    _ id: ItemID, _ edit: Edit, onlyIfCached: Bool
  ) async throws -> (item: ToDoItem, isChanged: Bool)? {
    let item = onlyIfCached ? store.cachedItem(id, of: owner) : try await store.item(id, of: owner)
    guard var changed = item, (try? edit(&changed, clock.now())) != nil else { return nil }
    return (changed, changed != item)
  }
}

extension ToDoItem {
  /// Whether both differ at most in fields that do not distinguish duplicates.
  fileprivate func isEqualExceptMarks(to other: ToDoItem) -> Bool {
    var other = other
    other.content.copyMarks(of: content)
    return self == other
  }
}

extension ToDoItem {
  /// Whether the item equals another one, and each text has the same bytes. Equal texts can have different bytes, such as two
  /// forms of one letter with an accent.
  fileprivate func isIdentical(to other: ToDoItem) -> Bool {
    self == other && content.texts.elementsEqual(other.content.texts) { $0.hasSameBytes(as: $1) }
  }
}
