/// The statements that read the history.
extension ItemSQL {
  /// The changes before a revision, the latest first. Parameters: 2 the revision, 3 the floor.
  static let history = history(
    items: "FROM item INDEXED BY item_updated WHERE owner = ?1 AND revision < ?2 AND revision > ?3",
    past: "FROM past_change WHERE owner = ?1 AND revision < ?2 AND revision > ?3")
  /// The changes of one item before a revision, the latest first. Parameters: 2 the revision, 3 the floor, 4 the ID.
  static let historyOfItem = history(
    items: "FROM item INDEXED BY item_id WHERE owner = ?1 AND id = ?4 AND revision < ?2 AND revision > ?3",
    past: "FROM past_change WHERE owner = ?1 AND revision < ?2 AND revision > ?3 AND id = ?4")

  private static func history(items: String, past: String) -> String {
    let columns = "revision, id, updated_at, title, item_number, cause, \(origin)"
    return "SELECT \(columns) \(items) UNION ALL SELECT \(columns) \(past) ORDER BY revision DESC, id DESC"
  }

  /// The title and the number of a deleted item. Parameters: 2 the ID, 3 the revision of the deletion.
  static let titleBeforeDeletion = """
    SELECT title, item_number FROM past_change INDEXED BY past_change_replaced
    WHERE owner = ?1 AND replaced_by = ?3 AND id = ?2 AND cause IS NOT NULL
    UNION ALL
    SELECT title, item_number FROM deleted_item WHERE owner = ?1 AND id = ?2 AND expires_at IS NOT NULL
    UNION ALL
    SELECT title, item_number FROM item INDEXED BY item_id WHERE owner = ?1 AND id = ?2
    LIMIT 1
    """

  /// The changes of a revision, by ID. Parameters: 2 the revision, 3 the ID after which they begin, 4 the maximum number.
  static let changesOfRevision = """
    SELECT \(ItemRow.columns) FROM item INDEXED BY item_updated WHERE owner = ?1 AND revision = ?2 AND id > ?3
    UNION ALL
    SELECT \(ItemRow.columns) FROM past_change WHERE owner = ?1 AND revision = ?2 AND id > ?3
    ORDER BY id LIMIT ?4
    """
  /// The state of an item before a change. Parameters: 2 the revision of the change, 3 the ID.
  static let formerState = """
    SELECT \(ItemRow.columns) FROM past_change INDEXED BY past_change_replaced
    WHERE owner = ?1 AND replaced_by = ?2 AND id = ?3 AND cause IS NOT NULL
    """
}
