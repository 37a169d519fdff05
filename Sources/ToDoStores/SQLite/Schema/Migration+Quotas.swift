extension Migration {
  /// Version 8: quotas.
  ///
  /// - `byte_count` is the sum of the sizes of an owner's rows, by `StoredSize`, so that checking a quota does not read them.
  /// - `deleted_at` is the time at which an item was deleted, after which its ID can be reused at some time. IDs that were
  ///   deleted before this step count as deleted now.
  static let quotas = Migration(
    sql: """
      ALTER TABLE deleted_item ADD COLUMN deleted_at INTEGER NOT NULL DEFAULT 0;
      UPDATE deleted_item SET deleted_at = CAST(strftime('%s', 'now') AS INTEGER) * 1000000;
      CREATE INDEX deleted_item_time ON deleted_item (owner, deleted_at);

      ALTER TABLE owner ADD COLUMN byte_count INTEGER NOT NULL DEFAULT 0;
      UPDATE owner SET byte_count = 64 * (SELECT count(*) FROM deleted_item WHERE deleted_item.owner = owner.number)
        + (
          SELECT coalesce(sum(128 + coalesce(length(CAST(title AS BLOB)), 0) + coalesce(length(CAST(description AS BLOB)), 0)
            + coalesce(length(CAST(place_name AS BLOB)), 0) + coalesce(length(CAST(address AS BLOB)), 0)), 0)
          FROM item WHERE item.owner = owner.number
        )
        + (
          SELECT coalesce(sum(128 + coalesce(length(CAST(title AS BLOB)), 0) + coalesce(length(CAST(description AS BLOB)), 0)
            + coalesce(length(CAST(place_name AS BLOB)), 0) + coalesce(length(CAST(address AS BLOB)), 0)), 0)
          FROM past_change WHERE past_change.owner = owner.number
        );
      """)
}
