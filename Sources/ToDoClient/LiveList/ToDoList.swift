public import ToDoModel

/// A list at one revision: the items to do and the items done, each in the order of `ItemOrder.list`.
public struct ToDoList: Equatable, Sendable {
  /// The incomplete items.
  public var toDo: [ToDoItem]
  /// The done items.
  public var done: [ToDoItem]
  /// The list's revision: it contains every change up to this revision, and none after it.
  public var revision: Revision

  /// Creates a list.
  public init(toDo: [ToDoItem] = [], done: [ToDoItem] = [], revision: Revision = .initial) {
    self.toDo = toDo
    self.done = done
    self.revision = revision
  }
}

extension ToDoList {
  /// Whether the list has no items.
  public var isEmpty: Bool { toDo.isEmpty && done.isEmpty }
  /// The number of items.
  public var count: Int { toDo.count + done.count }

  /// Returns the IDs of the items that were added or changed after a revision, for a user who saw the list at that revision.
  /// Items that were deleted since then are no longer in the list.
  public func items(changedAfter revision: Revision) -> Set<ItemID> {
    guard revision < self.revision else { return [] }
    return Set([toDo, done].joined().lazy.filter { $0.revision > revision }.map(\.id))
  }
}
