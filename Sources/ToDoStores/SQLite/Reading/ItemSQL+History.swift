/// The statements that read the history.
extension ItemSQL {
  /// The changes before a revision, the latest first. Parameters: 2 the revision, 3 the floor.
  static let history = history(
    items: "INDEXED BY item_updated WHERE owner = ?1 AND revision < ?2 AND revision > ?3",
    past: "", where: "c.owner = ?1 AND c.revision < ?2 AND c.revision > ?3")
  /// The changes of one item before a revision, the latest first. Parameters: 2 the revision, 3 the floor, 4 the ID.
  static let historyOfItem = history(
    items: "INDEXED BY item_id WHERE owner = ?1 AND id = ?4 AND revision < ?2 AND revision > ?3",
    past: "INDEXED BY past_change_item",
    where: "c.owner = ?1 AND c.id = ?4 AND c.revision < ?2 AND c.revision > ?3")

  /// The state that a deletion replaced has the title. Its lookup in this statement costs a fraction of a statement of
  /// its own.
  private static func history(items: String, past: String, where condition: String) -> String {
    """
    SELECT revision, id, updated_at, title, item_number, cause, \(origin) FROM item \(items)
    UNION ALL
    SELECT c.revision, c.id, c.updated_at, coalesce(c.title, f.title), coalesce(c.item_number, f.item_number), c.cause,
      c.changed_by, c.client, c.reverted
    FROM past_change AS c \(past) LEFT JOIN past_change AS f INDEXED BY past_change_replaced
      ON c.cause IS NULL AND f.owner = c.owner AND f.replaced_by = c.revision AND f.id = c.id AND f.cause IS NOT NULL
    WHERE \(condition)
    ORDER BY 1 DESC, 2 DESC
    """
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

  /// An item's states before and after a change; the latter has the change's revision. Parameters: 2 the ID, 3 that revision.
  static let statesOfChange = """
    SELECT \(ItemRow.columns) FROM past_change INDEXED BY past_change_replaced
    WHERE owner = ?1 AND replaced_by = ?3 AND id = ?2 AND cause IS NOT NULL
    UNION ALL
    SELECT \(ItemRow.columns) FROM item INDEXED BY item_id WHERE owner = ?1 AND id = ?2 AND revision = ?3
    UNION ALL
    SELECT \(ItemRow.columns) FROM past_change
    WHERE owner = ?1 AND revision = ?3 AND id = ?2 AND cause IS NOT NULL
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
