#if PostgreSQL
import ToDoPostgreSQL
import ToDoModel
import ToDoRules

/// The statements that write items and changes.
extension WriteSQL {
  private static let itemColumns = """
    list, id, number, revision, created_at, completed_at, due_order, place, hash, spot_latitude, spot_longitude, added_as, \
    deleted_at, expires_at, content, size
    """
  private static let itemRows = """
    unnest($1::text[], $2::uuid[], $3::int8[], $4::int8[], $5::int8[], $6::int8[], $7::int8[], $8::int8[], $9::uuid[], \
    $10::int4[], $11::int4[], $12::bytea[], $13::int8[], $14::int8[], $15::bytea[], $16::int4[])
    """
  static let insertItems = SQL("INSERT INTO item (\(itemColumns)) SELECT * FROM \(itemRows)")
  /// For rows that exist. Without a join, the plan does not depend on statistics. The number and the creation of an
  /// item never change.
  static let updateItems = SQL(
    """
    \(insertItems.text) ON CONFLICT (list, id) DO UPDATE
    SET revision = excluded.revision, completed_at = excluded.completed_at, due_order = excluded.due_order,
      place = excluded.place, hash = excluded.hash, spot_latitude = excluded.spot_latitude,
      spot_longitude = excluded.spot_longitude, added_as = excluded.added_as, deleted_at = excluded.deleted_at,
      expires_at = excluded.expires_at, content = excluded.content, size = excluded.size
    """)

  private static let changeColumns =
    "list, revision, id, cause, time, was_done, changed_by, client, reverted, former, former_revision, size"
  static let insertChanges = SQL(
    """
    INSERT INTO change (\(changeColumns))
    SELECT * FROM unnest($1::text[], $2::int8[], $3::uuid[], $4::int2[], $5::int8[], $6::bool[], $7::text[], $8::text[],
      $9::int8[], $10::bytea[], $11::int8[], $12::int4[])
    """)
  /// For changes of which some were written before.
  static let replaceChanges = SQL(
    """
    \(insertChanges.text) ON CONFLICT (list, revision, id) DO UPDATE
    SET cause = excluded.cause, time = excluded.time, was_done = excluded.was_done, changed_by = excluded.changed_by,
      client = excluded.client, reverted = excluded.reverted, former = excluded.former,
      former_revision = excluded.former_revision, size = excluded.size
    """)

  // MARK: Many items of one list

  // The transaction holds the lock of the list, so the positions (`ctid`) of its rows stay valid during a statement.

  private static let emptyContent = """
    completed_at = NULL, place = NULL, hash = NULL, spot_latitude = 2147483647, spot_longitude = 2147483647, added_as = NULL,
    expires_at = NULL, content = NULL, size = 0
    """

  /// Deletes items and records the deletions. Parameters: 1 the list, 2 the revision, 3 the time, 4 the expiry, 5 the
  /// user, 6 the client, 7 the reverted revision, 8 the floor, at or below which no reader can request the former
  /// state.
  ///
  /// All parts of the statement read the state before it, so the same condition selects the same items.
  ///
  /// Returns the number of items, their size, the counted size of the former states, and the ID and the state of one
  /// item.
  static func delete(_ selection: BulkDeletion, keepsItems: Bool) -> SQL {
    switch (selection == .done, keepsItems) {
    case (true, true): keepDone
    case (true, false): deleteDone
    case (false, true): keepAll
    case (false, false): deleteAll
    }
  }

  /// The number of items that a deletion selects, and their size. Parameter 1: the list.
  static func size(of selection: BulkDeletion) -> SQL { selection == .done ? sizeOfDone : sizeOfAll }

  private static let sizeOfAll: SQL = """
    SELECT count(*), coalesce(sum(size), 0)::int8 FROM item WHERE list = $1 AND deleted_at IS NULL
    """
  private static let sizeOfDone: SQL = """
    SELECT count(*), coalesce(sum(size), 0)::int8 FROM item
    WHERE list = $1 AND deleted_at IS NULL AND completed_at IS NOT NULL
    """

  private static let keepDone = delete("AND completed_at IS NOT NULL", keepsItems: true)
  private static let deleteDone = delete("AND completed_at IS NOT NULL", keepsItems: false)
  private static let keepAll = delete("", keepsItems: true)
  private static let deleteAll = delete("", keepsItems: false)

  private static func delete(_ condition: String, keepsItems: Bool) -> SQL {
    // Every statement uses parameter 4, because each parameter must have a type.
    let (assignments, guarding) = keepsItems ? ("expires_at = $4", "") : (emptyContent, "AND $4::int8 IS NULL")
    return SQL(
      """
      WITH gone AS MATERIALIZED (
        SELECT id, revision, completed_at, content, size FROM item
        WHERE list = $1 AND deleted_at IS NULL \(condition)
      ), marked AS (
        UPDATE item SET revision = $2, deleted_at = $3, \(assignments)
        WHERE list = $1 AND deleted_at IS NULL \(condition) \(guarding)
      ), recorded AS (
        INSERT INTO change (\(changeColumns))
        SELECT $1, $2, id, NULL, $3, completed_at IS NOT NULL, $5, $6, $7, content, revision,
          \(StoredSize.row) + CASE WHEN revision > $8 THEN size ELSE 0 END
        FROM gone
      )
      SELECT count(*), coalesce(sum(size), 0)::int8, coalesce(sum(size) FILTER (WHERE revision > $8), 0)::int8,
        (SELECT id FROM gone LIMIT 1), (SELECT completed_at IS NOT NULL FROM gone LIMIT 1)
      FROM gone
      """)
  }

  /// Removes the kept items that expire first, and leaves their IDs reserved. Parameters: 1 the list, 2 the maximum
  /// number, 3 the size at which no further item is removed.
  ///
  /// Returns the number of items and their size.
  static let removeDeletedItems = SQL(
    """
    WITH expiring AS MATERIALIZED (
      SELECT position, size FROM (
        SELECT position, size, sum(size) OVER (ROWS UNBOUNDED PRECEDING) - size AS earlier_size FROM (
          SELECT ctid AS position, size, expires_at FROM item
          WHERE list = $1 AND expires_at IS NOT NULL ORDER BY expires_at LIMIT $2) AS first) AS summed
      WHERE earlier_size < $3::int8
    ), removed AS (
      UPDATE item SET \(emptyContent) WHERE ctid = ANY (ARRAY(SELECT position FROM expiring))
    )
    SELECT count(*), coalesce(sum(size), 0)::int8 FROM expiring
    """)

  /// Removes the earliest changes up to a revision. Parameters: 1 the list, 2 the revision, 3 the maximum number.
  ///
  /// Returns the counted size of the changes.
  static let removeChanges: SQL = """
    WITH removed AS (
      DELETE FROM change WHERE ctid = ANY (ARRAY(
        SELECT ctid FROM change WHERE list = $1 AND revision <= $2 ORDER BY revision, id LIMIT $3))
      RETURNING size
    )
    SELECT coalesce(sum(size), 0)::int8 FROM removed
    """
}
#endif
