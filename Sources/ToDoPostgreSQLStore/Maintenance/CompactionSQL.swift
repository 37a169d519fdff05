#if PostgreSQL
import ToDoPostgreSQL

/// The statements of `ListCompaction`. `$1` is the list.
///
/// The transaction holds the list lock, so the positions (`ctid`) of its rows stay valid during a statement.
enum CompactionSQL {
  /// Whether a compaction would remove anything. `$2` is the minimum number of retained revisions, `$3` the current time,
  /// `$4` and `$5` the times before which changes and reserved IDs need not be retained.
  ///
  /// The statement locks nothing, so a compaction that is not due costs one round trip and no commit.
  static let isDue: SQL = """
    SELECT
      EXISTS (SELECT 1 FROM change WHERE list = $1 AND revision <= l.floor ORDER BY revision, id LIMIT 1)
      OR EXISTS (SELECT 1 FROM (
        SELECT revision, time FROM change WHERE list = $1 AND revision > l.floor ORDER BY revision, id LIMIT 1) AS c
        WHERE c.revision <= l.revision - $2 AND (c.time <= $4 OR c.time > $3))
      OR EXISTS (SELECT 1 FROM item WHERE list = $1 AND expires_at IS NOT NULL AND expires_at <= $3
        ORDER BY expires_at LIMIT 1)
      OR EXISTS (SELECT 1 FROM item WHERE list = $1 AND deleted_at IS NOT NULL AND content IS NULL AND deleted_at <= $5
        ORDER BY deleted_at LIMIT 1)
    FROM list AS l WHERE name = $1
    """

  static let begin = SQL(StoreTransaction.writing.rawValue)
  static let commit: SQL = "COMMIT"
  static let lock: SQL = "SELECT revision, floor FROM list WHERE name = $1 FOR NO KEY UPDATE"

  /// The first revisions after `$2` up to `$3`, and their times, in order. At most `$6`; the last may be too recent.
  ///
  /// Each step finds one revision by the primary key, however many changes a revision has. The steps end after a
  /// revision whose time is after `$5` but not after `$4`, which must be retained.
  static let candidates: SQL = """
    WITH RECURSIVE step AS (
      (SELECT revision, time FROM change WHERE list = $1 AND revision > $2 AND revision <= $3
       ORDER BY revision, id LIMIT 1)
      UNION ALL
      SELECT next.revision, next.time FROM step, LATERAL (
        SELECT change.revision, change.time FROM change
        WHERE change.list = $1 AND change.revision > step.revision AND change.revision <= $3
        ORDER BY change.revision, change.id LIMIT 1) AS next
      WHERE step.time <= $5 OR step.time > $4)
    SELECT revision, time FROM step LIMIT $6
    """

  /// The time of the first revision from `$2` on.
  static let time: SQL = "SELECT time FROM change WHERE list = $1 AND revision >= $2 ORDER BY revision, id LIMIT 1"

  /// The number of changes after the revision `$2`, at most `$3`.
  static let recentCount: SQL = """
    SELECT count(*) FROM (SELECT 1 FROM change WHERE list = $1 AND revision > $2 LIMIT $3) AS recent
    """

  /// Sets the floor to `$2`, and removes the first changes up to it, at most `$3`.
  static let removeChanges: SQL = """
    WITH removed AS (
      DELETE FROM change WHERE ctid = ANY (ARRAY(
        SELECT ctid FROM change WHERE list = $1 AND revision <= $2 ORDER BY revision, id LIMIT $3))
      RETURNING size)
    UPDATE list SET floor = $2,
      byte_count = greatest(0, byte_count - (SELECT coalesce(sum(size), 0) FROM removed))
    WHERE name = $1 AND (floor < $2 OR EXISTS (SELECT 1 FROM removed))
    """

  /// Removes the kept items that have expired by `$2`, at most `$3`, and leaves their IDs reserved.
  static let expireItems: SQL = """
    WITH expired AS MATERIALIZED (
      SELECT id, size FROM item WHERE list = $1 AND expires_at IS NOT NULL AND expires_at <= $2
      ORDER BY expires_at LIMIT $3),
    changed AS (
      UPDATE item SET content = NULL, expires_at = NULL, hash = NULL, place = NULL, added_as = NULL, size = 0
      FROM expired WHERE item.list = $1 AND item.id = expired.id RETURNING expired.size)
    UPDATE list SET byte_count = greatest(0, byte_count - (SELECT coalesce(sum(size), 0) FROM changed))
    WHERE name = $1 AND EXISTS (SELECT 1 FROM changed)
    """

  /// Removes IDs that were reserved by `$2`, at most `$3`. Each has the size `$4`.
  static let removeReservedIDs: SQL = """
    WITH removed AS (
      DELETE FROM item WHERE ctid = ANY (ARRAY(
        SELECT ctid FROM item WHERE list = $1 AND deleted_at IS NOT NULL AND content IS NULL AND deleted_at <= $2
        ORDER BY deleted_at LIMIT $3))
      RETURNING id)
    UPDATE list SET byte_count = greatest(0, byte_count - $4 * (SELECT count(*) FROM removed))
    WHERE name = $1 AND EXISTS (SELECT 1 FROM removed)
    """
}
#endif
