#if PostgreSQL
import ToDoPostgreSQL

/// One schema version. Servers of the former version work during the step, so their statements must
/// stay valid.
///
/// The version of a database is the number of steps that have run, which `todo_store.version` stores. A released step
/// is never changed.
enum SchemaMigration: Sendable {
  /// Statements that run in the transaction that sets the version. They should be few, and must not read or write all
  /// rows of a table that has rows, because each is given 100 ms.
  case transaction(String)
  /// Statements that take long and hold no lock that delays other transactions, such as `CREATE INDEX CONCURRENTLY`.
  /// They run outside a transaction. After an interruption they are repeated from the first one, so an index that
  /// may be incomplete must be dropped first.
  case online([String])

  static let all = [
    lists, accessVersions, tags, repetition, userLists, moves, sharing, notificationTargets, emailTargets,
    reminderStates, tokenScopes, tokenUsers,
  ]
}

extension SchemaMigration {
  /// Runs the step.
  ///
  /// In an existing database, each statement of a transaction ends after 100 ms, because other transactions queue
  /// behind its locks, even while it waits for them. The transaction is repeated until it succeeds.
  ///
  /// - Parameters:
  ///   - isFirst: whether the step creates the first tables.
  ///   - setVersion: sets the database version.
  func run(
    on connection: PostgreSQLConnection, isFirst: Bool, until deadline: ContinuousClock.Instant, timing: StoreTiming,
    setVersion: () throws -> Void
  ) throws {
    switch self {
    case .transaction(let sql):
      while true {
        do {
          return try StoreTransaction.perform(on: connection) {
            if !isFirst { try connection.execute("SET LOCAL statement_timeout = '100ms'") }
            try connection.execute(sql)
            try setVersion()
          }
        } catch let error as PostgreSQLError where error.kind == .canceled && timing.now() < deadline {
          timing.pause(for: .milliseconds(100))
        }
      }
    case .online(let statements):
      for statement in statements { try connection.execute(statement) }
      try StoreTransaction.perform(on: connection, setVersion)
    }
  }
}

extension SchemaMigration {
  /// The step for tables that are new, so that nobody uses them. `CONCURRENTLY` would wait for the transactions of all programs that
  /// use the database.
  var forNewTables: SchemaMigration {
    guard case .online(let statements) = self else { return self }
    return .online(statements.map { $0.replacing(" CONCURRENTLY", with: "") })
  }
}

extension SchemaMigration {
  /// Version 1.
  ///
  /// - `todo_store` has one row, which describes the whole database.
  /// - `list` has one row for each list. Every transaction that changes a list locks its row first.
  /// - A row of `item` is a present item (`deleted_at` is null), a deleted item that is kept until `expires_at`, or a
  ///   reserved ID (`content` and `expires_at` are null). The encoded `content` is the item; the other columns serve
  ///   indexes.
  /// - `spot_latitude` and `spot_longitude` are both the maximum if the fingerprint has no spot, so that an index
  ///   compares them like every other spot.
  /// - A row of `change` is one change of one item. `former` and `former_revision` are the item's state before the
  ///   change. So the state after a change is the `former` of the item's next change, or else the row of `item`.
  /// - Every order of listings has an index that ends in the ID, so that a page is one range of the index.
  /// - Names are compared bytewise, so an update of the operating system's collations does not invalidate an index.
  /// - There are no foreign keys, because a check would cost each insertion a lookup.
  static let lists = transaction(
    """
    CREATE TABLE todo_store (
      "only" boolean PRIMARY KEY DEFAULT true CHECK ("only"),
      version int NOT NULL,
      incarnation bytea NOT NULL,
      fingerprint_key bytea NOT NULL,
      account_version bigint NOT NULL DEFAULT 0
    );

    CREATE TABLE list (
      name text COLLATE "C" PRIMARY KEY,
      revision bigint NOT NULL,
      floor bigint NOT NULL,
      item_count bigint NOT NULL,
      byte_count bigint NOT NULL,
      last_number bigint NOT NULL
    );

    CREATE TABLE item (
      list text COLLATE "C" NOT NULL,
      id uuid NOT NULL,
      number bigint NOT NULL,
      revision bigint NOT NULL,
      created_at bigint NOT NULL,
      completed_at bigint,
      due_order bigint NOT NULL,
      place bigint,
      hash uuid,
      spot_latitude int NOT NULL,
      spot_longitude int NOT NULL,
      added_as bytea,
      deleted_at bigint,
      expires_at bigint,
      content bytea,
      size int NOT NULL,
      PRIMARY KEY (list, id)
    );

    CREATE INDEX item_to_do ON item (list, due_order, created_at, id)
      WHERE completed_at IS NULL AND deleted_at IS NULL;
    CREATE INDEX item_done ON item (list, completed_at, id) WHERE completed_at IS NOT NULL AND deleted_at IS NULL;
    CREATE INDEX item_created ON item (list, created_at, id) WHERE deleted_at IS NULL;
    CREATE INDEX item_updated ON item (list, revision, id) WHERE deleted_at IS NULL;
    CREATE INDEX item_deleted ON item (list, revision, id) WHERE expires_at IS NOT NULL;
    CREATE INDEX item_expiry ON item (list, expires_at) WHERE expires_at IS NOT NULL;
    CREATE INDEX item_reserved ON item (list, deleted_at) WHERE deleted_at IS NOT NULL AND content IS NULL;
    CREATE INDEX item_number ON item (list, number) WHERE content IS NOT NULL;
    CREATE INDEX item_duplicate ON item (list, hash, spot_latitude, spot_longitude)
      WHERE completed_at IS NULL AND deleted_at IS NULL;
    CREATE INDEX item_place ON item (list, place)
      WHERE place IS NOT NULL AND completed_at IS NULL AND deleted_at IS NULL;

    CREATE TABLE change (
      list text COLLATE "C" NOT NULL,
      revision bigint NOT NULL,
      id uuid NOT NULL,
      cause smallint,
      time bigint NOT NULL,
      was_done boolean NOT NULL,
      changed_by text,
      client text,
      reverted bigint,
      former bytea,
      former_revision bigint,
      size int NOT NULL,
      PRIMARY KEY (list, revision, id)
    );

    CREATE INDEX change_former ON change (list, id, former_revision) WHERE former_revision IS NOT NULL;
    CREATE INDEX change_item ON change (list, id, revision);

    CREATE TABLE pending_lookup (
      list text COLLATE "C" NOT NULL,
      id uuid NOT NULL,
      address text NOT NULL,
      attempts int NOT NULL,
      due bigint NOT NULL,
      PRIMARY KEY (list, id)
    );

    CREATE INDEX pending_lookup_due ON pending_lookup (due);

    CREATE TABLE todo_user (
      name text COLLATE "C" PRIMARY KEY,
      list text NOT NULL,
      unix_user bigint UNIQUE,
      certificate_subject text UNIQUE,
      created_at bigint NOT NULL
    );

    CREATE TABLE access_token (
      id bigint PRIMARY KEY,
      user_name text COLLATE "C" NOT NULL,
      secret_hash bytea NOT NULL,
      read_only boolean NOT NULL,
      created_at bigint NOT NULL,
      expires_at bigint
    );
    """)
}

extension SchemaMigration {
  /// Version 2.
  ///
  /// `access_version` is the account version of the last user or token change that may have ended a caller's
  /// access to the list. A write whose caller's access was checked at an earlier version checks it again.
  private static let accessVersions = transaction(
    "ALTER TABLE list ADD COLUMN access_version bigint NOT NULL DEFAULT 0")

  /// Version 3.
  ///
  /// The encoded `content` of an item can contain tags and a priority, which earlier programs cannot decode.
  private static let tags = transaction("SELECT 1")

  /// Version 4.
  ///
  /// The encoded `content` of an item can contain steps, a wait time and a repetition, which earlier programs cannot decode.
  private static let repetition = transaction("SELECT 1")

  /// Version 5: the lists of users.
  ///
  /// - A row of `user_list` is a list of the user who owns the default list `owner`. The default list, with the ID "default", has
  ///   a row only if it was changed. The items of another list are those of the `list` named "list:" and the ID.
  /// - `created_as` is the color and the name that the list was created with.
  /// - `list_set` contains the version of each user's last change, and `list_version` the highest version.
  private static let userLists = transaction(
    """
    CREATE TABLE user_list (
      owner text COLLATE "C" NOT NULL,
      id text COLLATE "C" NOT NULL,
      name text NOT NULL,
      color text NOT NULL,
      position bigint NOT NULL,
      created_at bigint,
      updated_at bigint,
      version bigint NOT NULL,
      deleted_at bigint,
      expires_at bigint CHECK ((deleted_at IS NULL) = (expires_at IS NULL)),
      created_as text,
      PRIMARY KEY (owner, id)
    );
    CREATE UNIQUE INDEX user_list_id ON user_list (id) WHERE id <> 'default';
    CREATE INDEX user_list_expiry ON user_list (expires_at) WHERE expires_at IS NOT NULL;

    CREATE TABLE list_set (
      owner text COLLATE "C" PRIMARY KEY,
      version bigint NOT NULL
    );
    CREATE INDEX list_set_version ON list_set (version);

    ALTER TABLE todo_store ADD COLUMN list_version bigint NOT NULL DEFAULT 0;
    """)

  /// Version 6: moves between lists.
  ///
  /// `moved` is the other half of a move, as `ListMove.storedText`.
  private static let moves = transaction("ALTER TABLE change ADD COLUMN moved text")

  /// Version 7: the members of lists, and reminders.
  ///
  /// The encoded `content` of an item can contain reminders, which earlier programs cannot decode.
  ///
  /// A row of `list_member` shares the list `list_id` of the user `owner_user`, whose default list is `owner`, with the user
  /// `member_user`, whose default list is `member`. `accepted_at` is null for an invitation.
  private static let sharing = transaction(
    """
    CREATE TABLE list_member (
      list_id text COLLATE "C" NOT NULL,
      owner text COLLATE "C" NOT NULL,
      owner_user text NOT NULL,
      member text COLLATE "C" NOT NULL,
      member_user text COLLATE "C" NOT NULL,
      role text NOT NULL,
      invited_at bigint NOT NULL,
      accepted_at bigint,
      PRIMARY KEY (list_id, member)
    );
    CREATE INDEX list_member_owner ON list_member (owner);
    CREATE INDEX list_member_member ON list_member (member);
    """)
}

extension SchemaMigration {
  /// Version 8: the targets of users' reminders.
  ///
  /// `owner` is the user's default list. `secret` is stored as it is, because the server has to present it or sign with it.
  private static let notificationTargets = transaction(
    """
    CREATE TABLE notification_target (
      owner text COLLATE "C" NOT NULL,
      id text COLLATE "C" NOT NULL,
      kind text NOT NULL,
      url text NOT NULL,
      secret text,
      PRIMARY KEY (owner, id)
    );
    """)
}

extension SchemaMigration {
  /// Version 9: targets of the kind `email`, which earlier programs cannot read. No table changes.
  private static let emailTargets = transaction(
    "COMMENT ON COLUMN notification_target.url IS 'a URL; mailto: for an email address'")
}

extension SchemaMigration {
  /// Version 10: the states of reminders in shared lists.
  ///
  /// A row is a state of the user whose default list is `member`. `list_id` is the list that contained the item at the last change
  /// of the state, and `reminder` the trigger's text.
  private static let reminderStates = transaction(
    """
    CREATE TABLE reminder_state (
      member text COLLATE "C" NOT NULL,
      list_id text COLLATE "C" NOT NULL,
      item_id text COLLATE "C" NOT NULL,
      reminder text COLLATE "C" NOT NULL,
      acknowledged_at bigint NOT NULL,
      snoozed_until bigint,
      PRIMARY KEY (member, item_id, reminder)
    );
    CREATE INDEX reminder_state_list ON reminder_state (list_id);
    """)
}

extension SchemaMigration {
  /// Version 11: tokens that permit one thing.
  ///
  /// `scope` is the token's `AccessToken.Scope` as `storedText`, or null for all methods. Servers of the former version do not
  /// know it, and the hash of another scope is that of no token that they accept.
  private static let tokenScopes = transaction("ALTER TABLE access_token ADD COLUMN scope text")

  /// Version 12: an index of tokens by their user.
  ///
  /// Former programs created it in version 11, while nobody could write a token.
  private static let tokenUsers = online([
    "DROP INDEX CONCURRENTLY IF EXISTS access_token_user",
    "CREATE INDEX CONCURRENTLY access_token_user ON access_token (user_name)",
  ])
}
#endif
