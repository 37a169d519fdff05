/// A change of one item. The enum is complete: after a change, there is an item or there is none.
public enum ItemChange: Equatable, Sendable {
  /// The item was added or changed. Contains the whole item after the change, and the cause.
  case put(ToDoItem, PutCause)
  /// The item was deleted, or does not pass the filter of the watch.
  case deleted(ItemDeletion)
}

/// The operation that added or changed an item.
@nonexhaustive
public enum PutCause: String, CaseIterable, Sendable {
  /// `added`, `edited`, `checked` and `unchecked` name the operation of the caller.
  case added, edited, checked, unchecked
  /// The service resolved the item's address to a coordinate.
  case located
  /// The deleted item was restored.
  case restored
  /// The item was returned to the state before an earlier change.
  case reverted
}

/// An item's deletion, or a change after which the item does not pass the filter of the watch.
public struct ItemDeletion: Equatable, Sendable {
  /// The item's ID.
  public var id: ItemID
  /// Whether the item was done when it was deleted, or is done after the change.
  public var wasDone: Bool
  /// The deletion's revision.
  public var revision: Revision
  /// The deletion's time.
  public var deletedAt: Timestamp
  /// Whether the item was not deleted, but changed, and does not pass the filter of the watch. It may not have passed before.
  public var isFilteredOut: Bool

  /// Creates a deletion.
  public init(
    id: ItemID, wasDone: Bool, revision: Revision, deletedAt: Timestamp, isFilteredOut: Bool = false
  ) {
    self.id = id
    self.wasDone = wasDone
    self.revision = revision
    self.deletedAt = deletedAt
    self.isFilteredOut = isFilteredOut
  }
}

extension ItemChange: Identifiable {
  /// The ID of the item that changed.
  public var id: ItemID {
    switch self {
    case .put(let item, _): item.id
    case .deleted(let deletion): deletion.id
    }
  }

  /// The revision that the change belongs to. Changes of one request share it.
  public var revision: Revision {
    switch self {
    case .put(let item, _): item.revision
    case .deleted(let deletion): deletion.revision
    }
  }

  /// The change's time.
  public var time: Timestamp {
    switch self {
    case .put(let item, _): item.updatedAt
    case .deleted(let deletion): deletion.deletedAt
    }
  }

  /// Whether the item had a state before or after the change, so that a list filtered by that state is affected.
  public func concerns(_ state: ItemState) -> Bool {
    switch (self, state) {
    case (_, .all), (.put(_, .checked), _), (.put(_, .unchecked), _), (.put(_, .reverted), _): true
    case (.put(let item, _), .toDo): !item.isDone
    case (.put(let item, _), .done): item.isDone
    case (.deleted(let deletion), .toDo): !deletion.wasDone
    case (.deleted(let deletion), .done): deletion.wasDone
    }
  }

  /// The size of the change's text, in bytes of UTF-8.
  public var textSize: Int {
    if case .put(let item, _) = self { item.content.textSize } else { 0 }
  }
}
