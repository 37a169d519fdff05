import ToDoModel

/// Returns the item with a number, as of a revision.
func sample(_ number: Int, at revision: Int64, title: String? = nil, completedAt: Int64? = nil) -> ToDoItem {
  ToDoItem(
    id: ItemID(high: 0, low: UInt64(number)), number: ItemNumber(Int64(number)),
    content: ItemContent(title: title ?? "Item \(number)"),
    createdAt: Timestamp(microseconds: Int64(number)), updatedAt: Timestamp(microseconds: revision),
    completedAt: completedAt.map { Timestamp(microseconds: $0) }, revision: Revision(revision))
}

extension WatchEvent {
  /// Returns the changes of one revision that resulted in these items.
  static func put(_ cause: PutCause, _ items: ToDoItem...) -> WatchEvent {
    .changes(ChangeSet(revision: items[0].revision, changes: items.map { .put($0, cause) }))
  }

  /// Returns the deletions of one revision.
  static func deleted(_ items: ToDoItem..., at revision: Int64) -> WatchEvent {
    let changes = items.map { item in
      ItemChange.deleted(
        ItemDeletion(
          id: item.id, wasDone: item.isDone, revision: Revision(revision),
          deletedAt: Timestamp(microseconds: revision)))
    }
    return .changes(ChangeSet(revision: Revision(revision), changes: changes))
  }
}
