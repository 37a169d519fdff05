import ToDoModel
import ToDoRules

/// A write to a list in memory. It records the replaced values, so that it can be rolled back.
final class MemoryItemTransaction {
  private var list: MemoryItemList
  private var replaced: [(id: ItemID, record: MemoryItemList.Record?)] = []
  private var changes: [ItemID: ItemChange] = [:]
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
    list.append(Array(changes.values), earlier: items)
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

  private func delete(_ item: ToDoItem, _ time: Timestamp) {
    let deletion = ItemDeletion(id: item.id, wasDone: item.isDone, revision: revision, deletedAt: time)
    replace(item.id, with: .deleted(time), .deleted(deletion))
  }

  private func replace(_ id: ItemID, with record: MemoryItemList.Record, _ change: ItemChange) {
    replaced.append((id, list.replace(id, with: record)))
    changes[id] = change
  }
}

extension MemoryItemTransaction: ItemTransaction {
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

  func delete(_ id: ItemID, at time: Timestamp) {
    guard let item = list.item(id) else { preconditionFailure("a deleted item exists") }
    delete(item, time)
  }

  func delete(_ selection: BulkDeletion, at time: Timestamp) -> Int {
    let items = list.items.filter { selection == .all || $0.isDone }
    for item in items { delete(item, time) }
    return items.count
  }
}
