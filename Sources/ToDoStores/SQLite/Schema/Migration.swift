import ToDoSQLite

/// One step in the history of the schema.
///
/// The version of a database is the number of steps that have run, which its `user_version` stores. A released step is never
/// changed.
struct Migration: Sendable {
  /// One or more statements; they run in the transaction that sets the version.
  let sql: String
  /// Work that SQL cannot do. It runs after the statements, in the same transaction.
  var step: (@Sendable (Connection) throws -> Void)?

  static let all = [
    items, changes, places, accounts, placeCodes, keyedFingerprints, incarnation, quotas, bulkDeletions, numbers,
    history, accessVersions, itemHistory,
  ]
}

extension Migration {
  /// Version 1.
  ///
  /// - Owners have small numbers, so that the many keys that start with one are short.
  /// - Items have a row number, and a narrow index on their ID. An ID that grows with time is appended to both; a random ID
  ///   is inserted at a random position of the index only.
  /// - Every order of a listing has an index that ends in the ID, so that a page is one range of the index. `item_created`
  ///   and `item_updated` also contain `completed_at`, so that filtering by state does not read the item.
  /// - `fingerprint` is the fingerprint of the item's content, `added_as` the fingerprint that it was added with. Only
  ///   incomplete items can be duplicates, so only they are indexed.
  /// - `due_order` is `DueDate.order`, or the maximum for an item without a due date.
  /// - There are no foreign keys: owners are never removed, and a check would cost each insertion a lookup.
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
  /// - An item's row is its latest change, whose kind is `cause` (see `ItemRow`). So an item that is added and never changed
  ///   costs the feed nothing.
  /// - `past_change` contains the other changes: previous states of items, and deletions. A deletion is a row without a
  ///   cause. Its `updated_at` is the time of the deletion, and its `completed_at` is set if the item was done. The key is
  ///   the order of the feed.
  /// - `floor` is the earliest revision after which the feed can be read. Rows up to it are obsolete, and compaction removes
  ///   them. The feed does not contain changes from before this version.
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

  /// Version 4.
  ///
  /// - `account_version` has one row, which every change of users and tokens increments.
  /// - `item_count` is the number of items of an owner, so that checking a limit does not count rows.
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

  /// Version 7: the incarnation of all lists.
  ///
  /// `list_incarnation` has one row with a random number that is not 0. Restoring a backup replaces the number.
  private static let incarnation = Migration(
    sql: """
      CREATE TABLE list_incarnation (incarnation INTEGER NOT NULL) STRICT;
      INSERT INTO list_incarnation VALUES (random() | 1);
      """)
}
