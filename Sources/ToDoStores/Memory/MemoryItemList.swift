import ToDoModel
import ToDoRules

/// One owner's items, the IDs of deleted items, and the change log.
struct MemoryItemList: Sendable {
  enum Record: Sendable {
    case deleted(Timestamp)
    case present(ToDoItem, fingerprint: ContentFingerprint, addedAs: ContentFingerprint)
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
  mutating func append(_ changed: [ItemChange], earlier: [ToDoItem]) {
    // Counts the previous items whose changes are retained, and the deletions, as part of the history.
    for item in earlier where changes.holds(item.revision) { byteCount += StoredSize.of(item.content) }
    for case .deleted in changed { byteCount += StoredSize.row }
    subtract(changes.append(changed))
    if revision.number % 64 == 0, let now = changed.first?.time { expireDeletedIDs(at: now) }
  }

  /// Compacts all changes.
  mutating func compactChanges() { subtract(changes.compactAll()) }

  /// Reverts `compactChanges()`.
  mutating func restore(_ compacted: MemoryChangeLog, size: Int) {
    changes = compacted
    byteCount += size
  }

  private mutating func subtract(_ compacted: [ItemChange]) {
    for change in compacted {
      switch change {
      case .deleted: byteCount -= StoredSize.row
      // The latest change of an item is the item itself, which remains.
      case .put(let item, _):
        if self.item(item.id)?.revision != item.revision { byteCount -= StoredSize.of(item.content) }
      }
    }
  }

  /// Removes the IDs of deleted items that may be reused. Scans every record, at every 64th revision.
  private mutating func expireDeletedIDs(at now: Timestamp) {
    for (id, record) in records {
      if case .deleted(let time) = record, retention.allowsReuse(ofIDDeletedAt: time, now: now) {
        replace(id, with: nil)
      }
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
    ItemListing(selection, of: items, at: revision)
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
    case .deleted: StoredSize.deletedID
    case .present(let item, _, _): StoredSize.of(item.content)
    }
  }
}
