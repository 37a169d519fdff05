package import ToDoModel
package import ToDoRules

/// A list that is copied to another store.
package struct CopiedList: Equatable, Sendable {
  /// The list's name.
  package let name: String
  /// The counters of the list.
  package let counters: ListCounters

  /// Decodes the stored counters of a list.
  ///
  /// - Throws: `StoreCopyError.invalidCounters`.
  package init(
    name: String, revision: Int64, floor: Int64, itemCount: Int64, byteCount: Int64, lastNumber: Int64
  ) throws(StoreCopyError) {
    self.name = name
    do throws(ToDoError) {
      counters = try ListCounters(
        revision: revision, floor: floor, itemCount: itemCount, byteCount: byteCount, lastNumber: lastNumber)
    } catch { throw .invalidCounters(list: name) }
  }
}

/// A record of a list, in a form that does not depend on the store's engine.
///
/// A list is the sequence of its items by ID, then its changes by revision and ID, then its pending lookups by ID.
package enum CopiedRecord: Sendable {
  case item(CopiedItem)
  case change(CopiedChange)
  case lookup(PendingLookup)
}

/// An item, a deleted item that can be restored, or the reserved ID of a deleted item.
package struct CopiedItem: Sendable {
  /// The item; a placeholder for a reserved ID.
  package var item: ToDoItem
  package var state: PendingItem.State
  /// The fingerprint of the content that the item was added with, if it is known.
  package var addedAs: ContentFingerprint?
  /// The cause and the origin of a present item's last change, if the store retains that change.
  package var cause: PutCause
  package var origin: ChangeOrigin

  /// Creates a record of an item.
  package init(
    _ item: ToDoItem, _ state: PendingItem.State, addedAs: ContentFingerprint? = nil, cause: PutCause = .added,
    origin: ChangeOrigin = ChangeOrigin()
  ) {
    self.item = item
    self.state = state
    self.addedAs = addedAs
    self.cause = cause
    self.origin = origin
  }
}

/// A change of an item.
///
/// Only changes after the list's floor can be read. An earlier change is a remainder that compaction will remove. It
/// counts against the quota, but stores need not retain its cause, time and origin.
package struct CopiedChange: Sendable {
  /// The kinds of changes.
  package enum Kind: Equatable, Sendable {
    case put(PutCause)
    case deleted(wasDone: Bool)
  }

  /// The state of the item before a change.
  package struct Former: Sendable {
    /// The item, with the revision of the change that made the state.
    package var item: ToDoItem
    /// The cause and the origin of the change that made the state, if the store retains that change.
    package var cause: PutCause
    package var origin: ChangeOrigin

    /// Creates a state.
    package init(_ item: ToDoItem, cause: PutCause, origin: ChangeOrigin) {
      self.item = item
      self.cause = cause
      self.origin = origin
    }
  }

  package var revision: Revision
  package var id: ItemID
  package var kind: Kind
  package var time: Timestamp
  package var origin: ChangeOrigin
  /// The state before the change, if it counts against the quota.
  package var former: Former?
  /// The state that names the item of a deletion in the history, if the state before the deletion does not count
  /// against the quota. SQLite does not store it, and uses the item that is kept or was restored. It is not a part of
  /// the checksum.
  package var title: ToDoItem?

  /// Creates a change.
  package init(
    revision: Revision, id: ItemID, kind: Kind, time: Timestamp, origin: ChangeOrigin, former: Former? = nil,
    title: ToDoItem? = nil
  ) {
    self.revision = revision
    self.id = id
    self.kind = kind
    self.time = time
    self.origin = origin
    self.former = former
    self.title = title
  }

  /// Whether the change is a deletion.
  package var isDeletion: Bool { if case .deleted = kind { true } else { false } }

  /// The size that counts against the quota, by `StoredSize`.
  package var size: Int {
    (isDeletion ? StoredSize.row : 0) + (former.map { StoredSize.of($0.item.content) } ?? 0)
  }
}

extension CopiedRecord {
  /// The approximate number of bytes that a transaction writes for the record.
  package var approximateSize: Int {
    switch self {
    case .item(let item): 256 + item.item.content.textSize
    case .change(let change): 256 + ((change.former?.item ?? change.title)?.content.textSize ?? 0)
    case .lookup(let lookup): 128 + lookup.address.utf8.count
    }
  }
}

extension ToDoItem {
  /// Returns an item without content, for a row that stores none.
  package static func placeholder(_ id: ItemID, _ revision: Revision, at time: Timestamp) -> ToDoItem {
    ToDoItem(
      id: id, number: ItemNumber(0), content: ItemContent(title: ""), createdAt: time, updatedAt: time,
      revision: revision)
  }
}
