package import ToDoModel

/// The sizes in bytes that count against a list's quota: the size of the text, and a fixed amount for everything else.
package enum StoredSize {
  /// The size of an item, an item's former content or a deletion without the text.
  package static let row = 128
  /// The size of the reserved ID of a deleted item.
  package static let deletedID = 64

  /// The size that the deletion of an item that is kept adds, besides a copy of the item in the history.
  package static let deletion = row + deletedID

  /// Returns the size of an item, or of its former content.
  package static func of(_ content: ItemContent) -> Int { row + content.textSize }
}
