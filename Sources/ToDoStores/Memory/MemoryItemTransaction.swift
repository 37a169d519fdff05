import ToDoModel

/// A write on a list in memory, which remembers what it replaced so that it can be undone.
final class MemoryItemTransaction {
  private var list: MemoryItemList
  private var replaced: [(id: ItemID, record: MemoryItemList.Record?)] = []
  private var changes: [ItemID: ItemChange] = [:]
  private let pendingLookups: [ItemID: PendingLookup]
  /// The changes that were forgotten, and their size.
  private var forgotten: (changes: MemoryChangeLog, size: Int)?

  init(on list: MemoryItemList) {
    self.list = list
    pendingLookups = list.pendingLookups
  }

  /// The list with the changes, at the revision that they bear, and what an observer is told; `nil` if nothing changed.
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

  /// The number of changes that a commit lists at most.
  private static let listedChanges = 1_000

  /// The list as it was.
  func rollback() -> MemoryItemList {
    for (id, record) in replaced.reversed() { list.replace(id, with: record) }
    list.pendingLookups = pendingLookups
    if let forgotten { list.restore(forgotten.changes, size: forgotten.size) }
    return list
  }

  private func put(_ item: ToDoItem, _ cause: PutCause, _ record: MemoryItemList.Record) {
    precondition(item.revision == revision, "a changed item bears the transaction's revision")
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

  func undoneItem(matching fingerprint: ContentFingerprint) -> ItemID? { list.undoneItem(matching: fingerprint) }

  var revision: Revision { list.revision.next }

  var itemCount: Int { list.itemCount }

  var byteCount: Int { list.byteCount }

  func forgetChanges() {
    guard forgotten == nil else { return }
    let (changes, size) = (list.changes, list.byteCount)
    list.forgetChanges()
    forgotten = (changes, size - list.byteCount)
  }

  func insert(_ item: ToDoItem, fingerprint: ContentFingerprint) {
    precondition(list.records[item.id] == nil, "only an absent identity is inserted")
    put(item, .added, .present(item, fingerprint: fingerprint, addedAs: fingerprint))
  }

  func update(_ item: ToDoItem, cause: PutCause, fingerprint: ContentFingerprint) {
    guard case .present(_, _, let addedAs) = list.records[item.id] else {
      preconditionFailure("only an item that is there is updated")
    }
    put(item, cause, .present(item, fingerprint: fingerprint, addedAs: addedAs))
  }

  func pendingLookup(of id: ItemID) -> PendingLookup? { list.pendingLookups[id] }

  func setPendingLookup(of id: ItemID, _ lookup: PendingLookup?) { list.pendingLookups[id] = lookup }

  func delete(_ id: ItemID, at time: Timestamp) {
    guard let item = list.item(id) else { preconditionFailure("only an item that is there is deleted") }
    delete(item, time)
  }

  func delete(_ selection: BulkDeletion, at time: Timestamp) -> Int {
    let items = list.items.filter { selection == .all || $0.isDone }
    for item in items { delete(item, time) }
    return items.count
  }
}
