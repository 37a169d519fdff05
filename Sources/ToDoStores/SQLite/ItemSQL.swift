import ToDoModel

/// Every statement that the store runs, apart from the schema.
///
/// Each names its index (`INDEXED BY`), so that SQLite refuses a statement rather than scan a list: left to itself it
/// planned the look-up of duplicates as a scan of all the owner's items. A test asserts the plans.
///
/// Parameter 1 is the owner's number, unless said otherwise.
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
  /// Parameter 1: the name.
  static let owner = "SELECT number, revision FROM owner WHERE name = ?1"
  /// Parameter 1: the name. Returns the number.
  static let addOwner = "INSERT INTO owner (name, revision) VALUES (?1, 0) RETURNING number"
  /// Parameter 2: the revision.
  static let setRevision = "UPDATE owner SET revision = ?2 WHERE number = ?1"

  // MARK: Look-ups

  /// Parameters: 1 the owner's name, 2 the identity.
  static let item = """
    SELECT \(ItemRow.columns) FROM item INDEXED BY item_id
    WHERE owner = (SELECT number FROM owner WHERE name = ?1) AND id = ?2
    """
  /// Parameter 2: the identity.
  static let record = "SELECT \(ItemRow.columns), added_as FROM item INDEXED BY item_id WHERE owner = ?1 AND id = ?2"
  /// Parameter 2: the identity.
  static let deletedItem = "SELECT 1 FROM deleted_item WHERE owner = ?1 AND id = ?2"
  /// Parameter 2: the fingerprint.
  static let undoneItems = """
    SELECT \(ItemRow.columns) FROM item INDEXED BY item_fingerprint
    WHERE owner = ?1 AND fingerprint = ?2 AND completed_at IS NULL
    """

  // MARK: Changes

  /// Parameters: those of `ItemRow.bind`.
  static let insert = """
    INSERT INTO item (owner, id, \(ItemRow.changingColumns), fingerprint, added_as)
    VALUES (?1, ?2, \(ItemRow.changingParameters), ?\(ItemRow.fingerprintParameter), ?\(ItemRow.fingerprintParameter))
    """
  /// Parameters: those of `ItemRow.bind`.
  static let update = """
    UPDATE item INDEXED BY item_id
    SET (\(ItemRow.changingColumns), fingerprint) = (\(ItemRow.changingParameters), ?\(ItemRow.fingerprintParameter))
    WHERE owner = ?1 AND id = ?2
    """
  /// Parameter 2: the identity.
  static let delete = "DELETE FROM item INDEXED BY item_id WHERE owner = ?1 AND id = ?2"
  /// Parameters: 2 the identity, 3 the revision.
  static let markDeleted = "INSERT INTO deleted_item (owner, id, revision) VALUES (?1, ?2, ?3)"

  static let deleteAll = "DELETE FROM item INDEXED BY item_id WHERE owner = ?1"
  /// Parameter 2: the revision.
  static let markAllDeleted = """
    INSERT INTO deleted_item (owner, id, revision)
    SELECT owner, id, ?2 FROM item INDEXED BY item_id WHERE owner = ?1
    """
  static let deleteDone = "DELETE FROM item INDEXED BY item_done WHERE owner = ?1 AND completed_at IS NOT NULL"
  /// Parameter 2: the revision.
  static let markDoneDeleted = """
    INSERT INTO deleted_item (owner, id, revision)
    SELECT owner, id, ?2 FROM item INDEXED BY item_done WHERE owner = ?1 AND completed_at IS NOT NULL
    """

  // MARK: Listings

  /// The items of a scan, in its order. Parameters: 2 to 4 those of `ItemScan.Start`.
  static func list(_ scan: ItemScan) -> String {
    let state =
      switch scan {
      case .byDueDate, .byCreation(.toDo), .byUpdate(.toDo): "completed_at IS NULL AND"
      case .byCompletion, .byCreation(.done), .byUpdate(.done): "completed_at IS NOT NULL AND"
      case .byCreation(.all), .byUpdate(.all): ""
      }
    let (index, range, order) =
      switch scan {
      case .byDueDate:
        ("item_to_do", "(due_order, created_at, id) > (?2, ?4, ?3)", "due_order, created_at, id")
      case .byCompletion: ("item_done", "(completed_at, id) < (?2, ?3)", "completed_at DESC, id DESC")
      case .byCreation: ("item_created", "(created_at, id) > (?2, ?3)", "created_at, id")
      case .byUpdate: ("item_updated", "(revision, id) < (?2, ?3)", "revision DESC, id DESC")
      }
    return """
      SELECT \(ItemRow.columns) FROM item INDEXED BY \(index)
      WHERE owner = ?1 AND \(state) \(range) ORDER BY \(order)
      """
  }
}
