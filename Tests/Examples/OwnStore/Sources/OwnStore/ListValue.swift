import ToDoServer

/// One owner's list as a value.
struct ListValue: Sendable {
  /// The record of an ID that an item has or had.
  struct Record: Sendable {
    enum State: Sendable {
      case present
      /// Deleted, and can be restored.
      case kept(until: Timestamp)
      /// Deleted for good. Only the ID counts.
      case reserved
    }

    var item: ToDoItem
    var state: State
    /// The fingerprint of the content, and that of the content that the item was added with.
    var fingerprint, addedAs: ContentFingerprint

    var isPresent: Bool { if case .present = state { true } else { false } }

    var isKept: Bool { if case .kept = state { true } else { false } }

    /// The size that counts against the quota.
    var size: Int {
      switch state {
      case .present: StoredSize.of(item.content)
      case .kept: StoredSize.of(item.content) + StoredSize.deletedID
      case .reserved: StoredSize.deletedID
      }
    }
  }

  /// The changes of one write.
  struct LogEntry: Sendable {
    var changes: [LoggedChange]
    var origin: ChangeOrigin

    var set: ChangeSet {
      ChangeSet(revision: changes[0].change.revision, changes: changes.map(\.change), user: origin.user)
    }

    var size: Int { changes.reduce(0) { $0 + $1.size } }
  }

  private(set) var records: [ItemID: Record] = [:]
  /// The incomplete items by their fingerprint without the coordinate.
  private var incomplete: [ContentFingerprint: Set<ItemID>] = [:]
  private(set) var itemCount = 0
  /// The size of `records`.
  private(set) var recordSize = 0
  private(set) var lastNumber = ItemNumber(0)
  /// The changes of the revisions after `floor`.
  private(set) var log: [LogEntry] = []
  /// The revision of the last change that was compacted.
  private(set) var floor = Revision.initial
  /// The lookups of addresses that are to be retried.
  var lookups: [ItemID: PendingLookup] = [:]

  var revision: Revision { Revision(floor.number + Int64(log.count)) }

  /// The items that are not deleted.
  var items: [ToDoItem] { records.values.filter(\.isPresent).map(\.item) }

  /// The deleted items that can be restored.
  var keptItems: [ToDoItem] { records.values.filter(\.isKept).map(\.item) }

  func incompleteItems(matching fingerprint: ContentFingerprint) -> some Sequence<ItemID> {
    incomplete[fingerprint.withoutSpot, default: []].lazy.filter {
      records[$0]?.fingerprint.matches(fingerprint) == true
    }
  }

  // MARK: Changes

  mutating func set(_ record: Record) {
    let former = records.updateValue(record, forKey: record.item.id)
    if let former {
      incomplete[former.fingerprint.withoutSpot]?.remove(former.item.id)
      recordSize -= former.size
      itemCount -= former.isPresent ? 1 : 0
    }
    if record.isPresent && !record.item.isDone {
      incomplete[record.fingerprint.withoutSpot, default: []].insert(record.item.id)
    }
    recordSize += record.size
    itemCount += record.isPresent ? 1 : 0
    lastNumber = max(lastNumber, record.item.number)
  }

  mutating func append(_ entry: LogEntry) { log.append(entry) }

  /// Removes the content of deleted items that can no longer be restored.
  mutating func removeExpired(at now: Timestamp) {
    for var record in records.values {
      guard case .kept(let expiry) = record.state, expiry <= now else { continue }
      record.state = .reserved
      set(record)
    }
  }

  /// Forgets all changes, which then cannot be read or reverted.
  mutating func compact() {
    floor = revision
    log.removeAll()
  }

  // MARK: Reads

  func listing(_ selection: ItemSelection) -> ItemListing {
    ItemListing(selection, of: selection.deleted == .excluded ? items : items + keptItems, at: revision)
  }

  func nearbyItems(_ selection: NearbySelection) -> NearbyListing {
    let found = items.filter { !$0.isDone }.compactMap { item in
      (item.location?.coordinate).map { NearbyItem(item: item, distance: selection.center.distance(to: $0)) }
    }
    let selected = found.filter { selection.includes($0.position) }.sorted { $0.position < $1.position }
    return NearbyListing(
      items: Array(selected.prefix(selection.limit)), hasMore: selected.count > selection.limit)
  }

  /// - Throws: `ToDoError.revisionCompacted`, `ToDoError.revisionInFuture`.
  func changes(_ selection: ChangeSelection) throws -> ChangeListing {
    guard selection.after >= floor else { throw ToDoError.revisionCompacted(oldest: floor) }
    guard selection.after <= revision else { throw ToDoError.revisionInFuture(current: revision) }
    var listing = ChangeListing(sets: [], revision: revision)
    var (count, size) = (0, 0)
    for entry in log.dropFirst(Int(selection.after.number - floor.number)) {
      guard selection.allowsRevision(afterChanges: count, size: size) else { break }
      listing.sets.append(entry.set)
      count += entry.changes.count
      size += entry.changes.reduce(0) { $0 + $1.change.textSize }
    }
    return listing
  }

  func history(_ selection: HistorySelection) -> HistoryListing {
    var listing = HistoryListing(revisions: [], hasMore: false)
    var count = 0
    for entry in log.reversed() {
      let changes = entry.changes.filter { selection.item == nil || selection.item == $0.change.id }
      guard let first = changes.first, selection.before.map({ first.change.revision < $0 }) ?? true else { continue }
      listing.hasMore = count >= selection.limit
      if listing.hasMore { break }
      listing.revisions.append(
        RevisionRecord(
          revision: first.change.revision, time: first.change.time, origin: entry.origin, isOwn: false,
          changes: changes.prefix(HistoryQuery.Limits.changes).map(\.recorded), changeCount: changes.count))
      count += changes.count
    }
    return listing
  }

  /// - Throws: `ToDoError.revisionCompacted`, `ToDoError.revisionInFuture`.
  func entry(of revision: Revision) throws -> LogEntry {
    guard revision > floor else { throw ToDoError.revisionCompacted(oldest: floor) }
    guard revision <= self.revision else { throw ToDoError.revisionInFuture(current: self.revision) }
    return log[Int(revision.number - floor.number) - 1]
  }
}

/// A change of an item, and the item before it.
struct LoggedChange: Sendable {
  var change: ItemChange
  /// The item before the write; `nil` if there was none.
  var former: ToDoItem?
  /// The size that counts against the quota.
  var size: Int

  /// - Parameter floor: the last compacted revision. A deletion does not count a state up to it, which nothing can request.
  init(_ change: ItemChange, former: ToDoItem?, floor: Revision) {
    self.change = change
    self.former = former
    let formerSize = former.map { StoredSize.of($0.content) } ?? 0
    size =
      switch change {
      case .put: formerSize
      case .deleted: StoredSize.row + ((former?.revision ?? floor) > floor ? formerSize : 0)
      }
  }

  /// The change as a caller reverts it.
  var revertible: RevertibleChange {
    switch change {
    case .put(_, .added), .put(_, .restored), .deleted: RevertibleChange(change, former: nil)
    case .put: RevertibleChange(change, former: former)
    }
  }

  /// The change as the history shows it.
  var recorded: RecordedChange {
    switch change {
    case .put(let item, let cause):
      var recorded = RecordedChange(item: item.id, number: item.number, title: item.title, kind: .put(cause))
      if recorded.hasFormerState, let former { recorded.fields = FieldChange.differences(from: former, to: item) }
      return recorded
    case .deleted(let deletion):
      return RecordedChange(item: deletion.id, number: former?.number, title: former?.title, kind: .deleted)
    }
  }
}

extension ContentFingerprint {
  fileprivate var withoutSpot: ContentFingerprint { ContentFingerprint(high: high, low: low) }
}
