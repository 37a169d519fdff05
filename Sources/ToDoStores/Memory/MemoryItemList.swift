import ToDoModel
import ToDoRules

/// One owner's items, the IDs of deleted items, and the change log.
struct MemoryItemList: Sendable {
  enum Record: Sendable {
    /// A deleted item; without the item once it was removed.
    case deleted(Timestamp, KeptItem?)
    case present(ToDoItem, fingerprint: ContentFingerprint, addedAs: ContentFingerprint)
  }

  /// A deleted item that can be restored, and the fingerprint that it was added with.
  struct KeptItem: Sendable {
    /// The item with `deletion`.
    let item: ToDoItem
    let addedAs: ContentFingerprint
  }

  private(set) var changes: MemoryChangeLog
  /// The pending coordinate lookups by item.
  var pendingLookups: [ItemID: PendingLookup] = [:]
  private(set) var records: [ItemID: Record] = [:]
  private(set) var itemCount = 0
  /// The highest number that any item has had.
  var lastNumber = ItemNumber(0)
  /// The size of the list in bytes, measured by `StoredSize`.
  private(set) var byteCount = 0
  /// The account version of the last change of users or tokens that may have ended access to the list.
  var accessVersion: Int64 = 0
  private let retention: ChangeRetention
  /// The incomplete items by the fingerprint of their content, an index for finding duplicates.
  private var incompleteItems: [ContentFingerprint: Set<ItemID>] = [:]

  init(_ retention: ChangeRetention) {
    changes = MemoryChangeLog(retention)
    self.retention = retention
  }

  var revision: Revision { changes.revision }

  func item(_ id: ItemID) -> ToDoItem? {
    if case .present(let item, _, _) = records[id] { item } else { nil }
  }

  /// All items, in no particular order.
  var items: some Sequence<ToDoItem> {
    records.values.lazy.compactMap { record in
      if case .present(let item, _, _) = record { item } else { nil }
    }
  }

  /// The deleted items that can be restored, in no particular order. Some may have expired.
  var keptItems: some Sequence<ToDoItem> {
    records.values.lazy.compactMap { record in
      if case .deleted(_, let kept?) = record { kept.item } else { nil }
    }
  }

  func incompleteItem(matching fingerprint: ContentFingerprint) -> ItemID? {
    fingerprint.allMatching.lazy.compactMap { incompleteItems[$0]?.first }.first
  }

  /// Replaces the record of an ID, or removes it if `record` is `nil`, and returns the previous record.
  @discardableResult
  mutating func replace(_ id: ItemID, with record: Record?) -> Record? {
    let previous = records.removeValue(forKey: id)
    if case .present = previous { itemCount -= 1 }
    if case .present = record { itemCount += 1 }
    byteCount += (record?.size ?? 0) - (previous?.size ?? 0)
    if case .present(let item, let fingerprint, _) = previous, !item.isDone {
      incompleteItems[fingerprint]?.remove(id)
      if incompleteItems[fingerprint]?.isEmpty == true { incompleteItems[fingerprint] = nil }
    }
    if case .present(let item, let fingerprint, _) = record, !item.isDone {
      incompleteItems[fingerprint, default: []].insert(id)
    }
    records[id] = record
    return previous
  }

  /// Appends the changes of one write to the change log.
  ///
  /// - Parameter earlier: the previous state of the items that the write changed or deleted.
  mutating func append(_ changed: [ItemChange], earlier: [ToDoItem], _ origin: ChangeOrigin) {
    let states = Dictionary(uniqueKeysWithValues: earlier.map { ($0.id, $0) })
    var (former, deleted) = ([ItemID: ToDoItem](), [ItemID: ToDoItem]())
    for change in changed {
      guard let state = states[change.id] else { continue }
      if case .deleted = change { deleted[change.id] = state } else { former[change.id] = state }
      // Counts the states that can be read, and those to which a change can be reverted.
      if former[change.id] != nil || changes.holds(state.revision) { byteCount += StoredSize.of(state.content) }
    }
    let counted = former.merging(deleted.filter { changes.holds($0.value.revision) }) { state, _ in state }
    for case .deleted in changed { byteCount += StoredSize.row }
    let set = ChangeSet(revision: revision.next, changes: changed.sorted { $0.id < $1.id })
    subtract(changes.append(MemoryChangeLog.Entry(set: set, origin: origin, former: counted, deleted: deleted)))
    if revision.number % 64 == 0, let now = changed.first?.time { expire(at: now) }
  }

  /// Compacts all changes.
  mutating func compactChanges() { subtract(changes.compactAll()) }

  /// Reverts `compactChanges()`.
  mutating func restore(_ compacted: MemoryChangeLog, size: Int) {
    changes = compacted
    byteCount += size
  }

  private mutating func subtract(_ compacted: [MemoryChangeLog.Entry]) {
    for entry in compacted {
      for case .deleted in entry.set.changes { byteCount -= StoredSize.row }
      for state in entry.former.values { byteCount -= StoredSize.of(state.content) }
    }
  }

  /// Removes deleted items that have expired, and IDs that may be reused. Scans every record, at every 64th revision.
  private mutating func expire(at now: Timestamp) {
    for (id, record) in records {
      guard case .deleted(let time, var kept) = record else { continue }
      if let deletion = kept?.item.deletion, deletion.expiresAt <= now {
        kept = nil
        replace(id, with: .deleted(time, nil))
      }
      if kept == nil, retention.allowsReuse(ofIDDeletedAt: time, now: now) { replace(id, with: nil) }
    }
  }

  /// Returns the nearest items. Scans every item, because an index in memory costs more than it saves.
  func nearbyItems(_ selection: NearbySelection) -> NearbyListing {
    let selected = items.compactMap { item -> NearbyItem? in
      guard !item.isDone, let coordinate = item.location?.coordinate else { return nil }
      let nearby = NearbyItem(item: item, distance: selection.center.distance(to: coordinate))
      return selection.includes(nearby.position) ? nearby : nil
    }
    let first = selected.sorted { $0.position < $1.position }.prefix(selection.limit)
    return NearbyListing(items: Array(first), hasMore: selected.count > first.count)
  }

  func listing(_ selection: ItemSelection) -> ItemListing {
    selection.deleted == .excluded
      ? ItemListing(selection, of: items, at: revision)
      : ItemListing(selection, of: Array(items) + Array(keptItems), at: revision)
  }
}

extension ContentFingerprint {
  /// All fingerprints that match this one: with a spot, also those of the neighbouring spots.
  fileprivate var allMatching: [ContentFingerprint] {
    guard let spot else { return [self] }
    return (-1...1 as ClosedRange<Int32>).flatMap { north in
      (-1...1 as ClosedRange<Int32>).map { east in
        let spot = Spot(latitude: spot.latitude + north, longitude: spot.longitude + east)
        return ContentFingerprint(high: high, low: low, spot: spot)
      }
    }
  }
}

extension MemoryItemList.Record {
  fileprivate var size: Int {
    switch self {
    case .deleted(_, let kept): StoredSize.deletedID + (kept.map { StoredSize.of($0.item.content) } ?? 0)
    case .present(let item, _, _): StoredSize.of(item.content)
    }
  }
}
