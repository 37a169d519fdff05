import ToDoModel

/// The effect of saving the form.
enum FormTarget: Equatable, Sendable {
  /// Adds an item.
  case newItem
  /// Changes an item that still has the revision.
  case item(ToDoItem, ifRevision: Revision)
  /// Adds an item instead of one that was deleted since the user began to edit it. The deleted item is `nil` if only its draft
  /// remains.
  case deletedItem(ItemID, ToDoItem?)

  /// The item that the user edits, or edited until it was deleted.
  var id: ItemID? {
    switch self {
    case .newItem: nil
    case .item(let item, _): item.id
    case .deletedItem(let id, _): id
    }
  }

  /// The item to change, or `nil` if saving adds one.
  var item: ToDoItem? {
    if case .item(let item, _) = self { item } else { nil }
  }

  var isDeleted: Bool {
    if case .deletedItem = self { true } else { false }
  }
}
