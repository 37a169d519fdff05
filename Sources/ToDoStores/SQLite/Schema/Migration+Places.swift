extension Migration {
  /// Version 3.
  ///
  /// - `item_place` is an R*Tree with the incomplete items that have a coordinate, in ten-millionths of a degree. The
  ///   owner is a dimension, so that a search skips the items of other owners. Each owner is a range of that dimension and
  ///   not a point: the tree cannot group boxes without a volume by distance, and a search would visit all of them.
  /// - Triggers maintain the tree. A write of an item that has no coordinate before and after costs only the comparison.
  /// - `pending_lookup` contains the addresses whose coordinates are pending.
  static let places = Migration(
    sql: """
      CREATE VIRTUAL TABLE item_place USING rtree_i32 (
        number, south, north, west, east, owner_from, owner_to
      );

      INSERT INTO item_place
      SELECT number, round(latitude * 1e7), round(latitude * 1e7), round(longitude * 1e7), round(longitude * 1e7),
        owner * 1000, owner * 1000 + 999
      FROM item WHERE latitude IS NOT NULL AND completed_at IS NULL;

      CREATE TRIGGER item_is_placed AFTER INSERT ON item
      WHEN NEW.latitude IS NOT NULL AND NEW.completed_at IS NULL
      BEGIN
        INSERT INTO item_place VALUES (
          NEW.number, round(NEW.latitude * 1e7), round(NEW.latitude * 1e7), round(NEW.longitude * 1e7),
          round(NEW.longitude * 1e7), NEW.owner * 1000, NEW.owner * 1000 + 999);
      END;

      CREATE TRIGGER item_is_moved AFTER UPDATE ON item
      WHEN NEW.latitude IS NOT OLD.latitude OR NEW.longitude IS NOT OLD.longitude
        OR (NEW.latitude IS NOT NULL AND (NEW.completed_at IS NULL) <> (OLD.completed_at IS NULL))
      BEGIN
        DELETE FROM item_place WHERE number = OLD.number;
        INSERT INTO item_place
        SELECT NEW.number, round(NEW.latitude * 1e7), round(NEW.latitude * 1e7), round(NEW.longitude * 1e7),
          round(NEW.longitude * 1e7), NEW.owner * 1000, NEW.owner * 1000 + 999
        WHERE NEW.latitude IS NOT NULL AND NEW.completed_at IS NULL;
      END;

      CREATE TRIGGER item_place_is_gone AFTER DELETE ON item
      WHEN OLD.latitude IS NOT NULL AND OLD.completed_at IS NULL
      BEGIN
        DELETE FROM item_place WHERE number = OLD.number;
      END;

      CREATE TABLE pending_lookup (
        owner INTEGER NOT NULL,
        id BLOB NOT NULL,
        address TEXT NOT NULL,
        attempts INTEGER NOT NULL,
        due INTEGER NOT NULL,
        PRIMARY KEY (owner, id)
      ) STRICT, WITHOUT ROWID;

      CREATE INDEX pending_lookup_due ON pending_lookup (due);
      """)

  /// Version 5.
  ///
  /// - `place` is the `MortonCode` of an item that has a coordinate. A plain index on it costs an insertion a quarter of what
  ///   the R*Tree and its triggers did. The program writes it, because a trigger could not compute it as fast.
  /// - The statement computes the code in the same steps as `MortonCode`. Each step is its own table, because SQLite
  ///   would otherwise expand each expression twice in the next.
  static let placeCodes = Migration(
    sql: """
      DROP TRIGGER item_is_placed;
      DROP TRIGGER item_is_moved;
      DROP TRIGGER item_place_is_gone;
      DROP TABLE item_place;

      ALTER TABLE item ADD COLUMN place INTEGER;

      WITH
        part (number, y, x) AS MATERIALIZED (
          SELECT number,
            max(0, min(CAST((latitude + 90.0) / 180.0 * 2147483648.0 AS INTEGER), 2147483647)),
            max(0, min(CAST((longitude + 180.0) / 360.0 * 2147483648.0 AS INTEGER), 2147483647))
          FROM item WHERE latitude IS NOT NULL
        ),
        spread16 (number, y, x) AS MATERIALIZED (
          SELECT number, (y | (y << 16)) & 0x0000FFFF0000FFFF, (x | (x << 16)) & 0x0000FFFF0000FFFF FROM part
        ),
        spread8 (number, y, x) AS MATERIALIZED (
          SELECT number, (y | (y << 8)) & 0x00FF00FF00FF00FF, (x | (x << 8)) & 0x00FF00FF00FF00FF FROM spread16
        ),
        spread4 (number, y, x) AS MATERIALIZED (
          SELECT number, (y | (y << 4)) & 0x0F0F0F0F0F0F0F0F, (x | (x << 4)) & 0x0F0F0F0F0F0F0F0F FROM spread8
        ),
        spread2 (number, y, x) AS MATERIALIZED (
          SELECT number, (y | (y << 2)) & 0x3333333333333333, (x | (x << 2)) & 0x3333333333333333 FROM spread4
        ),
        spread1 (number, y, x) AS MATERIALIZED (
          SELECT number, (y | (y << 1)) & 0x5555555555555555, (x | (x << 1)) & 0x5555555555555555 FROM spread2
        )
      UPDATE item SET place = spread1.y | (spread1.x << 1) FROM spread1 WHERE spread1.number = item.number;

      CREATE INDEX item_place ON item (owner, place) WHERE place IS NOT NULL AND completed_at IS NULL;
      """)
}
