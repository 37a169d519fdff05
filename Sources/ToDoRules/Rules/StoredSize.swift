public import ToDoModel

/// The sizes in bytes that count against a list's quota: the size of the text, and a fixed amount for everything else.
public enum StoredSize {
  /// The size of an item, an item's former content or a deletion without the text.
  public static let row = 128
  /// The size of a deleted item's reserved ID.
  public static let deletedID = 64

  /// The size that the deletion of a kept item adds, besides the item's copy in the history.
  public static let deletion = row + deletedID

  /// The size of a coordinate's source that `row` includes, in bytes: enough for the name of any geocoder. A caller may name
  /// a longer source.
  public static let source = 32

  /// Returns an item's size, or of its former content.
  public static func of(_ content: ItemContent) -> Int {
    let sourceSize = content.location?.provenance?.source.utf8.count ?? 0
    return row + content.textSize + max(sourceSize - source, 0)
  }
}
