import ToDoModel
import ToDoRules

/// The statements for deleted items, whose rows of `deleted_item` contain the items until they expire or are removed.
extension ItemSQL {
  /// Reserves the ID of an item, and keeps the item, before its row is deleted. Parameters: 2 the ID, 3 the revision, 4 the
  /// time, 5 the expiry.
  static let keepDeleted = """
    INSERT INTO deleted_item (owner, id, revision, deleted_at, expires_at, \(keptColumns), added_as)
    SELECT owner, id, ?3, ?4, ?5, \(keptColumns), added_as FROM item INDEXED BY item_id WHERE owner = ?1 AND id = ?2
    """
  /// Parameter 2: the ID.
  static let keptItem = """
    SELECT \(ItemRow.deletedColumns) FROM deleted_item WHERE owner = ?1 AND id = ?2 AND expires_at IS NOT NULL
    """
  /// Parameters: 2 the item's number, 3 the current time.
  static let keptItemOfNumber = """
    SELECT \(ItemRow.deletedColumns) FROM deleted_item INDEXED BY deleted_item_number
    WHERE owner = ?1 AND item_number = ?2 AND expires_at > ?3
    """
  /// Parameter 2: the ID.
  static let removeDeletedID = "DELETE FROM deleted_item WHERE owner = ?1 AND id = ?2"

  /// Removes the deletion of an item that the same revision restores. Parameters: 2 the revision, 3 the ID.
  static let removeDeletion =
    "DELETE FROM past_change WHERE owner = ?1 AND revision = ?2 AND id = ?3 AND cause IS NULL"

  /// The sizes of the kept items that expire first. Parameters: 2 the latest expiry, 3 the maximum number.
  static let expiredItems = """
    SELECT \(size) FROM deleted_item INDEXED BY deleted_item_expiry
    WHERE owner = ?1 AND expires_at <= ?2 ORDER BY expires_at LIMIT ?3
    """
  /// Removes the content of the kept items that expire first. Parameters: those of `expiredItems`.
  static let removeExpired = """
    UPDATE deleted_item SET (expires_at, added_as, \(keptColumns)) = (NULL, NULL, \(keptNulls))
    WHERE owner = ?1 AND id IN (
      SELECT id FROM deleted_item INDEXED BY deleted_item_expiry
      WHERE owner = ?1 AND expires_at <= ?2 ORDER BY expires_at LIMIT ?3)
    """

  /// The `StoredSize` of a row of `deleted_item`.
  static let deletedSize = "(\(StoredSize.deletedID) + CASE WHEN expires_at IS NULL THEN 0 ELSE \(size) END)"

  /// The kept items, the most recently deleted first. Parameters: 2 and 3 the exclusive start, 4 the current time.
  static func deletedItems(_ state: ItemState) -> String {
    let condition =
      switch state {
      case .all: ""
      case .toDo: "AND completed_at IS NULL"
      case .done: "AND completed_at IS NOT NULL"
      }
    return """
      SELECT \(ItemRow.deletedColumns) FROM deleted_item INDEXED BY deleted_item_revision
      WHERE owner = ?1 AND (revision, id) < (?2, ?3) AND expires_at > ?4 \(condition)
      ORDER BY revision DESC, id DESC
      """
  }

  /// The columns of `deleted_item` that have the same names and values as those of the item.
  private static let keptColumns = keptNames.joined(separator: ", ")
  private static let keptNulls = keptNames.map { _ in "NULL" }.joined(separator: ", ")
  private static let keptNames =
    ItemRow.Column.allCases.filter { $0 != .id && $0 != .revision }.map(\.name)
}
