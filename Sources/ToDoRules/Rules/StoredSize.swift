public import ToDoModel

/// The sizes in bytes that count against a list's quota: the size of the text, and a fixed amount for everything else.
public enum StoredSize {
  /// The size of an item, an item's former content or a deletion without the text.
  public static let row = 128
  /// The size of the reserved ID of a deleted item.
  public static let deletedID = 64

  /// The size that the deletion of an item that is kept adds, besides a copy of the item in the history.
  public static let deletion = row + deletedID

  /// Returns the size of an item, or of its former content.
  public static func of(_ content: ItemContent) -> Int { row + content.textSize }
}
