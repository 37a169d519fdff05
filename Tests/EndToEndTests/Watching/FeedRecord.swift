import ToDoModel

/// The events that one watcher received.
struct FeedRecord: Sendable {
  enum Entry: Sendable {
    /// The watcher started a watch; each but the first resumes the previous one.
    case started(WatchStart)
    /// The watcher received an event.
    case received(WatchEvent)
  }

  let watcher: String
  let state: ItemState
  var filter = ItemFilter()
  var entries: [Entry] = []
}

extension FeedRecord {
  /// Whether the watcher sees every change.
  var isComplete: Bool { state == .all && filter.isEmpty }

  /// Whether an item passes the filter, of which experiments use only the priorities.
  func passes(_ item: ToDoItem) -> Bool { filter.priorities.isEmpty || filter.priorities.contains(item.priority) }

  /// Returns those of all changes of a revision that the watcher should receive, as it should.
  func selecting(_ changes: [ItemChange]) -> [ItemChange] {
    changes.filter { $0.concerns(state) }.compactMap { change in
      guard case .put(let item, let cause) = change, !passes(item) else { return change }
      let removal = ItemDeletion(
        id: item.id, wasDone: item.isDone, revision: item.revision, deletedAt: item.updatedAt, isFilteredOut: true)
      return cause == .added ? nil : .deleted(removal)
    }
  }
}
