#if PostgreSQL
import ToDoModel
import ToDoPostgreSQL
import ToDoRules

/// The statements of the writer.
///
/// Statements for many rows have one array parameter a column. `LATERAL (… OFFSET 0)` makes the server look every row
/// up by its own key; a join by two separate lists of keys would read the product of both.
enum WriteSQL {
  // MARK: The transaction

  static let begin = SQL(StoreTransaction.writing.rawValue)
  /// For transactions that may change many items.
  static let allowLongStatements: SQL = "SET LOCAL statement_timeout = '60s'"
  static let commit: SQL = "COMMIT"
  static let rollBack: SQL = "ROLLBACK"
  static let setSavepoint: SQL = "SAVEPOINT body"
  static let rollBackToSavepoint: SQL = "ROLLBACK TO SAVEPOINT body"
  static let releaseSavepoint: SQL = "RELEASE SAVEPOINT body"
  /// Parameter 1: the payload.
  static let notify: SQL = "SELECT pg_notify('todo_changes', $1)"

  // MARK: Lists

  /// Locks rows until the transaction ends, in the order of the names, which must be sorted: two transactions
  /// that lock the same lists would wait for each other otherwise. Only later statements of the transaction read what
  /// it protects. A list without a row has only NULL. Then follows the schema version when the statement starts, NULL if
  /// the fingerprint key is not parameter 2.
  static let lockLists: SQL = """
    SELECT k.position, l.revision, l.floor, l.item_count, l.byte_count, l.last_number, l.access_version,
      (SELECT CASE WHEN fingerprint_key = $2 THEN version END FROM todo_store WHERE "only")
    FROM unnest($1::text[]) WITH ORDINALITY AS k (name, position) LEFT JOIN LATERAL (
      SELECT revision, floor, item_count, byte_count, last_number, access_version FROM list WHERE list.name = k.name
      FOR NO KEY UPDATE) AS l ON true
    """
  /// The further lists that are not deleted. Parameter 1: their IDs.
  ///
  /// A deletion locks the list's row, too. This is therefore a statement after `lockLists`, which reads what was committed while
  /// that waited: a deletion that commits later comes after the writes.
  static let availableLists: SQL = """
    SELECT k.position FROM unnest($1::text[]) WITH ORDINALITY AS k (id, position), LATERAL (
      SELECT FROM user_list WHERE user_list.id = k.id AND id <> 'default' AND deleted_at IS NULL OFFSET 0) AS l
    """
  /// Parameter 1: the names, sorted.
  ///
  /// The lock of the account version excludes changes of accounts, which would not find an uncommitted row. A later
  /// change finds the row, and an earlier one has determined its access version.
  static let addLists: SQL = """
    INSERT INTO list (name, revision, floor, item_count, byte_count, last_number, access_version)
    SELECT name, 0, 0, 0, 0, 0, account_version
    FROM unnest($1::text[]) AS k (name), (SELECT account_version FROM todo_store FOR SHARE) AS s
    ON CONFLICT (name) DO NOTHING
    """
  /// For rows that exist. Without a join, the plan does not depend on statistics.
  static let updateLists: SQL = """
    INSERT INTO list (name, revision, floor, item_count, byte_count, last_number)
    SELECT * FROM unnest($1::text[], $2::int8[], $3::int8[], $4::int8[], $5::int8[], $6::int8[])
    ON CONFLICT (name) DO UPDATE
    SET revision = excluded.revision, floor = excluded.floor, item_count = excluded.item_count,
      byte_count = excluded.byte_count, last_number = excluded.last_number
    """

  // MARK: Reads

  /// Parameters: lists and IDs. The rows of absent items are missing.
  static let records: SQL = """
    SELECT k.position, i.revision, i.deleted_at, i.expires_at, i.content, i.added_as
    FROM unnest($1::text[], $2::uuid[]) WITH ORDINALITY AS k (list, id, position), LATERAL (
      SELECT revision, deleted_at, expires_at, content, added_as FROM item
      WHERE item.list = k.list AND item.id = k.id OFFSET 0) AS i
    """
  /// Parameters: lists, hashes, latitudes, the first and the last longitudes.
  ///
  /// The order, which does not matter, leaves the planner one index. Without it, the plan of a connection that was made
  /// before the first statistics of a long list reads the whole list.
  static let matches = matches(limit: "1")
  /// As `matches`, with up to `$6` items for each spot.
  static let severalMatches = matches(limit: "$6")
  private static func matches(limit: String) -> SQL {
    """
    SELECT k.position, i.id
    FROM unnest($1::text[], $2::uuid[], $3::int4[], $4::int4[], $5::int4[])
      WITH ORDINALITY AS k (list, hash, latitude, first_longitude, last_longitude, position), LATERAL (
      SELECT id FROM item
      WHERE item.list = k.list AND item.hash = k.hash AND item.spot_latitude = k.latitude
        AND item.spot_longitude BETWEEN k.first_longitude AND k.last_longitude
        AND completed_at IS NULL AND deleted_at IS NULL
      ORDER BY item.spot_longitude LIMIT \(limit)) AS i
    """
  }
  /// Parameters: the list and the ID.
  static let pendingLookup: SQL =
    "SELECT address, attempts, due FROM pending_lookup WHERE list = $1 AND id = $2"
  /// Parameters: the list, the revision, the maximum number and, if there is a start, the ID after which the changes
  /// begin.
  static func changes(hasStart: Bool) -> SQL { hasStart ? changesAfter : firstChanges }
  private static let firstChanges = changesOfRevision("revision >= $2")
  private static let changesAfter = changesOfRevision("(revision, id) > ($2, $5)")

  private static func changesOfRevision(_ condition: String) -> SQL {
    // The state after a change is the state before the next change of the item, or the current one. Conditions and
    // orders that look redundant leave the planner one index each.
    SQL(
      """
      SELECT id, cause, time, was_done, former, former_revision, content, read_count, moved FROM (
      SELECT c.*, coalesce(n.former, i.content) AS content, count(*) OVER () AS read_count,
        coalesce(
          sum(coalesce(octet_length(c.former), 0) + coalesce(octet_length(coalesce(n.former, i.content)), 0)) OVER (
            ORDER BY c.revision, c.id ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0) AS earlier_size
      FROM (
        SELECT * FROM change WHERE list = $1 AND \(condition) AND revision <= $2 ORDER BY revision, id LIMIT $3) AS c
      LEFT JOIN LATERAL (
        SELECT former FROM change WHERE list = $1 AND id = c.id AND former_revision >= $2 AND former_revision <= $2
        ORDER BY former_revision LIMIT 1) AS n ON true
      LEFT JOIN LATERAL (
        SELECT content FROM item WHERE list = $1 AND id = c.id AND revision = $2 OFFSET 0) AS i ON true
      ) AS sized WHERE earlier_size < $4::int8 ORDER BY revision, id
      """)
  }

  /// Parameters: the list, the revision and the ID.
  static let change: SQL =
    "SELECT former, former_revision, time, was_done FROM change WHERE list = $1 AND revision = $2 AND id = $3"
  /// Counts the changes that exist. Parameters: lists, revisions, IDs, times and causes.
  static let existingChanges: SQL = """
    SELECT count(*) FROM unnest($1::text[], $2::int8[], $3::uuid[], $4::int8[], $5::int2[])
      AS k (list, revision, id, time, cause), LATERAL (
      SELECT FROM change
      WHERE change.list = k.list AND change.revision = k.revision AND change.id = k.id AND change.time = k.time
        AND change.cause IS NOT DISTINCT FROM k.cause OFFSET 0) AS c
    """

  // MARK: Pending lookups

  static let setLookups: SQL = """
    INSERT INTO pending_lookup (list, id, address, attempts, due)
    SELECT * FROM unnest($1::text[], $2::uuid[], $3::text[], $4::int4[], $5::int8[])
    ON CONFLICT (list, id) DO UPDATE
    SET address = excluded.address, attempts = excluded.attempts, due = excluded.due
    """
  /// Parameters: the list and the ID.
  static let removeLookup: SQL = "DELETE FROM pending_lookup WHERE list = $1 AND id = $2"
  /// Locks due lookups, except those that another transaction claims. Parameters: the current time, the maximum number and
  /// the version of the schema, without which there are none.
  static let dueLookups: SQL = """
    SELECT list, id, address, attempts, due FROM pending_lookup
    WHERE due <= $1 AND (SELECT version FROM todo_store WHERE "only") = $3 ORDER BY due LIMIT $2
    FOR UPDATE SKIP LOCKED
    """
  /// Parameters: the list, the ID and the new due time.
  static let postponeLookup: SQL = "UPDATE pending_lookup SET due = $3 WHERE list = $1 AND id = $2"
}

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
  /// For rows that exist. Without a join, the plan does not depend on statistics. The number and the creation change only
  /// with the item that has a reserved ID.
  static let updateItems = SQL(
    """
    \(insertItems.text) ON CONFLICT (list, id) DO UPDATE
    SET number = excluded.number, revision = excluded.revision, created_at = excluded.created_at,
      completed_at = excluded.completed_at, due_order = excluded.due_order,
      place = excluded.place, hash = excluded.hash, spot_latitude = excluded.spot_latitude,
      spot_longitude = excluded.spot_longitude, added_as = excluded.added_as, deleted_at = excluded.deleted_at,
      expires_at = excluded.expires_at, content = excluded.content, size = excluded.size
    """)

  private static let changeColumns =
    "list, revision, id, cause, time, was_done, changed_by, client, reverted, moved, former, former_revision, size"
  static let insertChanges = SQL(
    """
    INSERT INTO change (\(changeColumns))
    SELECT * FROM unnest($1::text[], $2::int8[], $3::uuid[], $4::int2[], $5::int8[], $6::bool[], $7::text[], $8::text[],
      $9::int8[], $10::text[], $11::bytea[], $12::int8[], $13::int4[])
    """)
  /// For changes, some of which were written before.
  static let replaceChanges = SQL(
    """
    \(insertChanges.text) ON CONFLICT (list, revision, id) DO UPDATE
    SET cause = excluded.cause, time = excluded.time, was_done = excluded.was_done, changed_by = excluded.changed_by,
      client = excluded.client, reverted = excluded.reverted, moved = excluded.moved,
      former = excluded.former, former_revision = excluded.former_revision, size = excluded.size
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
        SELECT $1, $2, id, NULL, $3, completed_at IS NOT NULL, $5, $6, $7, NULL, content, revision,
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
