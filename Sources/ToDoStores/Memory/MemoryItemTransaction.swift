import ToDoModel
import ToDoRules

/// A write to a list in memory. It records the replaced values, so that it can be rolled back.
final class MemoryItemTransaction {
  private var list: MemoryItemList
  private var replaced: [(id: ItemID, record: MemoryItemList.Record?)] = []
  private var changes: [ItemID: ItemChange] = [:]
  private var origin = ChangeOrigin()
  private let pendingLookups: [ItemID: PendingLookup]
  private let lastNumber: ItemNumber
  /// The change log before compaction, and the size by which compaction reduced the list.
  private var compacted: (changes: MemoryChangeLog, size: Int)?

  init(on list: MemoryItemList) {
    self.list = list
    pendingLookups = list.pendingLookups
    lastNumber = list.lastNumber
  }

  /// Returns the changed list, and the commit for observers, or `nil` if nothing changed.
  func commit(of owner: OwnerID) -> (list: MemoryItemList, commit: ListCommit?) {
    guard !changes.isEmpty else { return (list, nil) }
    let first = Dictionary(replaced) { record, _ in record }
    let items = first.values.compactMap { record -> ToDoItem? in
      if case .present(let item, _, _) = record { item } else { nil }
    }
    list.append(Array(changes.values), earlier: items, origin)
    let set = ChangeSet(revision: list.revision, changes: changes.values.sorted { $0.id < $1.id })
    let isListed = changes.count <= Self.listedChanges
    let commit = ListCommit(
      owner: owner, revision: set.revision, changes: isListed ? [ReversibleChanges(set, replaced: items)] : [])
    return (list, commit)
  }

  /// The maximum number of changes that a commit lists. Commits with more changes list none.
  private static let listedChanges = 1_000

  /// Returns the list as it was before the transaction.
  func rollback() -> MemoryItemList {
    for (id, record) in replaced.reversed() { list.replace(id, with: record) }
    list.pendingLookups = pendingLookups
    list.lastNumber = lastNumber
    if let compacted { list.restore(compacted.changes, size: compacted.size) }
    return list
  }

  private func put(_ item: ToDoItem, _ cause: PutCause, _ record: MemoryItemList.Record) {
    precondition(item.revision == revision, "a changed item has the transaction's revision")
    replace(item.id, with: record, .put(item, cause))
  }

  private func delete(_ item: ToDoItem, addedAs: ContentFingerprint, _ time: Timestamp, _ expiry: Timestamp?) {
    let deletion = ItemDeletion(id: item.id, wasDone: item.isDone, revision: revision, deletedAt: time)
    let kept = expiry.map { expiry in
      var deleted = item
      deleted.revision = revision
      deleted.deletion = ToDoItem.Deletion(deletedAt: time, expiresAt: expiry)
      return MemoryItemList.KeptItem(item: deleted, addedAs: addedAs)
    }
    replace(item.id, with: .deleted(time, kept), .deleted(deletion))
  }

  private func replace(_ id: ItemID, with record: MemoryItemList.Record, _ change: ItemChange) {
    replaced.append((id, list.replace(id, with: record)))
    changes[id] = change
  }
}

extension MemoryItemTransaction: ItemTransaction {
  var accessVersion: Int64 { list.accessVersion }

  func record(of id: ItemID) -> ItemRecord {
    switch list.records[id] {
    case nil: .absent
    case .deleted: .deleted
    case .present(let item, _, let addedAs): .present(item, addedAs: addedAs)
    }
  }

  func incompleteItem(matching fingerprint: ContentFingerprint) -> ItemID? {
    list.incompleteItem(matching: fingerprint)
  }

  var revision: Revision { list.revision.next }

  var nextNumber: ItemNumber { list.lastNumber.next }

  var itemCount: Int { list.itemCount }

  var byteCount: Int { list.byteCount }

  func compactChanges() {
    guard compacted == nil else { return }
    let (changes, size) = (list.changes, list.byteCount)
    list.compactChanges()
    compacted = (changes, size - list.byteCount)
  }

  func insert(_ item: ToDoItem, fingerprint: ContentFingerprint) {
    precondition(list.records[item.id] == nil, "an inserted item has a new ID")
    precondition(item.number == nextNumber, "an inserted item has the next number")
    list.lastNumber = item.number
    put(item, .added, .present(item, fingerprint: fingerprint, addedAs: fingerprint))
  }

  func update(_ item: ToDoItem, cause: PutCause, fingerprint: ContentFingerprint) {
    guard case .present(let replaced, _, let addedAs) = list.records[item.id] else {
      preconditionFailure("an updated item exists")
    }
    precondition(item.number == replaced.number, "an item keeps its number")
    put(item, cause, .present(item, fingerprint: fingerprint, addedAs: addedAs))
  }

  func pendingLookup(of id: ItemID) -> PendingLookup? { list.pendingLookups[id] }

  func setPendingLookup(of id: ItemID, _ lookup: PendingLookup?) { list.pendingLookups[id] = lookup }

  func delete(_ id: ItemID, at time: Timestamp, restorableUntil expiry: Timestamp?) {
    guard case .present(let item, _, let addedAs) = list.records[id] else {
      preconditionFailure("a deleted item exists")
    }
    delete(item, addedAs: addedAs, time, expiry)
  }

  func delete(
    _ selection: BulkDeletion, at time: Timestamp, restorableUntil expiry: Timestamp?, byteLimit: Int
  ) -> Int {
    precondition(selection != .deleted, "deleted items are removed by removeDeletedItems")
    let items = list.items.filter { selection == .all || $0.isDone }
    let overhead = items.count * StoredSize.deletion
    let size = items.reduce(0) { $0 + StoredSize.of($1.content) }
    if byteCount + size + overhead > byteLimit { compactChanges() }
    let fits = byteCount + overhead <= byteLimit
    for item in items { delete(item.id, at: time, restorableUntil: fits ? expiry : nil) }
    return items.count
  }

  func deletedItem(_ id: ItemID) -> ToDoItem? {
    if case .deleted(_, let kept?) = list.records[id] { kept.item } else { nil }
  }

  func restore(_ item: ToDoItem, fingerprint: ContentFingerprint) {
    guard case .deleted(_, let kept?) = list.records[item.id] else { preconditionFailure("a restored item is kept") }
    put(item, .restored, .present(item, fingerprint: fingerprint, addedAs: kept.addedAs))
  }

  func removeDeletedItems(limit: Int, sizeLimit: Int) -> Int {
    let kept = list.records.compactMap { id, record in
      if case .deleted(let time, let kept?) = record {
        (id: id, time: time, expiry: kept.item.deletion?.expiresAt, size: StoredSize.of(kept.item.content))
      } else {
        nil
      }
    }
    var size = 0
    let first = kept.sorted { ($0.expiry ?? $0.time) < ($1.expiry ?? $1.time) }.prefix(limit)
    let removed = first.prefix { item in
      defer { size += item.size }
      return size < sizeLimit
    }
    for (id, time, _, _) in removed { replaced.append((id, list.replace(id, with: .deleted(time, nil)))) }
    return removed.count
  }

  // MARK: History

  func attribute(to origin: ChangeOrigin) { self.origin = origin }

  func changes(of revision: Revision, after last: ItemID?, limit: Int, sizeLimit: Int) throws -> (
    changes: [RevertibleChange], hasMore: Bool
  ) {
    let entry = try list.changes.entry(of: revision)
    let changes = entry.set.changes.filter { change in last.map { change.id > $0 } ?? true }
    var (page, size) = ([RevertibleChange](), 0)
    for change in changes.prefix(limit) where size < sizeLimit {
      let former: ToDoItem? = if case .put = change { entry.former[change.id] } else { nil }
      page.append(RevertibleChange(change, former: former))
      size += page[page.count - 1].textSize
    }
    return (page, page.count < changes.count)
  }
}
