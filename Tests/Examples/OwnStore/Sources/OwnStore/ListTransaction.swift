import ToDoServer

/// One write, which changes a copy of the list.
final class ListTransaction: ItemTransaction {
  private var list: ListValue
  private var changes: [ItemID: LoggedChange] = [:]
  private var origin = ChangeOrigin()
  let revision: Revision

  init(on list: ListValue) {
    self.list = list
    revision = list.revision.next
  }

  /// The list after the write.
  var result: ListValue {
    guard !changes.isEmpty else { return list }
    var list = list
    list.append(entry)
    // Not every write, because it scans every record.
    if revision.number % 64 == 0 { list.removeExpired(at: entry.changes[0].change.time) }
    return list
  }

  /// The changes and the items that they replaced; `nil` if the write changed nothing.
  var committed: ReversibleChanges? {
    changes.isEmpty ? nil : ReversibleChanges(entry.set, replaced: entry.changes.compactMap(\.former))
  }

  private var entry: ListValue.LogEntry {
    ListValue.LogEntry(changes: changes.values.sorted { $0.change.id < $1.change.id }, origin: origin)
  }

  // MARK: Sizes and numbers

  /// No users: nothing ends the access to a list.
  let accessVersion: Int64 = 0

  /// No further lists, so none is deleted.
  let isListAvailable = true

  var nextNumber: ItemNumber { list.lastNumber.next }

  var itemCount: Int { list.itemCount }

  var byteCount: Int {
    list.recordSize + list.log.reduce(0) { $0 + $1.size } + changes.values.reduce(0) { $0 + $1.size }
  }

  // MARK: Reads

  func record(of id: ItemID) -> ItemRecord {
    guard let record = list.records[id] else { return .absent }
    return record.isPresent ? .present(record.item, addedAs: record.addedAs) : .deleted
  }

  func deletedItem(_ id: ItemID) -> ToDoItem? {
    guard let record = list.records[id], record.isKept else { return nil }
    return record.item
  }

  func incompleteItem(matching fingerprint: ContentFingerprint) -> ItemID? {
    list.incompleteItems(matching: fingerprint).first { _ in true }
  }

  func incompleteItems(matching fingerprint: ContentFingerprint, limit: Int) -> [ItemID] {
    Array(list.incompleteItems(matching: fingerprint).prefix(limit))
  }

  // MARK: Changes

  func insert(_ item: ToDoItem, fingerprint: ContentFingerprint) {
    list.set(ListValue.Record(item: item, state: .present, fingerprint: fingerprint, addedAs: fingerprint))
    note(.put(item, .added), former: nil)
  }

  /// The new record replaces that of the reserved ID.
  func reinsert(_ item: ToDoItem, fingerprint: ContentFingerprint) { insert(item, fingerprint: fingerprint) }

  func update(_ item: ToDoItem, cause: PutCause, fingerprint: ContentFingerprint) {
    guard var record = list.records[item.id] else { return }
    note(.put(item, cause), former: record.item)
    (record.item, record.fingerprint) = (item, fingerprint)
    list.set(record)
  }

  func restore(_ item: ToDoItem, fingerprint: ContentFingerprint) {
    guard var record = list.records[item.id] else { return }
    (record.item, record.state, record.fingerprint) = (item, .present, fingerprint)
    list.set(record)
    note(.put(item, .restored), former: nil)
  }

  func delete(_ id: ItemID, at time: Timestamp, restorableUntil expiry: Timestamp?) {
    guard var record = list.records[id] else { return }
    let deletion = ItemDeletion(id: id, wasDone: record.item.isDone, revision: revision, deletedAt: time)
    note(.deleted(deletion), former: record.item)
    record.item.revision = revision
    record.item.deletion = expiry.map { ToDoItem.Deletion(deletedAt: time, expiresAt: $0) }
    record.state = expiry.map { .kept(until: $0) } ?? .reserved
    list.set(record)
  }

  func delete(
    _ selection: BulkDeletion, at time: Timestamp, restorableUntil expiry: Timestamp?, byteLimit: Int
  ) -> Int {
    let items = list.items.filter { selection == .all || $0.isDone }
    func hasRoom(for size: Int) -> Bool { byteCount + size + items.count * StoredSize.deletion <= byteLimit }
    if !hasRoom(for: items.reduce(0) { $0 + StoredSize.of($1.content) }) { compactChanges() }
    let isKept = hasRoom(for: 0)
    for item in items { delete(item.id, at: time, restorableUntil: isKept ? expiry : nil) }
    return items.count
  }

  func removeDeletedItems(limit: Int, sizeLimit: Int) -> Int {
    var kept: [(record: ListValue.Record, expiry: Timestamp)] = []
    for record in list.records.values { if case .kept(let expiry) = record.state { kept.append((record, expiry)) } }
    var (count, size) = (0, 0)
    for (record, _) in kept.sorted(by: { $0.expiry < $1.expiry }).prefix(limit) where size < sizeLimit {
      var record = record
      record.state = .reserved
      list.set(record)
      size += StoredSize.of(record.item.content)
      count += 1
    }
    return count
  }

  func compactChanges() { list.compact() }

  /// Records the last change of an item, with the item before the write.
  private func note(_ change: ItemChange, former: ToDoItem?) {
    let first = changes[change.id]
    changes[change.id] = LoggedChange(change, former: first == nil ? former : first?.former, floor: list.floor)
  }

  // MARK: History and lookups

  func attribute(to origin: ChangeOrigin) { self.origin = origin }

  func changes(of revision: Revision, after last: ItemID?, limit: Int, sizeLimit: Int) throws -> (
    changes: [RevertibleChange], hasMore: Bool
  ) {
    let entry = try list.entry(of: revision)
    let rest = entry.changes.filter { change in last.map { change.change.id > $0 } ?? true }
    var (page, size) = ([RevertibleChange](), 0)
    for change in rest.prefix(limit) where size < sizeLimit {
      page.append(RevertibleChange(change.change, former: change.revertible.former, moved: entry.origin.moved))
      size += change.revertible.textSize
    }
    return (page, page.count < rest.count)
  }

  func pendingLookup(of id: ItemID) -> PendingLookup? { list.lookups[id] }

  func setPendingLookup(of id: ItemID, _ lookup: PendingLookup?) { list.lookups[id] = lookup }
}
