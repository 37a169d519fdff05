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
  /// The position and the size of each item that is in one of the two.
  private var entries: [ItemID: Entry] = [:]
  /// The size of these items, as `ReceiveBudget` counts it.
  private var listedSize = 0
  private var snapshotSize = 0
  /// The pages so far of a snapshot that is not complete.
  private var snapshot: [ToDoItem] = []

  private struct Entry {
    let position: ItemPosition
    let size: Int
  }

  /// The size of the list and of the pages of a snapshot that is not complete, in bytes: 256 for each item, and its text.
  package var size: Int { listedSize + snapshotSize }

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
    // The last of several with one ID counts, so that no item is listed twice whatever the events are.
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
    // The last of several changes of one item counts.
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
