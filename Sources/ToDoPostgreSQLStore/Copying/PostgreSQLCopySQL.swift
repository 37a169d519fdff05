#if PostgreSQL
import ToDoPostgreSQL

/// The statements that copy a list from or to a database. `$1` is the list, unless specified otherwise.
enum PostgreSQLCopySQL {
  /// Takes the lock that a copying process holds, with the keys "Move" in ASCII and the schema. Returns whether it is
  /// taken.
  static let lock: SQL = "SELECT pg_try_advisory_lock(1299150437, hashtext(coalesce(current_schema(), '')))"
  /// Without limits on the time that a copy waits for the other store.
  static let session = """
    SET statement_timeout = '300s'; SET lock_timeout = '60s'; SET idle_in_transaction_session_timeout = 0
    """
  static let begin = SQL(StoreTransaction.writing.rawValue)
  static let commit: SQL = "COMMIT"

  // MARK: Reading

  static let lists: SQL = """
    SELECT name, revision, floor, item_count, byte_count, last_number FROM list ORDER BY name
    """
  /// The rows of items from the ID `$2` on, at most `$3`, with the change that made their state.
  static let items: SQL = """
    SELECT \(columns(of: "i", PostgreSQLItemRow.columns)), i.added_as, c.cause, c.changed_by, c.client, c.reverted, c.moved
    FROM (SELECT * FROM item WHERE list = $1 AND id >= $2 ORDER BY id LIMIT $3) AS i
    LEFT JOIN LATERAL (
      SELECT cause, changed_by, client, reverted, moved FROM change
      WHERE list = $1 AND revision = i.revision AND id = i.id OFFSET 0) AS c ON true
    ORDER BY i.id
    """
  /// The changes after `$2` and `$3`, at most `$4`, with the change that made the former state. Changes up to the
  /// floor `$5` are left out if they do not count against the quota.
  static let changes: SQL = """
    SELECT c.revision, c.id, c.cause, c.time, c.was_done, c.changed_by, c.client, c.reverted, c.moved,
      c.former, c.former_revision, c.size, p.cause, p.changed_by, p.client, p.reverted, p.moved
    FROM (
      SELECT * FROM change WHERE list = $1 AND (revision, id) > ($2, $3) AND (revision > $5 OR size > 0)
      ORDER BY revision, id LIMIT $4) AS c
    LEFT JOIN LATERAL (
      SELECT cause, changed_by, client, reverted, moved FROM change
      WHERE list = $1 AND revision = c.former_revision AND id = c.id OFFSET 0) AS p ON true
    ORDER BY c.revision, c.id
    """
  /// The pending lookups from the ID `$2` on, at most `$3`.
  static let lookups: SQL = """
    SELECT id, address, attempts, due FROM pending_lookup WHERE list = $1 AND id >= $2 ORDER BY id LIMIT $3
    """

  private static func columns(of table: String, _ columns: String) -> String {
    columns.split(separator: ", ").map { "\(table).\($0)" }.joined(separator: ", ")
  }

  // MARK: Writing

  static let hasProgress: SQL = """
    SELECT EXISTS (
      SELECT 1 FROM pg_class WHERE relname = 'move_source' AND relkind = 'r' AND pg_table_is_visible(oid))
    """
  static let isUsed: SQL = """
    SELECT EXISTS (SELECT 1 FROM list) OR EXISTS (SELECT 1 FROM todo_user) OR EXISTS (SELECT 1 FROM access_token)
      OR EXISTS (SELECT 1 FROM user_list)
    """
  /// Waits for the writes that servers have begun. Later ones find the negative version.
  static let excludeWrites = "LOCK TABLE list, todo_store IN EXCLUSIVE MODE"
  static let createProgress = """
    CREATE TABLE move_source (incarnation bytea NOT NULL, fingerprint_key bytea NOT NULL);
    CREATE TABLE move_list (
      list text COLLATE "C" PRIMARY KEY, items bigint NOT NULL, deleted bigint NOT NULL, changes bigint NOT NULL,
      lookups bigint NOT NULL, checksum bigint NOT NULL);
    """
  static let dropProgress = "DROP TABLE move_list, move_source"
  /// Parameters: 1 the incarnation, 2 the key.
  static let addSource: SQL = "INSERT INTO move_source VALUES ($1, $2)"
  /// Parameter 1: the key.
  static let setFingerprintKey: SQL = "UPDATE todo_store SET fingerprint_key = $1"
  static let source: SQL = """
    SELECT incarnation, fingerprint_key, (SELECT version FROM todo_store) FROM move_source
    """
  static let completedLists: SQL = "SELECT list, items, deleted, changes, lookups, checksum FROM move_list"

  /// Parameters: the columns in their order.
  static let setList: SQL = """
    INSERT INTO list (name, revision, floor, item_count, byte_count, last_number) VALUES ($1, $2, $3, $4, $5, $6)
    ON CONFLICT (name) DO UPDATE
    SET revision = excluded.revision, floor = excluded.floor, item_count = excluded.item_count,
      byte_count = excluded.byte_count, last_number = excluded.last_number
    """
  /// Parameters: the columns in their order.
  static let setCompleted: SQL = """
    INSERT INTO move_list (list, items, deleted, changes, lookups, checksum) VALUES ($1, $2, $3, $4, $5, $6)
    ON CONFLICT (list) DO UPDATE
    SET items = excluded.items, deleted = excluded.deleted, changes = excluded.changes, lookups = excluded.lookups,
      checksum = excluded.checksum
    """
  static let removeCompleted: SQL = "DELETE FROM move_list WHERE list = $1"
  static let removeList: SQL = "DELETE FROM list WHERE name = $1"
  /// Each removes a bounded number of rows.
  static let removeRows: [SQL] = ["item", "change", "pending_lookup"].map { table in
    SQL("DELETE FROM \(table) WHERE ctid = ANY (ARRAY(SELECT ctid FROM \(table) WHERE list = $1 LIMIT 5000))")
  }

  /// Parameter 1: the version.
  static let setAccountVersion: SQL = "UPDATE todo_store SET account_version = $1"
}
#endif
