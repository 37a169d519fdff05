import ToDoModel

extension LocalToDoService {
  /// Moves items to another list of the same user.
  ///
  /// - Throws: `ToDoError`, as `ToDoListService.moveItems(_:from:to:allowingDuplicate:)` does.
  func moveItems(_ ids: [ItemID], to target: LocalToDoService, allowingDuplicate: Bool) async throws -> [ToDoItem] {
    let expected = try await items(ids)
    let size = expected.reduce(0) { $0 + $1.content.textSize }
    try Transfer.checkSize(size)
    try admitMove(to: target, ids.count, textSize: size)
    var reads = ItemReads(ids: ids)
    if !allowingDuplicate {
      let key = store.fingerprintKey
      reads.fingerprints = expected.filter { !$0.isDone }.map { ContentFingerprint(of: $0.content, key: key) }
    }
    return try await target.attributed(to: origin, under: right).makingRoom { [reads] in
      try await write(with: target, reading: reads) { [self] here, there in
        let transfer = Transfer(source: Side(self, here), target: Side(target, there), time: clock.now())
        return try transfer.move(ids, as: origin, allowingDuplicate: allowingDuplicate)
      }
    }
  }

  /// Returns the items of the list that have some IDs. A store can combine reads that run concurrently.
  private func items(_ ids: [ItemID]) async throws -> [ToDoItem] {
    try await withThrowingTaskGroup(of: ToDoItem?.self) { group in
      for id in ids { group.addTask { [store, owner] in try await store.item(id, of: owner) } }
      return try await group.reduce(into: []) { items, item in if let item { items.append(item) } }
    }
  }

  /// Admits a move, which counts once in the rate of each user whom it concerns.
  ///
  /// - Throws: `ToDoError.notPermitted`, `ToDoError.writeRateExceeded`.
  private func admitMove(to target: LocalToDoService, _ itemCount: Int, textSize: Int) throws {
    try target.membership?.checkRole()
    let other = otherRateOwner(of: target)
    if let other { try writeRate?.admit(0, textSize: 0, to: other) }
    try admit(itemCount, textSize: textSize)
    if let other { writeRate?.charge(itemCount, textSize: textSize, to: other) }
  }

  /// The owner in whose write rate a move counts as well, if the other list is another user's than this one.
  private func otherRateOwner(of other: LocalToDoService) -> OwnerID? {
    other.membership.flatMap { $0.owner == membership?.owner ? nil : $0.rateOwner }
  }

  /// Runs a write to this list and another one of the same user, for as long as the caller has the right to change them.
  private func write<Value: Sendable>(
    with other: LocalToDoService, reading reads: ItemReads,
    _ body: @escaping @Sendable (any ItemTransaction, any ItemTransaction) throws -> Value
  ) async throws -> Value {
    var (right, here, there) = (right, membership, other.membership)
    while true {
      do {
        return try await store.write(owner, other.owner, reading: reads) {
          [right, source = here, target = there] here, there in
          try right?.check(in: here)
          try right?.check(in: there)
          try source?.check(in: here)
          try target?.check(in: there)
          try furtherList?.checkAvailability(in: here)
          try other.furtherList?.checkAvailability(in: there)
          return try body(here, there)
        }
      } catch is WriteRight.Outdated {
        right = try await right?.renewed()
        (here, there) = (try await here?.renewed(), try await there?.renewed())
      }
    }
  }

  /// Moves the items of a move back, unless they have changed since.
  ///
  /// - Parameters:
  ///   - move: the other list, as this list's revision records it.
  ///   - revision: the revision of this list.
  /// - Returns: the result, and the size of the items that it concerns.
  /// - Throws: `ToDoError.listNotFound` if the other list no longer exists, or is the default list of another user.
  func revertMove(_ move: ListMove, at revision: Revision) async throws -> (reversal: Reversal, textSize: Int) {
    guard let others else { throw ToDoError.listNotFound(move.list) }
    let other = try await others.items(in: move.list, of: defaultList)
    let otherRateOwner = otherRateOwner(of: other)
    if let otherRateOwner { try writeRate?.admit(0, textSize: 0, to: otherRateOwner) }
    let isOwn = move.list.isDefault ? try await isOwnMove(at: revision) : true
    let reverted = try await write(with: other, reading: ItemReads()) { [self] here, there in
      let (own, opposite) = (Side(self, here), Side(other, there))
      try checkOther(of: move, at: revision, isOwn: isOwn, in: there)
      let ids = try here.changes(of: revision, after: nil, limit: UserList.Limits.movedItems, sizeLimit: .max)
        .changes.map(\.change.id)
      var origin = origin
      (origin.reverted, origin.moved) = (move.revision, ListMove(list: listID, revision: try here.revision))
      there.attribute(to: origin)
      (origin.reverted, origin.moved) = (revision, ListMove(list: move.list, revision: try there.revision))
      here.attribute(to: origin)
      let arrivals = try own.arrivals(at: revision)
      let transfer =
        arrivals.isEmpty
        ? Transfer(source: opposite, target: own, time: clock.now())
        : Transfer(source: own, target: opposite, time: clock.now())
      let states = arrivals.isEmpty ? try opposite.arrivals(at: move.revision) : arrivals
      return try transfer.moveBack(ids, states, at: arrivals.isEmpty ? move.revision : revision, reporting: here)
    }
    if let otherRateOwner {
      writeRate?.charge(reverted.reversal.revertedCount, textSize: reverted.textSize, to: otherRateOwner)
    }
    return reverted
  }

  /// Whether the caller moved the items of a revision, or a caller without a user, when the list was shared with nobody.
  private func isOwnMove(at revision: Revision) async throws -> Bool {
    let selection = HistorySelection(before: revision.next, limit: 1)
    guard let record = try await store.history(selection, of: owner).revisions.first,
      record.revision.number == revision.number
    else { return false }
    return record.origin.user.isEmpty || record.origin.user == origin.user
  }

  /// Checks that the caller's default list is that of a move. The default lists of all users have the same ID, and another user
  /// may have moved items of a shared list.
  ///
  /// - Parameter isOwn: whether the caller moved the items, which decides if the default list no longer has the changes.
  private func checkOther(
    of move: ListMove, at revision: Revision, isOwn: Bool, in other: any ItemTransaction
  ) throws {
    guard move.list.isDefault else { return }
    let moved: ListMove?
    do {
      moved = try other.changes(of: move.revision, after: nil, limit: 1, sizeLimit: .max).changes.first?.moved
    } catch ToDoError.revisionInFuture { moved = nil } catch ToDoError.revisionCompacted {
      if membership == nil, isOwn { return }
      moved = nil
    }
    guard moved == ListMove(list: listID, revision: revision) else { throw ToDoError.listNotFound(move.list) }
  }
}

/// One of the two lists between which a write moves items.
private struct Side {
  let list: LocalToDoService
  let transaction: any ItemTransaction

  init(_ list: LocalToDoService, _ transaction: any ItemTransaction) {
    self.list = list
    self.transaction = transaction
  }

  /// The items that a revision added, as it added them. None if it is no longer retained.
  func arrivals(at revision: Revision) throws -> [ItemID: ToDoItem] {
    do {
      let page = try transaction.changes(
        of: revision, after: nil, limit: UserList.Limits.movedItems, sizeLimit: .max)
      return page.changes.reduce(into: [:]) { if case .put(let item, .added) = $1.change { $0[item.id] = item } }
    } catch ToDoError.revisionCompacted { return [:] }
  }

  /// Returns how the list can get an item with an ID.
  func arrival(of id: ItemID) throws -> Arrival {
    switch try transaction.record(of: id) {
    case .absent: .insertion
    case .present: .refused(.itemIDConflict(id))
    case .deleted: try transaction.deletedItem(id) == nil ? .reinsertion : .refused(.itemIDDeleted(id))
    }
  }
}

/// How a list can get an item.
private enum Arrival {
  /// The list has not seen the item's ID.
  case insertion
  /// The ID is reserved, because the item was in the list before.
  case reinsertion
  case refused(ToDoError)
}

/// A write that moves items from one list to another one.
private struct Transfer {
  let source: Side
  let target: Side
  let time: Timestamp

  /// Moves all items, or returns those that have been moved before.
  func move(_ ids: [ItemID], as origin: ChangeOrigin, allowingDuplicate: Bool) throws -> [ToDoItem] {
    let (here, there) = (source.transaction, target.transaction)
    guard try ids.contains(where: { try here.presentItem($0) != nil }) else { return try movedItems(ids) }
    var origin = origin
    origin.moved = ListMove(list: target.list.listID, revision: try there.revision)
    here.attribute(to: origin)
    origin.moved = ListMove(list: source.list.listID, revision: try here.revision)
    there.attribute(to: origin)
    if try here.byteCount > source.list.byteLimit - LocalToDoService.deletionReserve { try here.compactChanges() }
    return try ids.enumerated().map { index, id in
      // A store remembers the record that it read last, and each item is deleted next.
      guard let item = try here.presentItem(id) else { throw ToDoError.itemNotFound(id) }
      let arrival = try target.arrival(of: id)
      if case .refused(let error) = arrival { throw error }
      if !allowingDuplicate, let existing = try target.list.duplicate(of: item, in: there) {
        throw ToDoError.duplicateItem(id, existing: existing)
      }
      return try move(item, by: arrival, after: index)
    }
  }

  /// Returns items that were moved before.
  private func movedItems(_ ids: [ItemID]) throws -> [ToDoItem] {
    var size = 0
    return try ids.map { id in
      guard let item = try target.transaction.presentItem(id) else { throw ToDoError.itemNotFound(id) }
      size += item.content.textSize
      try Self.checkSize(size)
      return item
    }
  }

  /// - Throws: `ToDoError.invalidRequest` if items have more bytes of text than a response may contain.
  static func checkSize(_ size: Int) throws {
    guard size > NewItem.batchTextLimit else { return }
    let reason = "name items with more than \(NewItem.batchTextLimit) bytes of text; name fewer"
    throw ToDoError.invalidRequest([FieldViolation("ids", reason)])
  }

  /// Moves the items back that are as they were moved at a revision of the source.
  ///
  /// - Parameters:
  ///   - states: the items as they were moved, as far as that is retained.
  ///   - reported: the transaction of the list whose revision the result contains.
  func moveBack(
    _ ids: [ItemID], _ states: [ItemID: ToDoItem], at revision: Revision, reporting reported: any ItemTransaction
  ) throws -> (reversal: Reversal, textSize: Int) {
    // Making room removes changes that these reads need.
    let items = try ids.map { try unchangedItem($0, states[$0], since: revision) }
    try makeRoom(for: items)
    var (reversal, size) = (Reversal(revision: try reported.revision.previous), 0)
    for (id, item) in zip(ids, items) {
      size += item.item?.content.textSize ?? 0
      guard let present = item.item, item.isUnchanged else {
        reversal.refuse(id, item.item, .changedSince)
        continue
      }
      let arrival = try target.arrival(of: id)
      if case .refused = arrival {
        reversal.refuse(id, present, .changedSince)
        continue
      }
      guard try target.list.duplicate(of: present, in: target.transaction) == nil else {
        reversal.refuse(id, present, .duplicate)
        continue
      }
      _ = try move(present, by: arrival, after: reversal.revertedCount)
      reversal.revertedCount += 1
      reversal.revision = try reported.revision
    }
    return (reversal, size)
  }

  /// Returns an item as far as it is known, and whether it is in the source as it was moved there at a revision.
  private func unchangedItem(
    _ id: ItemID, _ state: ToDoItem?, since revision: Revision
  ) throws -> (item: ToDoItem?, isUnchanged: Bool) {
    guard let item = try source.transaction.presentItem(id) else {
      return (try source.transaction.deletedItem(id) ?? state, false)
    }
    let hasState = try state.map { try source.transaction.hasState(of: $0, item) } ?? false
    return (item, hasState || item.revision == revision)
  }

  /// Makes room for items that come back, as far as one transaction can: they take precedence over the history and over
  /// deleted items.
  private func makeRoom(for items: [(item: ToDoItem?, isUnchanged: Bool)]) throws {
    let size = items.reduce(0) { $0 + ($1.isUnchanged ? $1.item.map { StoredSize.of($0.content) } ?? 0 : 0) }
    let (here, there) = (source.transaction, target.transaction)
    if try here.byteCount > source.list.byteLimit - LocalToDoService.deletionReserve { try here.compactChanges() }
    let limit = target.list.byteLimit - size
    if try there.byteCount > limit { try there.compactChanges() }
    for _ in 0..<Self.removals where try there.byteCount > limit {
      _ = try there.removeDeletedItems(
        limit: LocalToDoService.removedItems, sizeLimit: try there.byteCount - limit)
    }
  }

  /// The maximum number of deleted items that one transaction removes.
  private static let removals = 16

  /// Moves an item.
  ///
  /// - Parameters:
  ///   - arrival: how the target can get the item: it is not refused.
  ///   - count: the number of items that were moved before, which the limit of the user's items counts in the source.
  /// - Throws: `ToDoError.listFull`, `ToDoError.quotaExceeded`.
  private func move(_ item: ToDoItem, by arrival: Arrival, after count: Int) throws -> ToDoItem {
    let (here, there) = (source.transaction, target.transaction)
    // The other lists of the same owner contain the item as well.
    let isInQuota = source.list.quotaOwner == target.list.quotaOwner
    let remaining = isInQuota ? target.list.remainingItems : nil
    let limit = remaining.map { $0 + count + 1 } ?? target.list.itemLimit
    guard try there.itemCount < limit else { throw ToDoError.listFull(limit: target.list.itemLimit) }
    try target.list.checkQuota(for: item.content, in: there)
    var moved = item
    (moved.number, moved.revision, moved.updatedAt) = (try there.nextNumber, try there.revision, time)
    try here.delete(item.id, at: time, restorableUntil: nil)
    let fingerprint = ContentFingerprint(of: item.content, key: target.list.store.fingerprintKey)
    switch arrival {
    case .insertion: try there.insert(moved, fingerprint: fingerprint)
    case .reinsertion: try there.reinsert(moved, fingerprint: fingerprint)
    case .refused: preconditionFailure("a refused item is not moved")
    }
    // Only an address without a coordinate is looked up again.
    guard item.location?.addressToLookUp != nil, var lookup = try here.pendingLookup(of: item.id) else { return moved }
    lookup.owner = target.list.owner
    try here.setPendingLookup(of: item.id, nil)
    try there.setPendingLookup(of: item.id, lookup)
    return moved
  }
}

extension ItemTransaction {
  fileprivate func presentItem(_ id: ItemID) throws -> ToDoItem? {
    if case .present(let item, _) = try record(of: id) { item } else { nil }
  }
}
