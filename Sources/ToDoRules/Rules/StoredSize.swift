package import ToDoModel

/// The sizes in bytes that count against a list's quota: the text, and a fixed amount for everything else.
package enum StoredSize {
  /// What an item, an item's earlier content and a deletion take without their text.
  package static let row = 128
  /// What the reserved ID of a deleted item takes.
  package static let deletedID = 64

  /// The size of an item, or of its content before a later change.
  package static func of(_ content: ItemContent) -> Int { row + content.textSize }
}
