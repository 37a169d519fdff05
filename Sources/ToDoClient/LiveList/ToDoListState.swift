public import ToDoModel

/// The list that results from the events of a watch, as a pure state machine.
///
/// The watch starts with a snapshot. There is no list before the first snapshot is complete. If the watch restarts, the old
/// list stays until the new snapshot is complete.
public struct ToDoListState: Sendable {
  /// The current list; `nil` until the first snapshot is complete.
  public private(set) var list: ToDoList?

  private let state: ItemState
  private var toDo = OrderedItems()
  private var done = OrderedItems()
  /// The position and the size of each item in `toDo` and `done`.
  private var entries: [ItemID: Entry] = [:]
  /// The total size of these items, as in `ReceiveBudget`.
  private var listedSize = 0
  private var snapshotSize = 0
  /// The received items of a snapshot that is not complete.
  private var snapshot: [ToDoItem] = []

  private struct Entry {
    let position: ItemPosition
    let size: Int
  }

  /// The size of the list and an incomplete snapshot in bytes, as in `ReceiveBudget`.
  package var size: Int { listedSize + snapshotSize }

  /// Creates the state of a watch that has emitted no event.
  ///
  /// - Parameter state: The states of the items that the list contains; the watch has the same filter.
  public init(showing state: ItemState = .all) {
    self.state = state
  }

  /// Applies the next event.
  ///
  /// - Returns: Whether the event changed the list.
  @discardableResult
  public mutating func apply(_ event: WatchEvent) -> Bool {
    switch event {
    case .restarted:
      (snapshot, snapshotSize) = ([], 0)
      return false
    case .snapshotPage(let items):
      snapshot += items
      snapshotSize += items.reduce(0) { $0 + ReceiveBudget.size(of: $1) }
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
    // If several items have one ID, the last one counts, so that no item is listed twice.
    let latest = Dictionary(snapshot.lazy.filter(state.includes).map { ($0.id, $0) }) { $1 }
    (snapshot, snapshotSize) = ([], 0)
    let items = Array(latest.values)
    entries = latest.mapValues(Self.entry)
    listedSize = entries.values.reduce(0) { $0 + $1.size }
    toDo = OrderedItems(items.filter { !$0.isDone })
    done = OrderedItems(items.filter(\.isDone))
  }

  private mutating func apply(_ changes: [ItemChange]) {
    let replaced = changes.compactMap { entries.removeValue(forKey: $0.id) }
    let removed = replaced.map(\.position)
    // If several changes concern one item, the last one counts.
    var puts: [ItemID: ToDoItem] = [:]
    for change in changes {
      if case .put(let item, _) = change, state.includes(item) { puts[item.id] = item } else { puts[change.id] = nil }
    }
    let added = Array(puts.values)
    for item in added { entries[item.id] = Self.entry(of: item) }
    listedSize += added.reduce(0) { $0 + ReceiveBudget.size(of: $1) } - replaced.reduce(0) { $0 + $1.size }
    toDo.update(
      removing: removed.filter { $0.section == ItemPosition.toDo }, adding: added.filter { !$0.isDone })
    done.update(removing: removed.filter { $0.section == ItemPosition.done }, adding: added.filter(\.isDone))
  }

  private static func entry(of item: ToDoItem) -> Entry {
    Entry(position: item.position, size: ReceiveBudget.size(of: item))
  }

  private mutating func publish(_ revision: Revision) -> Bool {
    let published = ToDoList(toDo: toDo.items, done: done.items, revision: revision)
    defer { list = published }
    return list != published
  }
}
