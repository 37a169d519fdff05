/// What happened to one item.
public enum ItemChange: Equatable, Sendable {
  /// The item is new or different: the whole item as this change left it, and what made it so.
  case put(ToDoItem, PutCause)
  /// The item is gone.
  case deleted(ItemDeletion)
}

/// What made an item new or different.
public enum PutCause: String, CaseIterable, Sendable {
  case added, edited, checked, unchecked
  /// The service found the coordinate of its address.
  case located
}

/// The end of an item.
public struct ItemDeletion: Equatable, Sendable {
  public var id: ItemID
  /// Whether the item was done.
  public var wasDone: Bool
  /// The revision of the deletion.
  public var revision: Revision
  public var deletedAt: Timestamp

  public init(id: ItemID, wasDone: Bool, revision: Revision, deletedAt: Timestamp) {
    self.id = id
    self.wasDone = wasDone
    self.revision = revision
    self.deletedAt = deletedAt
  }
}

extension ItemChange: Identifiable {
  /// The identity of the item that changed.
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

  /// When it happened.
  public var time: Timestamp {
    switch self {
    case .put(let item, _): item.updatedAt
    case .deleted(let deletion): deletion.deletedAt
    }
  }

  /// Whether the item had this state before or after the change, so that a list of such items is concerned.
  public func concerns(_ state: ItemState) -> Bool {
    switch (self, state) {
    case (_, .all), (.put(_, .checked), _), (.put(_, .unchecked), _): true
    case (.put(let item, _), .toDo): !item.isDone
    case (.put(let item, _), .done): item.isDone
    case (.deleted(let deletion), .toDo): !deletion.wasDone
    case (.deleted(let deletion), .done): deletion.wasDone
    }
  }

  /// How many bytes of text it has.
  package var textSize: Int {
    if case .put(let item, _) = self { item.content.textSize } else { 0 }
  }
}
