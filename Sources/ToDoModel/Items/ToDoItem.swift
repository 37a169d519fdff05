/// A to-do item as a store contains it.
///
/// Two values with the same `id` are states of the same item at different times.
public struct ToDoItem: Identifiable, Hashable, Sendable {
  /// The item's ID.
  public let id: ItemID
  /// The item's number in its list, which the store assigns when the item is added.
  public var number: ItemNumber
  /// The part of the item that a user writes.
  public var content: ItemContent
  /// The time when the item was added.
  public var createdAt: Timestamp
  /// The time of the item's last change.
  public var updatedAt: Timestamp
  /// The time when the item was checked, or `nil` while it is incomplete.
  public var completedAt: Timestamp?
  /// The revision of the item's last change.
  public var revision: Revision
  /// The deletion of an item that can be restored. `nil` for an item that is not deleted.
  public var deletion: Deletion?

  /// The deletion of an item that can be restored.
  public struct Deletion: Hashable, Sendable {
    /// The time when the item was deleted.
    public var deletedAt: Timestamp
    /// The time from which the item can no longer be restored.
    public var expiresAt: Timestamp

    /// Creates a deletion.
    public init(deletedAt: Timestamp, expiresAt: Timestamp) {
      self.deletedAt = deletedAt
      self.expiresAt = expiresAt
    }
  }

  /// Creates an item.
  public init(
    id: ItemID, number: ItemNumber, content: ItemContent, createdAt: Timestamp, updatedAt: Timestamp,
    completedAt: Timestamp? = nil, revision: Revision, deletion: Deletion? = nil
  ) {
    self.id = id
    self.number = number
    self.content = content
    self.createdAt = createdAt
    self.updatedAt = updatedAt
    self.completedAt = completedAt
    self.revision = revision
    self.deletion = deletion
  }

  /// Hashes what distinguishes the states of items: the ID and the revision.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(id)
    hasher.combine(revision)
  }

  /// Whether the item is, by its ID, the done item that the check of an item that repeats has added, and has not changed since.
  package var isUnchangedOccurrence: Bool {
    id.isOccurrence && completedAt == createdAt && updatedAt == createdAt && repetition == nil
  }

  /// The revision with which a check of the item is bound to one occurrence, or `nil` for an item that does not repeat.
  package var revisionToCheck: Revision? { repetition == nil ? nil : revision }

  /// Whether the item is done.
  public var isDone: Bool { completedAt != nil }

  /// Whether the item waits at a time: it is not done, and `waitUntil` is later.
  public func isWaiting(at time: Timestamp) -> Bool {
    guard let until = content.waitUntil, !isDone else { return false }
    return time < until
  }
}

/// An item to add: an ID that the caller generates, and the content.
public struct NewItem: Identifiable, Hashable, Sendable {
  /// The item's ID.
  public let id: ItemID
  /// The item's content.
  public var content: ItemContent

  /// Creates an item to add.
  public init(id: ItemID, content: ItemContent) {
    self.id = id
    self.content = content
  }
}

extension NewItem {
  /// The maximum number of items in a batch.
  public static let batchLimit = 500

  /// The maximum size of a batch's texts, in bytes, so that the response fits into a message of 4 MiB.
  public static let batchTextLimit = 3 << 20
}
