extension Migration {
  /// Version 10: numbers of items.
  ///
  /// - `item_number` is the number of an item in its list, and `last_number` the highest that any item of the list has had.
  /// - Existing items are numbered by the time at which they were added, together with the deleted items that the history
  ///   contains, so that a past state has a number too.
  static let numbers = Migration(
    sql: """
      ALTER TABLE owner ADD COLUMN last_number INTEGER NOT NULL DEFAULT 0;
      ALTER TABLE item ADD COLUMN item_number INTEGER NOT NULL DEFAULT 0;
      ALTER TABLE past_change ADD COLUMN item_number INTEGER;

      CREATE TEMP TABLE numbered AS
        SELECT owner, id, row_number() OVER (PARTITION BY owner ORDER BY min(created_at), id) AS item_number
        FROM (
          SELECT owner, id, created_at FROM item
          UNION ALL SELECT owner, id, created_at FROM past_change WHERE cause IS NOT NULL
        )
        GROUP BY owner, id;
      CREATE UNIQUE INDEX temp.numbered_id ON numbered (owner, id);

      UPDATE item SET item_number = numbered.item_number FROM numbered
        WHERE numbered.owner = item.owner AND numbered.id = item.id;
      UPDATE past_change SET item_number = numbered.item_number FROM numbered
        WHERE numbered.owner = past_change.owner AND numbered.id = past_change.id AND cause IS NOT NULL;
      UPDATE owner SET last_number =
        (SELECT coalesce(max(item_number), 0) FROM numbered WHERE numbered.owner = owner.number);
      DROP TABLE temp.numbered;

      CREATE UNIQUE INDEX item_number ON item (owner, item_number);
      """)
}
