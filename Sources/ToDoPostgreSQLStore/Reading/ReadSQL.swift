#if PostgreSQL
import ToDoPostgreSQL
import ToDoStores

/// The statements that read lists, except the scans of listings.
///
/// Each statement is written so that one index suits it: by the order of its rows, by a row value, or because its
/// conditions do not imply those of partial indexes. Without statistics the planner considers all indexes of a list
/// equal, and reads the whole list with some of them. A test checks the plans.
///
/// Parameter 1 is the owner's name, unless specified otherwise.
enum ReadSQL {
  static let begin: SQL = "BEGIN"
  static let commit: SQL = "COMMIT"

  /// The current and the oldest readable revision.
  static let revision: SQL = "SELECT revision, floor FROM list WHERE name = $1"

  // MARK: Items

  /// An ID's row, which may be that of a deleted item. A condition for `deleted_at` would suit indexes that do
  /// not start with the ID. Parameter 2: the ID.
  static let item: SQL = "SELECT \(PostgreSQLItemRow.columns) FROM item WHERE list = $1 AND id = $2"

  /// The rows with given IDs in several lists, each with the number of the element, from 1 on. Parameters: 1 the names, 2 the
  /// IDs.
  static let items: SQL = """
    SELECT i.*, k.position FROM unnest($1::text[], $2::uuid[]) WITH ORDINALITY AS k(list, id, position),
      LATERAL (SELECT \(PostgreSQLItemRow.columns) FROM item WHERE list = k.list AND id = k.id OFFSET 0) AS i
    """

  /// The rows with given IDs in one list. Parameter 2: the IDs.
  static let itemsOfList: SQL = """
    SELECT i.* FROM unnest($2::uuid[]) AS k(id),
      LATERAL (SELECT \(PostgreSQLItemRow.columns) FROM item WHERE list = $1 AND id = k.id OFFSET 0) AS i
    """

  /// The items with some numbers, deleted items that are kept included. Parameter 2: the numbers.
  static let itemsOfNumbers: SQL = """
    SELECT i.* FROM unnest($2::bigint[]) AS k(number), LATERAL (
      SELECT \(PostgreSQLItemRow.columns) FROM item WHERE list = $1 AND number = k.number AND content IS NOT NULL OFFSET 0) AS i
    """

  // MARK: Changes

  /// The changes after a key, in order of revision and ID, each with the state of the item after it. Parameters: 2
  /// the revision and 3 the ID of the key, 4 the maximum number.
  static let changes: SQL = """
    SELECT c.revision, c.id, c.cause, c.time, c.was_done, coalesce(\(formerState("c")), i.content), c.changed_by
    FROM change AS c
      \(stateJoins(of: "c", list: "c.list", isPut: "c.cause IS NOT NULL"))
    WHERE c.list = $1 AND (c.revision, c.id) > ($2, $3) ORDER BY c.revision, c.id LIMIT $4
    """

  /// The changes before a key that are retained, the latest first. Parameters: 2 the revision and 3 the ID of the
  /// key, 4 the maximum number.
  static let history: SQL = """
    SELECT \(historyColumns) FROM change
    WHERE list = $1 AND (revision, id) < ($2, $3) AND revision > (SELECT floor FROM list WHERE name = $1)
    ORDER BY revision DESC, id DESC LIMIT $4
    """

  /// The changes of one item before a revision that are retained, the latest first. Parameters: 2 the revision, 3 the
  /// ID, 4 the maximum number.
  static let historyOfItem: SQL = """
    SELECT \(historyColumns) FROM change
    WHERE list = $1 AND (id, revision) < ($3, $2) AND (id, revision) > ($3, (SELECT floor FROM list WHERE name = $1))
    ORDER BY id DESC, revision DESC LIMIT $4
    """

  private static let historyColumns = "revision, id, cause, time, changed_by, client, reverted, moved"

  /// The items after changes, or before deletions, each with the number of the element, from 1 on, and the state before
  /// the change. For an item that is not compared, only the first bytes. Parameters: 2 the IDs and 3 the revisions of the
  /// changes, 4 whether each is a deletion, 5 whether each is compared with the state before it.
  static let details: SQL = """
    SELECT k.position, CASE
        WHEN k.compared THEN coalesce(\(formerState("k")), i.content)
        ELSE substring(coalesce(d.former, \(formerState("k")), i.content) FROM 1 FOR \(titlePrefix))
      END, CASE WHEN k.compared THEN d.former END
    FROM unnest($2::uuid[], $3::bigint[], $4::boolean[], $5::boolean[])
        WITH ORDINALITY AS k(id, revision, deleted, compared, position)
      LEFT JOIN LATERAL (
        SELECT former FROM change
        WHERE list = $1 AND revision = k.revision AND id = k.id AND (k.deleted OR k.compared) OFFSET 0
      ) AS d ON true
      \(stateJoins(of: "k", list: "$1", isPut: "NOT k.deleted"))
    """

  private static let titlePrefix = String(EncodedItem.titlePrefix)

  /// The state after a change if a later change has replaced it; otherwise NULL.
  private static func formerState(_ change: String) -> String {
    "CASE WHEN n.former_revision = \(change).revision THEN n.former END"
  }

  /// Joins the state after a change: `n` is the next change of the item with a former state, and `i` is the row of
  /// the item if it has not changed since.
  ///
  /// The order in `n` suits only the index of former states.
  private static func stateJoins(of change: String, list: String, isPut: String) -> String {
    """
    LEFT JOIN LATERAL (
        SELECT former, former_revision FROM change
        WHERE list = \(list) AND id = \(change).id AND former_revision >= \(change).revision AND \(isPut)
        ORDER BY former_revision LIMIT 1
      ) AS n ON true
      LEFT JOIN LATERAL (
        SELECT content FROM item
        WHERE list = \(list) AND id = \(change).id AND revision = \(change).revision AND \(isPut)
          AND (n.former_revision = \(change).revision) IS NOT TRUE OFFSET 0
      ) AS i ON true
    """
  }

  // MARK: Places

  /// The codes of the incomplete items from a code on, in ascending order. Parameters: 2 the code, 3 the maximum
  /// number.
  static let placesFrom: SQL = """
    SELECT place FROM item WHERE list = $1 AND place >= $2 AND \(isPlaced) ORDER BY place LIMIT $3
    """
  /// The codes of the incomplete items before a code, in descending order. Parameters: 2 the code, 3 the maximum
  /// number.
  static let placesBefore: SQL = """
    SELECT place FROM item WHERE list = $1 AND place < $2 AND \(isPlaced) ORDER BY place DESC LIMIT $3
    """
  /// The codes and IDs of the incomplete items in code ranges. Parameters: 2 the first codes, 3 the last codes.
  static let placesInRanges: SQL = """
    SELECT i.place, i.id FROM unnest($2::bigint[], $3::bigint[]) AS r(first, last), LATERAL (
      SELECT place, id FROM item WHERE list = $1 AND place BETWEEN r.first AND r.last AND \(isPlaced)
      ORDER BY place OFFSET 0) AS i
    """

  /// The condition of the place index.
  private static let isPlaced = "place IS NOT NULL AND completed_at IS NULL AND deleted_at IS NULL"
}
#endif
