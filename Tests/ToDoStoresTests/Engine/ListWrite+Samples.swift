import ToDoModel
import ToDoRules
import ToDoTestSupport

@testable import ToDoStores

extension ListState {
  /// Applies a write.
  mutating func write(_ body: (inout ListWrite) -> Void) {
    var write = ListWrite(on: ledger.row)
    body(&write)
    apply(write)
  }

  /// Applies a write that changes a title.
  mutating func edit(_ number: UInt64, _ title: String) {
    var write = ListWrite(on: ledger.row)
    write.edit(number, title, in: self)
    apply(write)
  }
}

extension ListWrite {
  mutating func add(_ number: UInt64, _ title: String) {
    var item = ToDoItem.stored(number, title).at(ledger.revision)
    item.number = ledger.row.nextNumber
    insert(item, fingerprint: .sample(title))
  }

  mutating func edit(_ number: UInt64, _ title: String, in state: ListState) {
    guard case .present(let item, let addedAs) = record(of: .sample(number), over: state) else { return }
    update(
      item.titled(title).at(ledger.revision), cause: .edited, fingerprint: .sample(title), current: item,
      addedAs: addedAs)
  }

  mutating func delete(_ number: UInt64, in state: ListState, until expiry: Timestamp?) {
    guard case .present(let item, let addedAs) = record(of: .sample(number), over: state) else { return }
    delete(item, addedAs: addedAs, at: .sample(), restorableUntil: expiry)
  }

  mutating func restore(_ number: UInt64, in state: ListState) {
    guard case .kept(let kept, let addedAs) = record(of: .sample(number), over: state) else { return }
    var item = kept.at(ledger.revision)
    item.deletion = nil
    restore(item, fingerprint: .sample(item.title), kept: kept, addedAs: addedAs)
  }
}

extension ToDoItem {
  static func stored(_ number: UInt64, _ title: String) -> ToDoItem { .sample(number, title: title) }

  func at(_ revision: Revision) -> ToDoItem {
    var item = self
    item.revision = revision
    return item
  }
}

extension ItemDeletion {
  static func sample(_ number: UInt64, revision: Int64) -> ItemDeletion {
    ItemDeletion(id: .sample(number), wasDone: false, revision: Revision(revision), deletedAt: .sample())
  }
}

extension ContentFingerprint {
  static func sample(_ title: String) -> ContentFingerprint {
    ContentFingerprint(of: ItemContent(title: title))
  }
}
