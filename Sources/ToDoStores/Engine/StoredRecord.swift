package import ToDoModel
package import ToDoRules

/// The state of an ID in a store.
package enum StoredRecord: Equatable, Sendable {
  /// The store has no row with this ID.
  case absent
  /// The item was deleted, and its content removed.
  case reserved
  /// The item was deleted, and can be restored. It has `deletion`.
  case kept(ToDoItem, addedAs: ContentFingerprint?)
  case present(ToDoItem, addedAs: ContentFingerprint?)
  /// The stored content is invalid. Only a write that reads this record fails.
  case unreadable(ToDoError)
}

extension StoredRecord {
  /// The record as a transaction returns it.
  ///
  /// - Throws: the error of an unreadable record, as the other accessors do.
  package var itemRecord: ItemRecord {
    get throws(ToDoError) {
      switch self {
      case .absent: .absent
      case .reserved, .kept: .deleted
      case .present(let item, let addedAs): .present(item, addedAs: addedAs)
      case .unreadable(let error): throw error
      }
    }
  }

  /// The deleted item, if it can be restored.
  package var keptItem: ToDoItem? {
    get throws(ToDoError) {
      switch self {
      case .absent, .reserved, .present: nil
      case .kept(let item, _): item
      case .unreadable(let error): throw error
      }
    }
  }

  /// The item that a write changes or deletes.
  ///
  /// - Precondition: The item exists.
  package var current: (item: ToDoItem, addedAs: ContentFingerprint?) {
    get throws(ToDoError) {
      switch self {
      case .present(let item, let addedAs): return (item, addedAs)
      case .unreadable(let error): throw error
      case .absent, .reserved, .kept: preconditionFailure("only an existing item is changed")
      }
    }
  }

  /// The item that a write restores.
  ///
  /// - Precondition: The item is kept.
  package var restorable: (item: ToDoItem, addedAs: ContentFingerprint?) {
    get throws(ToDoError) {
      switch self {
      case .kept(let item, let addedAs): return (item, addedAs)
      case .unreadable(let error): throw error
      case .absent, .reserved, .present: preconditionFailure("only a kept item is restored")
      }
    }
  }

  /// The record of a row.
  init(_ row: PendingItem) {
    switch row.state {
    case .present: self = .present(row.item, addedAs: row.addedAs)
    case .kept: self = .kept(row.item, addedAs: row.addedAs)
    case .reserved: self = .reserved
    }
  }
}

/// The row of an item that a transaction has to write.
package struct PendingItem: Equatable, Sendable {
  /// The item. Its `revision` is that of the row.
  package var item: ToDoItem
  /// The fingerprint of the content; `nil` if the item is deleted.
  package var fingerprint: ContentFingerprint?
  package var addedAs: ContentFingerprint?
  package var state: State
  /// Whether the store has no row with this ID.
  package var isNew: Bool

  /// The forms of a stored item.
  package enum State: Equatable, Sendable {
    case present
    case kept(deletedAt: Timestamp, expiresAt: Timestamp)
    /// Only the ID, the revision and the time of the deletion are stored.
    case reserved(deletedAt: Timestamp)
  }

  package init(
    item: ToDoItem, fingerprint: ContentFingerprint?, addedAs: ContentFingerprint?, state: State, isNew: Bool
  ) {
    self.item = item
    self.fingerprint = fingerprint
    self.addedAs = addedAs
    self.state = state
    self.isNew = isNew
  }
}

/// The row of a change that a transaction has to write.
package struct PendingChange: Equatable, Sendable {
  package struct Key: Hashable, Sendable {
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
    let isCounted = change.isDeletion ? (former?.revision ?? floor) > floor : former != nil
    size = change.ownSize + (isCounted ? StoredSize.of(former) : 0)
  }

  /// Replaces an earlier change that the same write made. The former state stays the earlier one, and counts if it counted then.
  init(_ change: ItemChange, replacing earlier: PendingChange, origin: ChangeOrigin) {
    self.change = change
    former = earlier.former
    self.origin = origin
    size = change.ownSize + earlier.size - earlier.change.ownSize
  }

  package var key: Key { Key(revision: change.revision, id: change.id) }

  /// The change as a transaction returns it.
  var revertible: RevertibleChange {
    switch change {
    case .put(_, .added), .put(_, .restored), .deleted: RevertibleChange(change, former: nil, moved: origin.moved)
    case .put: RevertibleChange(change, former: former)
    }
  }
}

extension ItemChange {
  fileprivate var isDeletion: Bool { if case .deleted = self { true } else { false } }

  /// The size of the change without the former state, by `StoredSize`. A put is the item's row.
  fileprivate var ownSize: Int { isDeletion ? StoredSize.row : 0 }
}

extension StoredSize {
  /// Returns the size of a former state, if there is one.
  fileprivate static func of(_ former: ToDoItem?) -> Int { former.map { of($0.content) } ?? 0 }
}
