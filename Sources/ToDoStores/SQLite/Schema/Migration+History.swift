extension Migration {
  /// Version 11: deleted items and the history.
  ///
  /// - A row of `deleted_item` contains the deleted item until it expires or is removed; then only the reserved ID remains.
  ///   `expires_at` is NULL exactly then.
  /// - `changed_by`, `client` and `reverted` are the `ChangeOrigin` of a change.
  /// - `replaced_by` is the revision of the change that replaced or deleted a past state, or a deletion's own revision. A row
  ///   is retained until the floor reaches it, so that the change can be reverted for as long as it is retained.
  /// - `deletion_expiry` is the time until which the items of a bulk deletion can be restored, and `deletion_by` and
  ///   `deletion_client` are its `ChangeOrigin`.
  static let history = Migration(
    sql: """
      ALTER TABLE item ADD COLUMN changed_by TEXT;
      ALTER TABLE item ADD COLUMN client TEXT;
      ALTER TABLE item ADD COLUMN reverted INTEGER;
      ALTER TABLE past_change ADD COLUMN changed_by TEXT;
      ALTER TABLE past_change ADD COLUMN client TEXT;
      ALTER TABLE past_change ADD COLUMN reverted INTEGER;
      ALTER TABLE past_change ADD COLUMN replaced_by INTEGER NOT NULL DEFAULT 0;
      ALTER TABLE owner ADD COLUMN deletion_expiry INTEGER;
      ALTER TABLE owner ADD COLUMN deletion_by TEXT;
      ALTER TABLE owner ADD COLUMN deletion_client TEXT;

      CREATE TEMP TABLE succession AS
        SELECT owner, id, revision, lead(revision) OVER (PARTITION BY owner, id ORDER BY revision) AS next
        FROM (SELECT owner, id, revision FROM item UNION ALL SELECT owner, id, revision FROM past_change);
      CREATE UNIQUE INDEX temp.succession_change ON succession (owner, revision, id);
      UPDATE past_change SET replaced_by = CASE
        WHEN cause IS NULL THEN revision
        ELSE coalesce(
          (SELECT next FROM succession
            WHERE succession.owner = past_change.owner AND succession.revision = past_change.revision
              AND succession.id = past_change.id),
          revision)
        END;
      DROP TABLE temp.succession;
      CREATE INDEX past_change_replaced ON past_change (owner, replaced_by, id);

      ALTER TABLE deleted_item ADD COLUMN expires_at INTEGER;
      ALTER TABLE deleted_item ADD COLUMN title TEXT;
      ALTER TABLE deleted_item ADD COLUMN description TEXT;
      ALTER TABLE deleted_item ADD COLUMN due_time INTEGER;
      ALTER TABLE deleted_item ADD COLUMN due_date INTEGER;
      ALTER TABLE deleted_item ADD COLUMN place_name TEXT;
      ALTER TABLE deleted_item ADD COLUMN address TEXT;
      ALTER TABLE deleted_item ADD COLUMN latitude REAL;
      ALTER TABLE deleted_item ADD COLUMN longitude REAL;
      ALTER TABLE deleted_item ADD COLUMN source TEXT;
      ALTER TABLE deleted_item ADD COLUMN granularity TEXT;
      ALTER TABLE deleted_item ADD COLUMN created_at INTEGER;
      ALTER TABLE deleted_item ADD COLUMN updated_at INTEGER;
      ALTER TABLE deleted_item ADD COLUMN completed_at INTEGER;
      ALTER TABLE deleted_item ADD COLUMN cause INTEGER;
      ALTER TABLE deleted_item ADD COLUMN item_number INTEGER;
      ALTER TABLE deleted_item ADD COLUMN added_as BLOB;
      CREATE INDEX deleted_item_revision ON deleted_item (owner, revision, id) WHERE expires_at IS NOT NULL;
      CREATE INDEX deleted_item_expiry ON deleted_item (owner, expires_at) WHERE expires_at IS NOT NULL;
      CREATE INDEX deleted_item_number ON deleted_item (owner, item_number) WHERE expires_at IS NOT NULL;
      """)
}
