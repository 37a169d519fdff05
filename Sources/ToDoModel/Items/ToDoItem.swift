/// A to-do item as a store holds it.
///
/// An item's identity is its `id`: two values with the same `id` are the same item at different times.
public struct ToDoItem: Identifiable, Equatable, Sendable {
  public let id: ItemID
  public var content: ItemContent
  /// When the item was first added.
  public var createdAt: Timestamp
  /// When any part of the item last changed.
  public var updatedAt: Timestamp
  /// When the item was checked; `nil` while it is to do.
  public var completedAt: Timestamp?
  /// The revision of the item's last change.
  public var revision: Revision

  public init(
    id: ItemID, content: ItemContent, createdAt: Timestamp, updatedAt: Timestamp, completedAt: Timestamp? = nil,
    revision: Revision
  ) {
    self.id = id
    self.content = content
    self.createdAt = createdAt
    self.updatedAt = updatedAt
    self.completedAt = completedAt
    self.revision = revision
  }

  public var isDone: Bool { completedAt != nil }

  public var title: String { content.title }
  public var itemDescription: String? { content.itemDescription }
  public var due: DueDate? { content.due }
  public var location: Location? { content.location }
}

/// An item that a caller wants to add: its identity, made by the caller, and its content.
public struct NewItem: Identifiable, Equatable, Sendable {
  public let id: ItemID
  public var content: ItemContent

  public init(id: ItemID, content: ItemContent) {
    self.id = id
    self.content = content
  }
}

extension NewItem {
  /// The most items that one batch adds.
  public static let batchLimit = 500

  /// How many bytes of text a batch has at most, so that its answer fits into a message of 4 MiB.
  public static let batchTextLimit = 3 << 20
}
