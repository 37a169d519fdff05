public import ToDoModel

/// A list at one revision: what is to do and what is done, each in the order of `ItemOrder.list`.
public struct ToDoList: Equatable, Sendable {
  public var toDo: [ToDoItem]
  public var done: [ToDoItem]
  /// Every change up to this revision is in the list, and none after it.
  public var revision: Revision

  public init(toDo: [ToDoItem] = [], done: [ToDoItem] = [], revision: Revision = .initial) {
    self.toDo = toDo
    self.done = done
    self.revision = revision
  }
}

extension ToDoList {
  public var isEmpty: Bool { toDo.isEmpty && done.isEmpty }
  public var count: Int { toDo.count + done.count }

  /// The items that are new or different since a revision: what to point out to whoever saw the list at that revision,
  /// whatever came between. Items that were deleted since are not in the list any more.
  public func items(changedAfter revision: Revision) -> Set<ItemID> {
    guard revision < self.revision else { return [] }
    return Set([toDo, done].joined().lazy.filter { $0.revision > revision }.map(\.id))
  }
}
