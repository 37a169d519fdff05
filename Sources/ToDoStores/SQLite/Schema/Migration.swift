import ToDoSQLite

/// One step in the history of the schema.
///
/// The version of a database is the number of steps that have run, which its `user_version` stores. A released step is never
/// changed.
struct Migration: Sendable {
  /// One or more statements; they run in the transaction that sets the version.
  let sql: String
  /// Work that SQL cannot do. It runs after the statements, in the same transaction.
  var step: (@Sendable (SQLiteConnection) throws -> Void)?

  static let all = [
    items, changes, places, accounts, placeCodes, keyedFingerprints, incarnation, quotas, bulkDeletions, numbers,
    history, accessVersions, itemHistory, tags, repetition, lists, moves, sharing, notificationTargets,
    emailTargets, reminderStates, tokenScopes,
  ]
}

extension Migration {
  /// Version 1.
  ///
  /// - Owners have small numbers, so that the many keys that start with one are short.
  /// - Items have a row number, and a narrow index on their ID. An ID that grows with time is appended to both; a random ID
  ///   is inserted at a random position of the index only.
  /// - Every order of listings has an index that ends in the ID, so that a page is one range of the index. `item_created`
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
  /// - An item's row is its latest change, whose kind is `cause` (see `SQLiteItemRow`). So an item that is added and never changed
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
  /// - `item_count` is the number of an owner's items, so that checking a limit does not count rows.
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

extension Migration {
  /// Version 10: numbers of items.
  ///
  /// - `item_number` is an item's number in its list, and `last_number` the highest that any item of the list has had.
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

extension Migration {
  /// Version 8: quotas.
  ///
  /// - `byte_count` is the total size of an owner's rows, by `StoredSize`, so that checking a quota does not read them.
  /// - `deleted_at` is the time at which an item was deleted, after which its ID can be reused at some time. IDs that were
  ///   deleted before this step count as deleted now.
  private static let quotas = Migration(
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

extension Migration {
  /// Version 13: the history of single items, and the sizes of bulk deletions.
  ///
  /// - `past_change_item` finds the past changes of one item. Items that are added and never changed have none.
  /// - `deletion_byte_limit` is the list size that the copies of a `PendingDeletion` do not exceed.
  private static let itemHistory = Migration(
    sql: """
      CREATE INDEX past_change_item ON past_change (owner, id, revision);
      ALTER TABLE owner ADD COLUMN deletion_byte_limit INTEGER;
      """)
}

extension Migration {
  /// Version 9: bulk deletions.
  ///
  /// `deletion` is the `PendingDeletion` of an owner, `deletion_time` the time at which it began.
  private static let bulkDeletions = Migration(
    sql: """
      ALTER TABLE owner ADD COLUMN deletion INTEGER CHECK (deletion IN (1, 2));
      ALTER TABLE owner ADD COLUMN deletion_time INTEGER CHECK ((deletion IS NULL) = (deletion_time IS NULL));
      """)
}

extension Migration {
  /// Version 12: the end of access to lists.
  ///
  /// `access_version` is the account version at which a change to users or tokens may last have ended a caller's access to
  /// the list. A write whose caller's access was checked at an earlier version checks it again.
  private static let accessVersions = Migration(
    sql: "ALTER TABLE owner ADD COLUMN access_version INTEGER NOT NULL DEFAULT 0;")
}

extension Migration {
  /// Version 14: tags and priorities.
  ///
  /// - `tags` are the tags of an item with spaces between them, or NULL if it has none.
  /// - `priority` is the `level` of the item's priority, or NULL if it has none.
  private static let tags = Migration(
    sql: ["item", "past_change", "deleted_item"].map { table in
      """
      ALTER TABLE \(table) ADD COLUMN tags TEXT;
      ALTER TABLE \(table) ADD COLUMN priority INTEGER;
      """
    }.joined(separator: "\n"))
}

extension Migration {
  /// Version 15: steps, waiting and repetition.
  ///
  /// - `steps` are the steps of an item as `EncodedMarks` encodes them, or NULL if it has none.
  /// - `wait_time` is the time until which the item waits, or NULL.
  /// - `repetition` is the item's repetition, as `EncodedMarks` encodes it, or NULL.
  private static let repetition = Migration(
    sql: ["item", "past_change", "deleted_item"].map { table in
      """
      ALTER TABLE \(table) ADD COLUMN steps BLOB;
      ALTER TABLE \(table) ADD COLUMN wait_time INTEGER;
      ALTER TABLE \(table) ADD COLUMN repetition BLOB;
      """
    }.joined(separator: "\n"))
}

extension Migration {
  /// Version 16: the lists of users.
  ///
  /// - A row of `user_list` is a list of the user who owns the default list `owner`. The default list, with the ID "default", has
  ///   a row only if it was changed. The items of another list are those of the owner named "list:" and the ID.
  /// - `created_as` is the color and the name that the list was created with.
  /// - `list_set` contains the version of each user's last change, and `list_version` the highest version.
  private static let lists = Migration(
    sql: """
      CREATE TABLE user_list (
        owner TEXT NOT NULL,
        id TEXT NOT NULL,
        name TEXT NOT NULL,
        color TEXT NOT NULL,
        position INTEGER NOT NULL,
        created_at INTEGER,
        updated_at INTEGER,
        version INTEGER NOT NULL,
        deleted_at INTEGER,
        expires_at INTEGER CHECK ((deleted_at IS NULL) = (expires_at IS NULL)),
        created_as TEXT,
        PRIMARY KEY (owner, id)
      ) STRICT, WITHOUT ROWID;
      CREATE UNIQUE INDEX user_list_id ON user_list (id) WHERE id <> 'default';
      CREATE INDEX user_list_expiry ON user_list (expires_at) WHERE expires_at IS NOT NULL;

      CREATE TABLE list_set (
        owner TEXT PRIMARY KEY NOT NULL,
        version INTEGER NOT NULL
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX list_set_version ON list_set (version);

      ALTER TABLE account_version ADD COLUMN list_version INTEGER NOT NULL DEFAULT 0;
      """)
}

extension Migration {
  /// Version 17: moves between lists.
  ///
  /// `moved` is the move in the change's `ChangeOrigin`, as `ListMove.storedText`.
  private static let moves = Migration(
    sql: """
      ALTER TABLE item ADD COLUMN moved TEXT;
      ALTER TABLE past_change ADD COLUMN moved TEXT;
      """)
}

extension Migration {
  /// Version 18: the members of lists, and reminders.
  ///
  /// The `steps` of an item can contain reminders, which earlier programs cannot decode.
  ///
  /// A row of `list_member` shares the list `list_id` of the user `owner_user`, whose default list is `owner`, with the user
  /// `member_user`, whose default list is `member`. `accepted_at` is null for an invitation.
  private static let sharing = Migration(
    sql: """
      CREATE TABLE list_member (
        list_id TEXT NOT NULL,
        owner TEXT NOT NULL,
        owner_user TEXT NOT NULL,
        member TEXT NOT NULL,
        member_user TEXT NOT NULL,
        role TEXT NOT NULL CHECK (role IN ('editor', 'viewer')),
        invited_at INTEGER NOT NULL,
        accepted_at INTEGER,
        PRIMARY KEY (list_id, member)
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX list_member_owner ON list_member (owner);
      CREATE INDEX list_member_member ON list_member (member);
      """)
}

extension Migration {
  /// Version 19: the targets of users' reminders.
  ///
  /// `owner` is the user's default list. `secret` is stored as it is, because the server has to present it or sign with it.
  private static let notificationTargets = Migration(
    sql: """
      CREATE TABLE notification_target (
        owner TEXT NOT NULL,
        id TEXT NOT NULL,
        kind TEXT NOT NULL,
        url TEXT NOT NULL,
        secret TEXT,
        PRIMARY KEY (owner, id)
      ) STRICT, WITHOUT ROWID;
      """)
}

extension Migration {
  /// Version 20: targets of the kind `email`, which earlier programs cannot read. No table changes.
  private static let emailTargets = Migration(sql: "")
}

extension Migration {
  /// Version 21: the states of reminders in shared lists.
  ///
  /// A row is a state of the user whose default list is `member`. `list_id` is the list that contained the item at the last change
  /// of the state, and `reminder` the trigger's text.
  private static let reminderStates = Migration(
    sql: """
      CREATE TABLE reminder_state (
        member TEXT NOT NULL,
        list_id TEXT NOT NULL,
        item_id TEXT NOT NULL,
        reminder TEXT NOT NULL,
        acknowledged_at INTEGER NOT NULL,
        snoozed_until INTEGER,
        PRIMARY KEY (member, item_id, reminder)
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX reminder_state_list ON reminder_state (list_id);
      """)
}

extension Migration {
  /// Version 22: tokens that permit one thing.
  ///
  /// `scope` is the token's `AccessToken.Scope` as `storedText`, or NULL for all methods.
  private static let tokenScopes = Migration(
    sql: """
      ALTER TABLE access_token ADD COLUMN scope TEXT;
      CREATE INDEX access_token_user ON access_token (user);
      """)
}
