import ToDoModel

/// The items that a watch selects: by their state, and by a filter. Both are examined in memory, once for each change.
///
/// The examination by a filter yields its thread from time to time, because texts are long and changes many.
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

  /// Whether there is a filter. Without one, progress is the end of the past changes.
  var hasFilter: Bool { passing != nil }

  /// Returns the items of a snapshot that pass the filter. All have the state.
  ///
  /// - Throws: `CancellationError`.
  func selecting(_ items: [ToDoItem]) async throws -> [ToDoItem] {
    guard let passing else { return items }
    var (selected, pace) = ([ToDoItem](), ExaminationPace())
    for item in items {
      try await pace.prepare(for: item)
      if passing.passesFilter(item) { selected.append(item) }
    }
    return selected
  }

  /// Returns the changes to tell, or `nil` if there are none.
  ///
  /// An item that does not pass the filter is told as one to remove, because its state before the change is unknown. If the change
  /// has added it to the list, the watcher cannot have it.
  ///
  /// - Throws: `CancellationError`.
  func selecting(_ set: ChangeSet) async throws -> ChangeSet? {
    guard let concerned = set.concerning(state) else { return nil }
    guard let passing else { return concerned }
    var (changes, pace) = ([ItemChange](), ExaminationPace())
    for change in concerned.changes {
      guard case .put(let item, let cause) = change else {
        changes.append(change)
        continue
      }
      try await pace.prepare(for: item)
      if passing.passesFilter(item) {
        changes.append(change)
      } else if cause != .added {
        changes.append(.deleted(ItemDeletion(filteredOut: item)))
      }
    }
    return changes.isEmpty ? nil : ChangeSet(revision: set.revision, changes: changes, user: set.user)
  }
}

/// The pace at which items are examined, so that other tasks run in between.
private struct ExaminationPace {
  private var size = 0

  /// The size of the items that are examined without a break, in bytes.
  private static let limit = 64 << 10

  /// Takes a break if the next item exceeds the limit.
  mutating func prepare(for item: ToDoItem) async throws {
    let itemSize = 2 << 10 + item.content.textSize
    size += itemSize
    guard size > Self.limit else { return }
    size = itemSize
    try Task.checkCancellation()
    await Task.yield()
  }
}

extension ItemDeletion {
  /// Creates the deletion that tells of an item that does not pass a filter.
  fileprivate init(filteredOut item: ToDoItem) {
    self.init(
      id: item.id, wasDone: item.isDone, revision: item.revision, deletedAt: item.updatedAt, isFilteredOut: true)
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
