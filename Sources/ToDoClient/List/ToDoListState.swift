public import ToDoModel

/// A list as the events of a watch make it: no I/O, one event after the other.
///
/// The watch starts with a snapshot. Nothing is shown half: there is no list before the first snapshot is complete, and
/// when a watch starts anew, the old list stays until the new snapshot is complete.
public struct ToDoListState: Sendable {
  /// `nil` until the first snapshot is complete.
  public private(set) var list: ToDoList?

  private let state: ItemState
  private var toDo = OrderedItems()
  private var done = OrderedItems()
  /// Where each item stands that is in one of the two.
  private var positions: [ItemID: ItemPosition] = [:]
  /// The pages so far of a snapshot that is not complete.
  private var snapshot: [ToDoItem] = []

  /// - Parameter state: which items the list shows; the watch is filtered by the same.
  public init(showing state: ItemState = .all) {
    self.state = state
  }

  /// Takes in the next event.
  ///
  /// - Returns: whether that changed the list.
  @discardableResult
  public mutating func apply(_ event: WatchEvent) -> Bool {
    switch event {
    case .restarted:
      snapshot = []
      return false
    case .snapshotPage(let items):
      snapshot += items
      return false
    case .snapshotEnd(let revision):
      replaceAll()
      return publish(revision)
    case .changes(let set):
      apply(set.changes)
      return publish(set.revision)
    case .progress(let revision):
      return publish(revision)
    }
  }

  private mutating func replaceAll() {
    let items = snapshot.filter(state.includes)
    snapshot = []
    positions = Dictionary(items.map { ($0.id, $0.position) }) { $1 }
    toDo = OrderedItems(items.filter { !$0.isDone })
    done = OrderedItems(items.filter(\.isDone))
  }

  private mutating func apply(_ changes: [ItemChange]) {
    let removed = changes.compactMap { positions.removeValue(forKey: $0.id) }
    let added = changes.compactMap { change in
      if case .put(let item, _) = change, state.includes(item) { item } else { nil }
    }
    for item in added { positions[item.id] = item.position }
    toDo.update(
      removing: removed.filter { $0.section == ItemPosition.toDo }, adding: added.filter { !$0.isDone })
    done.update(removing: removed.filter { $0.section == ItemPosition.done }, adding: added.filter(\.isDone))
  }

  private mutating func publish(_ revision: Revision) -> Bool {
    let published = ToDoList(toDo: toDo.items, done: done.items, revision: revision)
    defer { list = published }
    return list != published
  }
}
