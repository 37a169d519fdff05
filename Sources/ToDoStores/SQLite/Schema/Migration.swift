import GRDB

/// One step in the history of the schema.
///
/// The version of a database is the number of steps it has behind it, kept in its `user_version`. A step that
/// was ever released is never changed.
struct Migration: Sendable {
  /// One or more statements; they run in the transaction that sets the version.
  let sql: String
  /// What no statement can do; runs after the statements, in the same transaction.
  var step: (@Sendable (Database) throws -> Void)?

  static let all = [
    items, changes, places, accounts, placeCodes, keyedFingerprints, incarnation, quotas, bulkDeletions,
  ]
}

extension Migration {
  /// Version 1.
  ///
  /// - Owners have small numbers, so that the many keys that begin with one are short.
  /// - Items have rows of their own numbering and a narrow index on their identity: an identity that grows with time is
  ///   then appended to both, and a random one only to the index.
  /// - Every order of a listing has an index that ends in the identity, so that a page is one range of it. `item_created`
  ///   and `item_updated` hold `completed_at` too: filtering by state needs no look at the item.
  /// - `fingerprint` is that of the item's content, `added_as` the one it was added with. Duplicates are sought among
  ///   undone items only, so only they are indexed.
  /// - `due_order` is `DueDate.order`, or the greatest number for an item that is not due.
  /// - No foreign key: owners are never removed, and a check would cost each insertion a look-up.
  private static let items = Migration(
    sql: """
      CREATE TABLE owner (
        number INTEGER PRIMARY KEY,
        name TEXT NOT NULL UNIQUE,
        revision INTEGER NOT NULL
      ) STRICT;

      CREATE TABLE item (
        number INTEGER PRIMARY KEY,
        owner INTEGER NOT NULL,
        id BLOB NOT NULL CHECK (length(id) = 16),
        title TEXT NOT NULL,
        description TEXT,
        due_time INTEGER,
        due_date INTEGER CHECK (due_date IS NULL OR due_time IS NULL),
        place_name TEXT,
        address TEXT,
        latitude REAL,
        longitude REAL CHECK ((latitude IS NULL) = (longitude IS NULL)),
        source TEXT,
        granularity TEXT CHECK ((source IS NULL) = (granularity IS NULL)),
        created_at INTEGER NOT NULL,
        updated_at INTEGER NOT NULL,
        completed_at INTEGER,
        revision INTEGER NOT NULL,
        fingerprint INTEGER NOT NULL,
        added_as INTEGER NOT NULL,
        due_order INTEGER NOT NULL AS (
          coalesce(due_time, (due_date + 1) * 86400000000 - 1, 9223372036854775807)
        ) VIRTUAL
      ) STRICT;

      CREATE UNIQUE INDEX item_id ON item (owner, id);
      CREATE INDEX item_fingerprint ON item (owner, fingerprint) WHERE completed_at IS NULL;
      CREATE INDEX item_to_do ON item (owner, due_order, created_at, id) WHERE completed_at IS NULL;
      CREATE INDEX item_done ON item (owner, completed_at, id) WHERE completed_at IS NOT NULL;
      CREATE INDEX item_created ON item (owner, created_at, id, completed_at);
      CREATE INDEX item_updated ON item (owner, revision, id, completed_at);

      CREATE TABLE deleted_item (
        owner INTEGER NOT NULL,
        id BLOB NOT NULL,
        revision INTEGER NOT NULL,
        PRIMARY KEY (owner, id)
      ) STRICT, WITHOUT ROWID;
      """)

  /// Version 2: the feed of changes.
  ///
  /// - An item's row is its latest change, and says with `cause` what that was (see `ItemRow`). So an item that is added
  ///   and left alone costs the feed nothing.
  /// - `past_change` has the other changes: items as they were before a later change, and deletions, which are rows
  ///   without a cause whose `updated_at` is their time and whose `completed_at` says whether the item was done. Its
  ///   key is the order of the feed.
  /// - `floor` is the earliest revision that the feed can be asked after. Rows up to it mean nothing, and are removed
  ///   in due time. What changed before there was a feed is not in it.
  private static let changes = Migration(
    sql: """
      ALTER TABLE owner ADD COLUMN floor INTEGER NOT NULL DEFAULT 0;
      UPDATE owner SET floor = revision;

      ALTER TABLE item ADD COLUMN cause INTEGER NOT NULL DEFAULT 0;

      CREATE TABLE past_change (
        owner INTEGER NOT NULL,
        revision INTEGER NOT NULL,
        id BLOB NOT NULL,
        cause INTEGER CHECK ((cause IS NULL) = (title IS NULL)),
        title TEXT,
        description TEXT,
        due_time INTEGER,
        due_date INTEGER,
        place_name TEXT,
        address TEXT,
        latitude REAL,
        longitude REAL,
        source TEXT,
        granularity TEXT,
        created_at INTEGER,
        updated_at INTEGER NOT NULL,
        completed_at INTEGER,
        PRIMARY KEY (owner, revision, id)
      ) STRICT, WITHOUT ROWID;
      """)

  /// Version 3.
  ///
  /// - `item_place` is an R*Tree of the undone items that have a coordinate, in units of a ten-millionth of a degree. The
  ///   owner is a dimension of it, so that others' items are passed over. Each owner is a range and not a point of that:
  ///   with boxes of no volume the tree could not tell which of them are near each other, and a search looked at all.
  /// - Triggers keep it: an item without a coordinate, before and after, costs only the look at that.
  /// - `pending_lookup` has the coordinates that are still to be found.
  private static let places = Migration(
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

  /// Version 4.
  ///
  /// - `account_version` has one row, which every change of users and tokens counts up.
  /// - `item_count` is how many items an owner has, so that a limit costs no counting.
  private static let accounts = Migration(
    sql: """
      CREATE TABLE user (
        name TEXT PRIMARY KEY NOT NULL,
        list TEXT NOT NULL,
        unix_user INTEGER UNIQUE,
        certificate_subject TEXT UNIQUE,
        created_at INTEGER NOT NULL
      ) STRICT;

      CREATE TABLE access_token (
        id INTEGER PRIMARY KEY,
        user TEXT NOT NULL,
        secret_hash BLOB NOT NULL CHECK (length(secret_hash) = 32),
        read_only INTEGER NOT NULL,
        created_at INTEGER NOT NULL,
        expires_at INTEGER
      ) STRICT;

      CREATE TABLE account_version (version INTEGER NOT NULL) STRICT;
      INSERT INTO account_version VALUES (0);

      ALTER TABLE owner ADD COLUMN item_count INTEGER NOT NULL DEFAULT 0;
      UPDATE owner SET item_count = (SELECT count(*) FROM item WHERE item.owner = owner.number);
      """)

  /// Version 5.
  ///
  /// - `place` is the `PlaceCode` of an item that has a coordinate. In a plain index it costs an addition a quarter of what
  ///   the R*Tree and its triggers did. The program writes it, for no trigger could compute it as fast.
  /// - It is computed here as `PlaceCode` does it, step by step the same. Each step is a table of its own, because SQLite
  ///   would otherwise write out each expression twice in the next.
  private static let placeCodes = Migration(
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

  /// The incarnation of all lists.
  ///
  /// `list_incarnation` has one row with a random number that is not 0. Restoring a backup replaces the number.
  private static let incarnation = Migration(
    sql: """
      CREATE TABLE list_incarnation (incarnation INTEGER NOT NULL) STRICT;
      INSERT INTO list_incarnation VALUES (random() | 1);
      """)
}
