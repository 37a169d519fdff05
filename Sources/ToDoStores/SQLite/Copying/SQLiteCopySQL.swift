/// The statements that copy a list from or to a database. Parameter 1 is the owner's number, unless specified
/// otherwise.
enum SQLiteCopySQL {
  // MARK: Reading

  static let lists = """
    SELECT name, revision, floor, item_count, byte_count, last_number, deletion FROM owner ORDER BY name
    """
  /// Parameter 1: the name.
  static let owner = "SELECT number FROM owner WHERE name = ?1"

  /// The items that are present or deleted, by ID.
  static let items = """
    SELECT \(SQLiteItemRow.columns), deleted_at, expires_at, added_as, \(ItemSQL.origin) FROM (
      SELECT \(SQLiteItemRow.columns), NULL AS deleted_at, NULL AS expires_at, added_as, \(ItemSQL.origin)
      FROM item INDEXED BY item_id WHERE owner = ?1
      UNION ALL
      SELECT \(SQLiteItemRow.columns), deleted_at, expires_at, added_as, NULL, NULL, NULL, NULL
      FROM deleted_item WHERE owner = ?1)
    ORDER BY id
    """

  /// The changes after the floor, by revision and ID. Parameter 2: the floor.
  static let changes = """
    SELECT \(SQLiteItemRow.columns), \(ItemSQL.origin) FROM item INDEXED BY item_updated WHERE owner = ?1 AND revision > ?2
    UNION ALL
    SELECT \(SQLiteItemRow.columns), \(ItemSQL.origin) FROM past_change WHERE owner = ?1 AND revision > ?2
    ORDER BY revision, id
    """
  /// The state before a change. Parameters: 2 the revision of the change, 3 the ID.
  static let formerState = """
    SELECT \(SQLiteItemRow.columns), \(ItemSQL.origin) FROM past_change INDEXED BY past_change_replaced
    WHERE owner = ?1 AND replaced_by = ?2 AND id = ?3 AND cause IS NOT NULL
    """
  /// The number of states before the changes after the floor. Parameter 2: the floor.
  static let formerStateCount = """
    SELECT count(*) FROM past_change INDEXED BY past_change_replaced
    WHERE owner = ?1 AND replaced_by > ?2 AND cause IS NOT NULL
    """
  /// The item that names a deletion whose former state is not stored. Parameter 2: the ID.
  static let title = """
    SELECT \(SQLiteItemRow.columns) FROM deleted_item WHERE owner = ?1 AND id = ?2 AND expires_at IS NOT NULL
    UNION ALL
    SELECT \(SQLiteItemRow.columns) FROM item INDEXED BY item_id WHERE owner = ?1 AND id = ?2
    LIMIT 1
    """
  /// The rows up to the floor that compaction has not removed yet. The two rows of one deletion follow each other.
  /// Parameter 2: the floor.
  static let remainders = """
    SELECT \(SQLiteItemRow.columns), \(ItemSQL.origin), replaced_by FROM past_change INDEXED BY past_change_replaced
    WHERE owner = ?1 AND replaced_by <= ?2 ORDER BY replaced_by, id
    """
  static let lookups = "SELECT id, address, attempts, due FROM pending_lookup WHERE owner = ?1 ORDER BY id"

  // MARK: Writing

  /// Parameters: those of `SQLiteItemRow.bind`, then the fingerprint that the item was added with.
  static let insertItem = """
    INSERT INTO item (
      owner, id, \(SQLiteItemRow.changingColumns), item_number, fingerprint, added_as, place, \(ItemSQL.origin))
    VALUES (?1, ?2, \(SQLiteItemRow.changingParameters), \(number), ?\(SQLiteItemRow.fingerprintParameter), ?\(extraParameter),
      ?\(SQLiteItemRow.placeParameter), \(ItemSQL.originParameters))
    """
  /// Parameters: those of `SQLiteItemRow.bind`, then the fingerprint that the item was added with, the times of deletion
  /// and expiry.
  static let insertKept = """
    INSERT INTO deleted_item (owner, id, \(SQLiteItemRow.changingColumns), item_number, added_as, deleted_at, expires_at)
    VALUES (?1, ?2, \(SQLiteItemRow.changingParameters), \(number), ?\(extraParameter), ?\(extraParameter + 1),
      ?\(extraParameter + 2))
    """
  /// Parameters: those of `SQLiteItemRow.bind`, then the revision of the change that replaced the state.
  static let insertFormer = """
    INSERT INTO past_change (owner, id, \(SQLiteItemRow.changingColumns), item_number, \(ItemSQL.origin), replaced_by)
    VALUES (?1, ?2, \(SQLiteItemRow.changingParameters), \(number), \(ItemSQL.originParameters), ?\(extraParameter))
    """
  /// The first parameter after those of `SQLiteItemRow.bind`.
  static let extraParameter = SQLiteItemRow.originParameter + SQLiteItemRow.originCount

  private static let number = "?\(SQLiteItemRow.Column.number.parameter)"

  // MARK: Progress

  static let createProgress = """
    CREATE TABLE move_source (incarnation INTEGER NOT NULL, key BLOB NOT NULL) STRICT;
    CREATE TABLE move_list (
      list TEXT PRIMARY KEY NOT NULL, items INTEGER NOT NULL, deleted INTEGER NOT NULL, changes INTEGER NOT NULL,
      lookups INTEGER NOT NULL, checksum INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    """
  static let dropProgress = "DROP TABLE move_list; DROP TABLE move_source"
  static let hasProgress = "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'move_source'"
}
