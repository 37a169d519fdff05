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

  /// Whether the caller made a change. Callers without a user are the same if their clients are.
  private func isOwn(_ change: ChangeOrigin) -> Bool {
    guard change.user == origin.user else { return false }
    return !change.user.isEmpty || !tellsClientsApart || change.clientIdentity == origin.clientIdentity
  }

  public func revertRevision(_ revision: Revision) async throws -> Reversal {
    guard revision > .initial else {
      throw ToDoError.invalidRequest([FieldViolation("revision", "is \(revision); it must be at least 1")])
    }
    try check(revision)
    try admit(1, textSize: Self.revertedBytes)
    var result = Reversal(revision: revision)
    var last: ItemID?
    while true {
      let part: RevertedPart
      do {
        part = try await settlingPart { try await revertPart(of: revision, after: last) }
      } catch let found as FoundMove {
        part = try await settlingPart {
          let (reversal, textSize) = try await revertMove(found.move, at: revision)
          return (reversal, textSize, nil)
        }
      }
      result.add(part.reversal)
      guard let next = part.next else { break }
      last = next
      // An error would make the caller repeat the reverted items.
      try await admitWhenPossible(1, textSize: Self.revertedBytes)
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

  /// The revision to revert has moved items, which takes a write to two lists.
  private struct FoundMove: Error {
    let move: ListMove
  }

  /// Reverts a part whose cost was taken before it entered the queue, and settles the difference.
  private func settlingPart(_ revert: () async throws -> RevertedPart) async throws -> RevertedPart {
    do {
      let part = try await revert()
      let count = max(part.reversal.revertedCount, 1)
      charge(count - 1, textSize: part.textSize - Self.revertedBytes)
      return part
    } catch let found as FoundMove {
      throw found
    } catch {
      charge(0, textSize: -Self.revertedBytes)
      throw error
    }
  }

  private func revertPart(of revision: Revision, after last: ItemID?) async throws -> RevertedPart {
    let body: @Sendable (any ItemTransaction, Bool) throws -> RevertedPart = { [self] transaction, isKept in
      var origin = origin
      origin.reverted = revision
      transaction.attribute(to: origin)
      if last == nil, let part = try revertOccurrence(of: revision, in: transaction, isKept: isKept) { return part }
      let (changes, hasMore) = try transaction.changes(
        of: revision, after: last, limit: Self.revertedChanges, sizeLimit: Self.revertedBytes)
      var (reversal, textSize) = (Reversal(revision: try transaction.revision.previous), 0)
      var lastReverted: ItemID?
      for change in changes where textSize < Self.revertedBytes {
        lastReverted = change.change.id
        if let refusal = try refusal(of: change, in: transaction) {
          textSize += refusal.item?.content.textSize ?? 0
          reversal.refuse(change.change.id, refusal.item, refusal.reason)
          continue
        }
        textSize += try revert(change, in: transaction, isKept: isKept).content.textSize
        reversal.revertedCount += 1
        reversal.revision = try transaction.revision
      }
      let isComplete = !hasMore && lastReverted == changes.last?.change.id
      return (reversal, textSize, isComplete ? nil : lastReverted)
    }
    // Making room for another reversal would remove the revision of a move.
    let findMove: @Sendable (any ItemTransaction) throws -> Void = { transaction in
      let changes = try transaction.changes(of: revision, after: nil, limit: 1, sizeLimit: 1).changes
      if let move = changes.first?.moved { throw FoundMove(move: move) }
    }
    return try await performDeletion(reading: ItemReads(), false, beforeMakingRoom: findMove, body).value
  }

  /// Reverts the check of an item that repeats, or the reversal of one: both items, or neither if one is refused.
  ///
  /// - Returns: `nil` if the revision has other changes.
  /// - Throws: `FoundMove` if the revision moved items.
  private func revertOccurrence(
    of revision: Revision, in transaction: any ItemTransaction, isKept: Bool
  ) throws -> RevertedPart? {
    let changes = try transaction.changes(of: revision, after: nil, limit: 3, sizeLimit: .max).changes
    if let move = changes.first?.moved { throw FoundMove(move: move) }
    guard changes.count == 2, case let (first, second) = (changes[0].change.id, changes[1].change.id),
      first.isOccurrence(of: second) || second.isOccurrence(of: first)
    else { return nil }
    var reversal = Reversal(revision: try transaction.revision.previous)
    let refusals = try changes.map { try refusal(of: $0, in: transaction) }
    if let reason = refusals.lazy.compactMap({ $0?.reason }).first {
      for (change, refusal) in zip(changes, refusals) {
        let known = try refusal?.item ?? transaction.knownItem(change.change.id)
        reversal.refuse(change.change.id, known, refusal?.reason ?? reason)
      }
      return (reversal, 0, nil)
    }
    let items = try changes.map { try revert($0, in: transaction, isKept: isKept) }
    (reversal.revertedCount, reversal.revision) = (2, try transaction.revision)
    return (reversal, items.reduce(0) { $0 + $1.content.textSize }, nil)
  }

  /// Returns the reason why a change is not reverted, with the item as it is known, or `nil` if it can be.
  private func refusal(
    of recorded: RevertibleChange, in transaction: any ItemTransaction
  ) throws -> (item: ToDoItem?, reason: Reversal.Reason)? {
    let id = recorded.change.id
    var current: ToDoItem?
    if case .present(let item, _) = try transaction.record(of: id) { current = item }
    switch recorded.change {
    case .deleted:
      if let current { return (current, .changedSince) }
      guard let deleted = try transaction.restorableItem(id, at: clock.now()) else { return (nil, .notRetained) }
      return try duplicate(of: deleted, in: transaction) == nil ? nil : (deleted, .duplicate)
    case .put(let item, let cause):
      guard let current, try transaction.hasState(of: item, current) else {
        return (try current ?? transaction.deletedItem(id) ?? item, .changedSince)
      }
      if cause == .added || cause == .restored { return nil }
      guard let former = recorded.former else { return (current, .notRetained) }
      return try duplicate(of: former, in: transaction) == nil ? nil : (current, .duplicate)
    }
  }

  /// Returns the item to its state before a change that is not refused.
  private func revert(
    _ recorded: RevertibleChange, in transaction: any ItemTransaction, isKept: Bool
  ) throws -> ToDoItem {
    let (id, now) = (recorded.change.id, clock.now())
    guard case .put(_, let cause) = recorded.change else {
      guard let deleted = try transaction.deletedItem(id) else { throw ToDoError.itemNotFound(id) }
      return try restore(deleted, in: transaction, at: now)
    }
    let current = try transaction.existingItem(id, ifRevision: nil)
    guard var former = recorded.former, cause != .added, cause != .restored else {
      try transaction.delete(id, at: now, restorableUntil: isKept ? expiry(ofDeletionAt: now) : nil)
      return current
    }
    // The user may have been told about reminders since, which the change did not concern.
    if case .put(let item, _) = recorded.change, item.reminders == former.reminders {
      former.content.reminders = current.reminders
    }
    former.updatedAt = now
    former.revision = try transaction.revision
    try checkQuota(for: former.content, in: transaction)
    let fingerprint = ContentFingerprint(of: former.content, key: store.fingerprintKey)
    try transaction.update(former, cause: .reverted, fingerprint: fingerprint)
    return former
  }
}

extension ItemTransaction {
  /// Whether an item has the same content and is done as in a recorded state. It may have changed in between.
  ///
  /// A coordinate that the service has found since is not a difference, but a candidate that a user has chosen is. The states
  /// of reminders don't count either.
  func hasState(of recorded: ToDoItem, _ item: ToDoItem) throws -> Bool {
    guard item.completedAt == recorded.completedAt else { return false }
    if item.content == recorded.content { return true }
    var (content, former) = (item.content, recorded.content)
    content.reminders = content.reminders.map(\.withoutState)
    former.reminders = former.reminders.map(\.withoutState)
    if content == former { return true }
    guard former.location?.coordinate == nil, content.location?.provenance != nil else { return false }
    content.location?.coordinate = nil
    content.location?.provenance = nil
    return try content == former && isCoordinateFound(of: item, since: recorded.revision)
  }

  /// Returns an item, even if it is deleted and was kept.
  func knownItem(_ id: ItemID) throws -> ToDoItem? {
    if case .present(let item, _) = try record(of: id) { return item }
    return try deletedItem(id)
  }

  /// Whether the last change of an item has a cause, and changed it from a revision. `false` if it is no longer retained.
  func hasChanged(_ item: ToDoItem, _ cause: PutCause, from revision: Revision) throws -> Bool {
    do {
      let page = try changes(of: item.revision, after: item.id.previous, limit: 1, sizeLimit: .max)
      guard let change = page.changes.first, case .put(let changed, cause) = change.change else { return false }
      return changed.id == item.id && change.former?.revision == revision
    } catch ToDoError.revisionCompacted { return false }
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

  mutating func refuse(_ id: ItemID, _ item: ToDoItem?, _ reason: Reason) {
    refusedCount += 1
    guard refusals.count < HistoryQuery.Limits.changes else { return }
    refusals.append(Refusal(item: id, number: item?.number, title: item?.title, reason: reason))
  }
}
