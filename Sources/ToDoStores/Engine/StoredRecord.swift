package import ToDoModel
package import ToDoRules

/// The state of an ID in the table `item`.
package enum StoredRecord: Equatable {
  /// There is no row.
  case absent
  /// The item was deleted, and its content removed.
  case reserved
  /// The item was deleted, and can be restored. It has `deletion`.
  case kept(ToDoItem, addedAs: ContentFingerprint?)
  case present(ToDoItem, addedAs: ContentFingerprint?)
  /// The stored content is invalid. Only a write that reads this record fails.
  case unreadable(ToDoError)
}

/// A row of the table `item` that a transaction has to write.
package struct PendingItem: Equatable {
  /// The item. Its `revision` is that of the row.
  package var item: ToDoItem
  /// The fingerprint of the content; `nil` if the item is deleted.
  package var fingerprint: ContentFingerprint?
  package var addedAs: ContentFingerprint?
  package var state: State
  /// Whether the table has no row with this ID.
  package var isNew: Bool

  package enum State: Equatable {
    case present
    case kept(deletedAt: Timestamp, expiresAt: Timestamp)
    case reserved(deletedAt: Timestamp)
  }
}

/// A row of the table `change`.
package struct PendingChange: Equatable {
  package struct Key: Hashable {
    package var revision: Revision
    package var id: ItemID
  }

  package var change: ItemChange
  /// The item before the write; `nil` if the item did not exist.
  package var former: ToDoItem?
  package var origin: ChangeOrigin
  /// The size that counts against the quota, by `StoredSize`.
  package var size: Int

  /// - Parameter floor: the list's floor. A deletion does not count a state at or below the floor, which no reader
  ///   can request.
  package init(_ change: ItemChange, former: ToDoItem?, origin: ChangeOrigin, floor: Revision) {
    self.change = change
    self.former = former
    self.origin = origin
    let formerSize = former.map { StoredSize.of($0.content) } ?? 0
    switch change {
    case .put: size = formerSize
    case .deleted: size = StoredSize.row + ((former?.revision ?? floor) > floor ? formerSize : 0)
    }
  }

  package var key: Key { Key(revision: change.revision, id: change.id) }
}
