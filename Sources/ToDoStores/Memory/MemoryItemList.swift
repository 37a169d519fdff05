import ToDoModel
import ToDoRules

/// One owner's items, the IDs of deleted items, and the change log.
struct MemoryItemList: Sendable {
  private(set) var counters = ListCounters()
  private(set) var changes: MemoryChangeLog
  /// The pending coordinate lookups by item.
  var pendingLookups: [ItemID: PendingLookup] = [:]
  /// The items, and the reserved IDs of deleted items.
  private(set) var rows: [ItemID: PendingItem] = [:]
  /// The account version at which a change to users or tokens may last have ended access to the list.
  var accessVersion: Int64 = 0
  /// Whether the list is not deleted.
  var isAvailable = true
  private let retention: ChangeRetention
  /// The incomplete items by the fingerprint of their content, an index for finding duplicates.
  private var incompleteItems: [ContentFingerprint: Set<ItemID>] = [:]

  init(_ retention: ChangeRetention) {
    changes = MemoryChangeLog(retention)
    self.retention = retention
  }

  var revision: Revision { counters.revision }

  func item(_ id: ItemID) -> ToDoItem? {
    guard let row = rows[id], row.state == .present else { return nil }
    return row.item
  }

  /// All items, in no particular order.
  private var items: some Sequence<ToDoItem> { rows.values.lazy.filter { $0.state == .present }.map(\.item) }

  /// The deleted items that can be restored, in no particular order. Some may have expired.
  private var keptItems: some Sequence<ToDoItem> {
    rows.values.lazy.filter { if case .kept = $0.state { true } else { false } }.map(\.item)
  }

  /// Returns an incomplete item whose fingerprint matches.
  func incompleteItem(matching fingerprint: ContentFingerprint, where isCurrent: (ItemID) -> Bool) -> ItemID? {
    for match in fingerprint.allMatching {
      if let id = incompleteItems[match]?.first(where: isCurrent) { return id }
    }
    return nil
  }

  // MARK: Writes

  /// Applies the rows of a write.
  mutating func apply(_ pending: PendingRows, counters: ListCounters) {
    self.counters = counters
    // The counters do not contain changes that the write has compacted.
    if changes.floor < counters.floor { changes.removeAll() }
    for row in pending.items.values { replace(row.item.id, with: row) }
    for (id, lookup) in pending.lookups { pendingLookups[id] = lookup }
    guard let time = pending.changes.values.first?.change.time else { return }
    changes.append(Array(pending.changes.values), at: counters.revision)
    // Compacts only at every 64th revision, because that moves or scans everything.
    guard revision.number % 64 == 0 else { return }
    self.counters.byteCount -= changes.compact(at: time)
    self.counters.floor = changes.floor
    expire(at: time)
  }

  /// Replaces the row of an ID, or removes it if `row` is `nil`.
  private mutating func replace(_ id: ItemID, with row: PendingItem?) {
    if let fingerprint = rows[id]?.incompleteFingerprint {
      incompleteItems[fingerprint]?.remove(id)
      if incompleteItems[fingerprint]?.isEmpty == true { incompleteItems[fingerprint] = nil }
    }
    if let fingerprint = row?.incompleteFingerprint { incompleteItems[fingerprint, default: []].insert(id) }
    rows[id] = row?.withoutRemovedContent
  }

  /// Removes deleted items that have expired, and IDs that may be reused. Scans every row.
  private mutating func expire(at now: Timestamp) {
    for (id, row) in rows {
      var row = row
      if case .kept(let time, let expiry) = row.state, expiry <= now {
        counters.byteCount -= StoredSize.of(row.item.content)
        row.state = .reserved(deletedAt: time)
        replace(id, with: row)
      }
      guard case .reserved(let time) = row.state, retention.allowsReuse(ofIDDeletedAt: time, now: now) else { continue }
      counters.countRemoval(ofReservedIDs: 1)
      replace(id, with: nil)
    }
  }

  // MARK: Reads

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
  /// Every fingerprint that matches this one.
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

extension PendingItem {
  /// The fingerprint of an incomplete item.
  var incompleteFingerprint: ContentFingerprint? {
    state == .present && !item.isDone ? fingerprint : nil
  }

  /// The row as it is stored: that of a reserved ID has no content.
  fileprivate var withoutRemovedContent: PendingItem {
    guard case .reserved(let time) = state else { return self }
    var row = self
    row.item = .placeholder(item.id, item.revision, at: time)
    row.addedAs = nil
    return row
  }
}
