public import ToDoModel

extension LocalToDoService {
  public func history(_ query: HistoryQuery) async throws -> HistoryPage {
    var violations: [FieldViolation] = []
    if let before = query.before, before < Revision(1) {
      violations.append(FieldViolation("before_revision", "is \(before); it must be at least 1"))
    }
    if let size = query.pageSize, size < 1 {
      violations.append(FieldViolation("page_size", "is \(size); it must be at least 1"))
    }
    guard violations.isEmpty else { throw ToDoError.invalidRequest(violations) }
    try check(query.before)
    let limit = min(query.pageSize ?? HistoryQuery.Limits.defaultPageSize, HistoryQuery.Limits.pageSize)
    let selection = HistorySelection(before: query.before, item: query.item, limit: limit)
    let listing = try await store.history(selection, of: owner)
    let revisions = listing.revisions.map { record in
      var record = record
      record.revision = stamped(record.revision)
      record.isOwn = isOwn(record.origin)
      return record
    }
    return HistoryPage(revisions: revisions, hasMore: listing.hasMore)
  }

  /// Whether the caller made a change. A user is always the same; callers without users are, if their clients are.
  private func isOwn(_ change: ChangeOrigin) -> Bool {
    guard change.user == origin.user else { return false }
    return !change.user.isEmpty || !tellsClientsApart || change.clientIdentity == origin.clientIdentity
  }

  public func revertRevision(_ revision: Revision) async throws -> Reversal {
    guard revision > .initial else {
      throw ToDoError.invalidRequest([FieldViolation("revision", "is \(revision); it must be at least 1")])
    }
    try check(revision)
    try writeRate?.admit(1, textSize: Self.revertedBytes, to: rateOwner)
    var result = Reversal(revision: revision)
    var last: ItemID?
    while true {
      let part = try await revertAdmittedPart(of: revision, after: last)
      result.add(part.reversal)
      guard let next = part.next else { break }
      last = next
      // An error would make the caller repeat the reverted items.
      try await writeRate?.admitWhenPossible(1, textSize: Self.revertedBytes, to: rateOwner)
    }
    result.revision = stamped(result.revision)
    return result
  }

  /// The number of changes that one transaction reverts, so that writes of other owners run between two transactions.
  private static let revertedChanges = 64
  /// A transaction ends when it has reverted this many bytes of text. The cost with which it is admitted.
  private static let revertedBytes = 64 << 10

  /// The result of one transaction. `next` is the last item if there may be more.
  private typealias RevertedPart = (reversal: Reversal, textSize: Int, next: ItemID?)

  /// Reverts a part whose maximum cost was taken before it entered the queue, and settles the difference.
  private func revertAdmittedPart(of revision: Revision, after last: ItemID?) async throws -> RevertedPart {
    do {
      let part = try await revertPart(of: revision, after: last)
      let count = max(part.reversal.revertedCount, 1)
      writeRate?.charge(count - 1, textSize: part.textSize - Self.revertedBytes, to: rateOwner)
      return part
    } catch {
      writeRate?.charge(0, textSize: -Self.revertedBytes, to: rateOwner)
      throw error
    }
  }

  private func revertPart(of revision: Revision, after last: ItemID?) async throws -> RevertedPart {
    let body: @Sendable (any ItemTransaction, Bool) throws -> RevertedPart = { [self] transaction, isKept in
      var origin = origin
      origin.reverted = revision
      transaction.attribute(to: origin)
      let (changes, hasMore) = try transaction.changes(
        of: revision, after: last, limit: Self.revertedChanges, sizeLimit: Self.revertedBytes)
      var (reversal, textSize) = (Reversal(revision: try transaction.revision.previous), 0)
      var lastReverted: ItemID?
      for change in changes where textSize < Self.revertedBytes {
        lastReverted = change.change.id
        let result = try revert(change, in: transaction, isKept: isKept)
        textSize += result.item?.content.textSize ?? 0
        guard let reason = result.refusal else {
          reversal.revertedCount += 1
          reversal.revision = try transaction.revision
          continue
        }
        reversal.refuse(change.change.id, result.item, reason)
      }
      let isComplete = !hasMore && lastReverted == changes.last?.change.id
      return (reversal, textSize, isComplete ? nil : lastReverted)
    }
    return try await performDeletion(reading: ItemReads(), false, body).value
  }

  /// Returns the item to its state before a change, unless the item is refused.
  ///
  /// - Returns: the item as it is known, and the reason of a refusal.
  private func revert(
    _ recorded: RevertibleChange, in transaction: any ItemTransaction, isKept: Bool
  ) throws -> (item: ToDoItem?, refusal: Reversal.Reason?) {
    let (id, now) = (recorded.change.id, clock.now())
    var current: ToDoItem?
    if case .present(let item, _) = try transaction.record(of: id) { current = item }
    switch recorded.change {
    case .deleted:
      if let current { return (current, .changedSince) }
      guard let deleted = try transaction.restorableItem(id, at: now) else { return (nil, .notRetained) }
      guard try duplicate(of: deleted, in: transaction) == nil else { return (deleted, .duplicate) }
      return (try restore(deleted, in: transaction, at: now), nil)
    case .put(let item, let cause):
      guard let current, try transaction.hasState(of: item, current) else {
        return (try current ?? transaction.deletedItem(id) ?? item, .changedSince)
      }
      if cause == .added || cause == .restored {
        try transaction.delete(id, at: now, restorableUntil: isKept ? expiry(ofDeletionAt: now) : nil)
        return (current, nil)
      }
      guard var former = recorded.former else { return (current, .notRetained) }
      guard try duplicate(of: former, in: transaction) == nil else { return (current, .duplicate) }
      former.updatedAt = now
      former.revision = try transaction.revision
      try checkQuota(for: former.content, in: transaction)
      let fingerprint = ContentFingerprint(of: former.content, key: store.fingerprintKey)
      try transaction.update(former, cause: .reverted, fingerprint: fingerprint)
      return (former, nil)
    }
  }
}

extension ItemTransaction {
  /// Whether an item has the same content and is done as in a recorded state. It may have changed in between.
  ///
  /// A coordinate that the service has found since is not a difference, but a candidate that a user has chosen is.
  func hasState(of recorded: ToDoItem, _ item: ToDoItem) throws -> Bool {
    guard item.completedAt == recorded.completedAt else { return false }
    if item.content == recorded.content { return true }
    guard recorded.location?.coordinate == nil, item.location?.provenance != nil else { return false }
    var content = item.content
    content.location?.coordinate = nil
    content.location?.provenance = nil
    return try content == recorded.content && isCoordinateFound(of: item, since: recorded.revision)
  }

  /// Whether the service has found the coordinate of an item after a revision at which the item had none.
  private func isCoordinateFound(of item: ToDoItem, since revision: Revision) throws -> Bool {
    var state = item
    // Each step is a read of the store, and a revert can concern many items.
    for _ in 0..<8 where state.revision > revision {
      let page = try changes(of: state.revision, after: item.id.previous, limit: 1, sizeLimit: .max)
      guard let change = page.changes.first, change.change.id == item.id, case .put(_, let cause) = change.change,
        let former = change.former
      else { return false }
      guard former.location?.coordinate == state.location?.coordinate else { return cause == .located }
      state = former
    }
    return false
  }
}

extension ItemID {
  /// The ID before this one; `nil` for the first.
  fileprivate var previous: ItemID? {
    low > 0 ? ItemID(high: high, low: low - 1) : high > 0 ? ItemID(high: high - 1, low: .max) : nil
  }
}

extension Reversal {
  fileprivate mutating func add(_ part: Reversal) {
    revision = part.revision
    revertedCount += part.revertedCount
    refusedCount += part.refusedCount
    refusals += part.refusals.prefix(HistoryQuery.Limits.changes - refusals.count)
  }

  fileprivate mutating func refuse(_ id: ItemID, _ item: ToDoItem?, _ reason: Reason) {
    refusedCount += 1
    guard refusals.count < HistoryQuery.Limits.changes else { return }
    refusals.append(Refusal(item: id, number: item?.number, title: item?.title, reason: reason))
  }
}
