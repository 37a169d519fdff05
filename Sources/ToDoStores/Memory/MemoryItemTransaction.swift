import ToDoModel

/// A write on a list in memory, which remembers what it replaced so that it can be undone.
final class MemoryItemTransaction {
  private var list: MemoryItemList
  private var replaced: [(id: ItemID, record: MemoryItemList.Record?)] = []

  init(on list: MemoryItemList) {
    self.list = list
  }

  /// The list with the changes, at the revision that they bear.
  func commit() -> MemoryItemList {
    if !replaced.isEmpty { list.revision = list.revision.next }
    return list
  }

  /// The list as it was.
  func rollback() -> MemoryItemList {
    for (id, record) in replaced.reversed() { list.replace(id, with: record) }
    return list
  }

  private func replace(_ id: ItemID, with record: MemoryItemList.Record) {
    replaced.append((id, list.replace(id, with: record)))
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

  func undoneItems(withFingerprints fingerprints: [ContentFingerprint]) -> [ToDoItem] {
    Set(fingerprints).flatMap(list.undoneItems).sorted {
      ItemPosition(of: $0, in: .created) < ItemPosition(of: $1, in: .created)
    }
  }

  var revision: Revision { list.revision.next }

  func insert(_ item: ToDoItem, fingerprint: ContentFingerprint) {
    precondition(list.records[item.id] == nil, "only an absent identity is inserted")
    replace(item.id, with: .present(item, fingerprint: fingerprint, addedAs: fingerprint))
  }

  func update(_ item: ToDoItem, fingerprint: ContentFingerprint) {
    guard case .present(_, _, let addedAs) = list.records[item.id] else {
      preconditionFailure("only an item that is there is updated")
    }
    replace(item.id, with: .present(item, fingerprint: fingerprint, addedAs: addedAs))
  }

  func delete(_ id: ItemID) {
    precondition(list.item(id) != nil, "only an item that is there is deleted")
    replace(id, with: .deleted)
  }

  func delete(_ selection: BulkDeletion) -> Int {
    let ids = list.items.filter { selection == .all || $0.isDone }.map(\.id)
    for id in ids { replace(id, with: .deleted) }
    return ids.count
  }
}
