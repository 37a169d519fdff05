import ToDoModel
import ToDoRules

/// The statements of the store, except those of migrations and accounts.
///
/// Each statement names its index (`INDEXED BY`), so that SQLite rejects the statement instead of scanning a list. Without the
/// name, it planned the duplicate lookup as a scan of all the owner's items. A test asserts the plans.
///
/// Parameter 1 is the owner's number, unless specified otherwise.
enum ItemSQL {
  // MARK: Transactions

  static let begin = "BEGIN IMMEDIATE"
  static let beginReading = "BEGIN"
  static let commit = "COMMIT"
  static let rollback = "ROLLBACK"
  static let setSavepoint = "SAVEPOINT body"
  static let releaseSavepoint = "RELEASE body"
  static let rollBackToSavepoint = "ROLLBACK TO body"

  // MARK: Owners

  static let schemaVersion = "PRAGMA user_version"
  static let incarnation = "SELECT incarnation FROM list_incarnation"
  /// Parameter 1: the incarnation.
  static let setIncarnation = "UPDATE list_incarnation SET incarnation = ?1"
  /// Parameter 1: the name.
  static let owner = """
    SELECT number, revision, floor, item_count, byte_count, deletion, deletion_time, last_number, deletion_expiry,
      deletion_by, deletion_client, access_version, deletion_byte_limit
    FROM owner WHERE name = ?1
    """
  /// Parameter 1: the name. Returns the number.
  static let addOwner = """
    INSERT INTO owner (name, revision, access_version) VALUES (?1, 0, (SELECT version FROM account_version))
    RETURNING number
    """
  static let accountVersion = "SELECT version FROM account_version"
  /// Parameter 1: the ID of a further list.
  static let availableList =
    "SELECT 1 FROM user_list WHERE id = ?1 AND id <> 'default' AND deleted_at IS NULL"
  /// Parameters: 2 the revision, 3 the floor, 4 the number of items, 5 the bytes of items and history, 6 the highest number of
  /// an item.
  static let setRevision = """
    UPDATE owner SET (revision, floor, item_count, byte_count, last_number) = (?2, ?3, ?4, ?5, ?6) WHERE number = ?1
    """

  /// Parameters: 2 the `PendingDeletion`, 3 its time, 4 its expiry, 5 and 6 its user and client, 7 its limit in bytes.
  static let setDeletion = """
    UPDATE owner SET (deletion, deletion_time, deletion_expiry, deletion_by, deletion_client, deletion_byte_limit)
      = (?2, ?3, ?4, ?5, ?6, ?7)
    WHERE number = ?1
    """

  // MARK: Lookups

  /// Parameters: 1 the owner's name, 2 the ID.
  static let item = """
    SELECT \(SQLiteItemRow.columns) FROM item INDEXED BY item_id
    WHERE owner = (SELECT number FROM owner WHERE name = ?1 AND deletion IS NULL) AND id = ?2
    """
  /// Parameter 2: the item's number.
  static let itemOfNumber = """
    SELECT \(SQLiteItemRow.columns) FROM item INDEXED BY item_number WHERE owner = ?1 AND item_number = ?2
    """
  /// Parameter 2: the ID.
  static let record =
    "SELECT \(SQLiteItemRow.columns), added_as FROM item INDEXED BY item_id WHERE owner = ?1 AND id = ?2"
  /// Parameter 2: the ID.
  static let deletedItem = "SELECT 1 FROM deleted_item WHERE owner = ?1 AND id = ?2"
  /// The first incomplete item whose fingerprint is in a range. Parameters: 2 and 3 the ends of the range.
  static let incompleteItem = """
    SELECT id, fingerprint FROM item INDEXED BY item_fingerprint
    WHERE owner = ?1 AND fingerprint BETWEEN ?2 AND ?3 AND completed_at IS NULL LIMIT 1
    """
  /// The incomplete items whose fingerprints are in a range. Parameters: 2 and 3 the ends of the range, 4 the number of items.
  static let incompleteItems = """
    SELECT id FROM item INDEXED BY item_fingerprint
    WHERE owner = ?1 AND fingerprint BETWEEN ?2 AND ?3 AND completed_at IS NULL LIMIT ?4
    """

  // MARK: Changes

  /// Parameters: those of `SQLiteItemRow.bind`.
  static let insert = """
    INSERT INTO item (owner, id, \(SQLiteItemRow.changingColumns), item_number, fingerprint, added_as, place, \(origin))
    VALUES (?1, ?2, \(SQLiteItemRow.changingParameters), ?\(SQLiteItemRow.Column.number.parameter), \(fingerprint), \(fingerprint),
      \(place), \(originParameters))
    """
  /// Inserts a deleted item, before its row of `deleted_item` is removed. Parameters: those of `SQLiteItemRow.bind`.
  static let restore = """
    INSERT INTO item (owner, id, \(SQLiteItemRow.changingColumns), item_number, fingerprint, added_as, place, \(origin))
    VALUES (?1, ?2, \(SQLiteItemRow.changingParameters), ?\(SQLiteItemRow.Column.number.parameter), \(fingerprint),
      (SELECT added_as FROM deleted_item WHERE owner = ?1 AND id = ?2), \(place), \(originParameters))
    """
  /// Parameters: those of `SQLiteItemRow.bind`.
  static let update = """
    UPDATE item INDEXED BY item_id
    SET (\(SQLiteItemRow.changingColumns), fingerprint, place, \(origin))
      = (\(SQLiteItemRow.changingParameters), \(fingerprint), \(place), \(originParameters))
    WHERE owner = ?1 AND id = ?2
    """
  private static let fingerprint = "?\(SQLiteItemRow.fingerprintParameter)"
  private static let place = "?\(SQLiteItemRow.placeParameter)"
  /// The columns of a `ChangeOrigin`.
  static let origin = "changed_by, client, reverted, moved"
  static let originParameters =
    (0..<SQLiteItemRow.originCount).map { "?\(SQLiteItemRow.originParameter + $0)" }.joined(separator: ", ")
  /// Parameter 2: the ID.
  static let delete = "DELETE FROM item INDEXED BY item_id WHERE owner = ?1 AND id = ?2"
  /// Reserves the ID of a deleted item. Parameters: 2 the ID, 3 the revision, 4 the time.
  static let markDeleted = "INSERT INTO deleted_item (owner, id, revision, deleted_at) VALUES (?1, ?2, ?3, ?4)"

  /// The items of a bulk deletion: their IDs, completion times and sizes. Parameter 2: the maximum number.
  static let firstItems = """
    SELECT id, completed_at, \(size) FROM item INDEXED BY item_updated WHERE owner = ?1 ORDER BY revision, id LIMIT ?2
    """
  static let firstDone = """
    SELECT id, completed_at, \(size) FROM item INDEXED BY item_done
    WHERE owner = ?1 AND completed_at IS NOT NULL ORDER BY completed_at, id LIMIT ?2
    """
  static let countOfDone = """
    SELECT count(*) FROM item INDEXED BY item_done WHERE owner = ?1 AND completed_at IS NOT NULL
    """

  // MARK: The feed of changes

  /// The changes after a revision, in order of revision and ID: the items, each of which is its own latest change, merged with
  /// the past changes. After them, the user. Parameter 2: the revision.
  static let changes = """
    SELECT \(SQLiteItemRow.columns), changed_by FROM item INDEXED BY item_updated WHERE owner = ?1 AND revision > ?2
    UNION ALL
    SELECT \(SQLiteItemRow.columns), changed_by FROM past_change WHERE owner = ?1 AND revision > ?2
    ORDER BY revision, id
    """
  /// Copies an item's row to the past changes if its revision is higher than a bound. Parameters: 2 the ID, 3 the bound, 4
  /// the revision of the new change. Two changes of one revision are one change.
  static let copyToHistory = """
    INSERT INTO past_change (owner, \(SQLiteItemRow.columns), \(origin), replaced_by)
    SELECT owner, \(SQLiteItemRow.columns), \(origin), ?4 FROM item INDEXED BY item_id
    WHERE owner = ?1 AND id = ?2 AND revision > ?3 AND revision < ?4
    """
  /// Parameters: 2 the ID, 3 the revision, 4 the time, 5 the completion time of the item, 6 to 9 the `ChangeOrigin`.
  static let addDeletion = """
    INSERT INTO past_change (owner, id, revision, updated_at, completed_at, \(origin), replaced_by)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?3)
    """

  /// The first revision after another revision, and its time. Parameter 2: the other revision.
  static let nextChange = """
    SELECT revision, updated_at FROM item INDEXED BY item_updated WHERE owner = ?1 AND revision > ?2
    UNION ALL
    SELECT revision, updated_at FROM past_change WHERE owner = ?1 AND revision > ?2
    ORDER BY revision LIMIT 1
    """
  /// The first row that is retained when a number of the rows that were replaced up to the floor are removed. Parameters: 2 the
  /// floor, 3 the number.
  static let firstRetained = """
    SELECT replaced_by, id FROM past_change INDEXED BY past_change_replaced
    WHERE owner = ?1 AND replaced_by <= ?2 ORDER BY replaced_by, id LIMIT 1 OFFSET ?3
    """
  /// Parameters: 2 and 3 the `replaced_by` and the ID of the first retained row. Returns the size of each removed row.
  static let removePast = """
    DELETE FROM past_change INDEXED BY past_change_replaced
    WHERE owner = ?1 AND (replaced_by, id) < (?2, ?3) RETURNING \(size)
    """
  /// Parameters: 2 the latest time of deletion, 3 the maximum number.
  static let removeDeletedIDs = """
    DELETE FROM deleted_item WHERE owner = ?1 AND id IN (
      SELECT id FROM deleted_item INDEXED BY deleted_item_time
      WHERE owner = ?1 AND deleted_at <= ?2 AND expires_at IS NULL ORDER BY deleted_at LIMIT ?3)
    """

  // MARK: Sizes

  /// The `StoredSize` of a row in `item` or `past_change`.
  static let size = sum(of: ["title", "description", "place_name", "address", "tags", "steps", "repetition"])

  private static func sum(of texts: [String]) -> String {
    let sizes = texts.map { "coalesce(length(CAST(\($0) AS BLOB)), 0)" }.joined(separator: " + ")
    let source = "max(coalesce(length(CAST(source AS BLOB)), 0) - \(StoredSize.source), 0)"
    return "(\(StoredSize.row) + \(sizes) + \(source))"
  }

  // MARK: Places

  /// The incomplete items whose `MortonCode` is in a range. Parameters: 2 and 3 the ends of the range.
  static let placesInRange = places("place BETWEEN ?2 AND ?3", order: "place")
  /// The incomplete items from a code on, in ascending order. Parameters: 2 the code, 3 the maximum number.
  static let placesFrom = places("place >= ?2", order: "place LIMIT ?3")
  /// The incomplete items before a code, in descending order. Parameters: 2 the code, 3 the maximum number.
  static let placesBefore = places("place < ?2", order: "place DESC LIMIT ?3")

  /// The statement reads only the index, although SQLite does not report a covering index.
  private static func places(_ range: String, order: String) -> String {
    """
    SELECT place, number FROM item INDEXED BY item_place
    WHERE owner = ?1 AND \(range) AND completed_at IS NULL ORDER BY \(order)
    """
  }

  /// Parameter 1: the row.
  static let itemOfRow = "SELECT \(SQLiteItemRow.columns) FROM item WHERE number = ?1"

  // MARK: Pending lookups

  /// Parameter 2: the ID.
  static let pendingLookup = "SELECT address, attempts, due FROM pending_lookup WHERE owner = ?1 AND id = ?2"
  /// Parameters: 2 the ID, 3 the address, 4 the attempts, 5 the due time.
  static let setPendingLookup = """
    INSERT OR REPLACE INTO pending_lookup (owner, id, address, attempts, due) VALUES (?1, ?2, ?3, ?4, ?5)
    """
  /// Parameter 2: the ID.
  static let deletePendingLookup = "DELETE FROM pending_lookup WHERE owner = ?1 AND id = ?2"
  /// Parameters: 1 the time, 2 the maximum number.
  static let duePendingLookups = """
    SELECT name, id, address, attempts, owner FROM pending_lookup INDEXED BY pending_lookup_due
    CROSS JOIN owner ON owner.number = pending_lookup.owner
    WHERE due <= ?1 ORDER BY due LIMIT ?2
    """
  /// Parameters: 2 the ID, 3 the due time.
  static let postponePendingLookup = "UPDATE pending_lookup SET due = ?3 WHERE owner = ?1 AND id = ?2"

  // MARK: Listings

  /// The items of a scan, in its order. Parameters: 2 to 4 those of `ItemScan.Start`.
  static func list(_ scan: ItemScan) -> String {
    if case .byDeletion(let state) = scan { deletedItems(state) } else { select(SQLiteItemRow.columns, scan) }
  }

  /// The numbers of a scan's items, and the texts that a filter searches. Parameters: those of `list`.
  static func search(_ scan: ItemScan) -> String { select("number, title, description, place_name, address", scan) }

  /// All items of an owner, with the texts that a filter searches and the values that order the items. Parameters: those of `list`.
  static let index = select(
    "id, title, description, place_name, address, due_order, created_at, completed_at, revision", .byCreation(.all))

  private static func select(_ columns: String, _ scan: ItemScan) -> String {
    let state =
      switch scan {
      case .byDueDate, .byCreation(.toDo), .byUpdate(.toDo): "completed_at IS NULL AND"
      case .byCompletion, .byCreation(.done), .byUpdate(.done): "completed_at IS NOT NULL AND"
      case .byCreation(.all), .byUpdate(.all): ""
      case .byDeletion: preconditionFailure("deleted items are in another table")
      }
    let (index, range, order) =
      switch scan {
      case .byDueDate:
        ("item_to_do", "(due_order, created_at, id) > (?2, ?4, ?3)", "due_order, created_at, id")
      case .byCompletion: ("item_done", "(completed_at, id) < (?2, ?3)", "completed_at DESC, id DESC")
      case .byCreation: ("item_created", "(created_at, id) > (?2, ?3)", "created_at, id")
      case .byUpdate: ("item_updated", "(revision, id) < (?2, ?3)", "revision DESC, id DESC")
      case .byDeletion: preconditionFailure("deleted items are in another table")
      }
    return """
      SELECT \(columns) FROM item INDEXED BY \(index)
      WHERE owner = ?1 AND \(state) \(range) ORDER BY \(order)
      """
  }
}

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
    SELECT \(SQLiteItemRow.deletedColumns) FROM deleted_item WHERE owner = ?1 AND id = ?2 AND expires_at IS NOT NULL
    """
  /// Parameters: 2 the item's number, 3 the current time.
  static let keptItemOfNumber = """
    SELECT \(SQLiteItemRow.deletedColumns) FROM deleted_item INDEXED BY deleted_item_number
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

  /// The `StoredSize` of a row in `deleted_item`.
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
      SELECT \(SQLiteItemRow.deletedColumns) FROM deleted_item INDEXED BY deleted_item_revision
      WHERE owner = ?1 AND (revision, id) < (?2, ?3) AND expires_at > ?4 \(condition)
      ORDER BY revision DESC, id DESC
      """
  }

  /// The columns of `deleted_item` that have the same names and values as those of the item.
  private static let keptColumns = keptNames.joined(separator: ", ")
  private static let keptNulls = keptNames.map { _ in "NULL" }.joined(separator: ", ")
  private static let keptNames =
    SQLiteItemRow.Column.allCases.filter { $0 != .id && $0 != .revision }.map(\.name)
}

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
      c.changed_by, c.client, c.reverted, c.moved
    FROM past_change AS c \(past) LEFT JOIN past_change AS f INDEXED BY past_change_replaced
      ON c.cause IS NULL AND f.owner = c.owner AND f.replaced_by = c.revision AND f.id = c.id AND f.cause IS NOT NULL
    WHERE \(condition)
    ORDER BY 1 DESC, 2 DESC
    """
  }

  /// The title and the number of a deleted item. Parameters: 2 the ID, 3 the deletion's revision.
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
    SELECT \(SQLiteItemRow.columns) FROM past_change INDEXED BY past_change_replaced
    WHERE owner = ?1 AND replaced_by = ?3 AND id = ?2 AND cause IS NOT NULL
    UNION ALL
    SELECT \(SQLiteItemRow.columns) FROM item INDEXED BY item_id WHERE owner = ?1 AND id = ?2 AND revision = ?3
    UNION ALL
    SELECT \(SQLiteItemRow.columns) FROM past_change
    WHERE owner = ?1 AND revision = ?3 AND id = ?2 AND cause IS NOT NULL
    """

  /// The changes of a revision, by ID. Parameters: 2 the revision, 3 the ID after which they begin, 4 the maximum number.
  static let changesOfRevision = """
    SELECT \(SQLiteItemRow.columns), moved FROM item INDEXED BY item_updated
    WHERE owner = ?1 AND revision = ?2 AND id > ?3
    UNION ALL
    SELECT \(SQLiteItemRow.columns), moved FROM past_change WHERE owner = ?1 AND revision = ?2 AND id > ?3
    ORDER BY id LIMIT ?4
    """
  /// An item's state before a change. Parameters: 2 the revision of the change, 3 the ID.
  static let formerState = """
    SELECT \(SQLiteItemRow.columns) FROM past_change INDEXED BY past_change_replaced
    WHERE owner = ?1 AND replaced_by = ?2 AND id = ?3 AND cause IS NOT NULL
    """
}
