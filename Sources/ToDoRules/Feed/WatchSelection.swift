import ToDoModel

/// The items that a watch selects: by their state, and by a filter. Both are examined in memory, once for each change.
struct WatchSelection {
  /// The state of the items.
  let state: ItemState
  /// The approximate size of the filter, in bytes.
  let size: Int
  /// The selection of the items that pass the filter; `nil` without a filter.
  private let passing: ItemSelection?

  init(_ state: ItemState, _ filter: ItemFilter) {
    self.state = state
    size = filter.isEmpty ? 0 : filter.size
    passing = filter.isEmpty ? nil : ItemSelection(passing: filter)
  }

  /// Returns the items of a snapshot that pass the filter. All have the state.
  func selecting(_ items: [ToDoItem]) -> [ToDoItem] {
    guard let passing else { return items }
    return items.filter(passing.passesFilter)
  }

  /// Returns the changes to tell, or `nil` if there are none.
  ///
  /// An item that does not pass the filter is told as one to remove, because its state before the change is unknown. If the change
  /// has added it to the list, the watcher cannot have it.
  func selecting(_ set: ChangeSet) -> ChangeSet? {
    guard let concerned = set.concerning(state) else { return nil }
    guard let passing else { return concerned }
    let changes = concerned.changes.compactMap { change -> ItemChange? in
      guard case .put(let item, let cause) = change, !passing.passesFilter(item) else { return change }
      guard cause != .added else { return nil }
      return .deleted(
        ItemDeletion(
          id: item.id, wasDone: item.isDone, revision: item.revision, deletedAt: item.updatedAt, isFilteredOut: true))
    }
    return changes.isEmpty ? nil : ChangeSet(revision: set.revision, changes: changes, user: set.user)
  }
}

extension ItemSelection {
  /// Creates the selection of the items that pass a filter.
  fileprivate init(passing filter: ItemFilter) {
    self.init(
      due: filter.due, place: TextFilter(filter.place), tags: filter.tags, priorities: filter.priorities,
      wait: filter.wait, combination: FilterCombination(filter), limit: 1)
  }
}
