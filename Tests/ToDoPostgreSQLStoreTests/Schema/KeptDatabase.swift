#if PostgreSQL
import Foundation
import ToDoModel
import ToDoPostgreSQL
import ToDoRules
import ToDoStores
import ToDoTestProcesses
import ToDoTestSupport

@testable import ToDoPostgreSQLStore

/// A text dump of a database with an earlier schema version, in the folder Golden, and the values of its rows.
enum KeptDatabase {
  static let (ann, bob, cat) = (User.sample("ann"), User.sample("bob"), User.sample("cat"))
  static let work = ListID(high: 0x190_0000_0000_7000, low: 0xA1)
  static let home = ListID(high: 0x190_0000_0000_7000, low: 0xA2)
  static let full = ItemID(high: 0x190_0000_0000_7000, low: 0xB1)
  static let done = ItemID(high: 0x190_0000_0000_7000, low: 0xB3)
  static let gone = ItemID(high: 0x190_0000_0000_7000, low: 0xB4)
  static let report = ItemID(high: 0x190_0000_0000_7000, low: 0xB6)
  /// The first of two targets.
  static let target = "01900000-0000-7000-0000-0000000000c"
  static let due = Timestamp(microseconds: 1_770_000_000_000_000)
  static let later = Timestamp(microseconds: 1_770_003_600_000_000)
  static let expiry = Timestamp(microseconds: 4_000_000_000_000_000)
  private static let place = Coordinate(latitude: 48.1, longitude: 11.5).map { MortonCode($0).number } ?? 0

  /// The text of a dump, which a connection executes in an empty schema.
  static func dump(_ version: Int) throws -> String { try String(contentsOfFile: path(version), encoding: .utf8) }

  private static func path(_ version: Int, filePath: String = #filePath) -> String {
    var folder = URL(filePath: filePath)
    while folder.lastPathComponent != "ToDoPostgreSQLStoreTests" { folder.deleteLastPathComponent() }
    return folder.appending(components: "Golden", "schema-\(version).sql").path
  }

  // MARK: Making the files

  /// Makes a dump if there is none: executes the steps of the schema up to the version, and stores after each one what programs of
  /// that version do.
  static func makeIfMissing(_ version: Int) throws {
    guard !FileManager.default.fileExists(atPath: path(version)) else { return }
    let database = try StoreDatabase(isMigrated: false, isPrivate: true)
    let connection = try database.connection()
    try connection.execute(sized)
    for number in 1...version {
      try StoreSchema.migrate(connection, to: Array(SchemaMigration.all.prefix(number)))
      if let rows = rows[number] { try connection.execute(rows) }
    }
    let arguments = ["--inserts", "--no-owner", "--no-privileges", "--dbname", database.uri]
    let run = try CompletedProcess("/usr/bin/env", ["pg_dump"] + arguments)
    let lines = run.output.replacing("public.", with: "").split(separator: "\n").filter { line in
      !["--", "\\", "SET ", "SELECT pg_catalog.set_config"].contains { line.hasPrefix($0) }
    }
    try (lines.joined(separator: "\n") + "\n").write(toFile: path(version), atomically: true, encoding: .utf8)
  }

  /// A function of the connection that returns a text as the binary form of an item has it.
  private static let sized = """
    CREATE FUNCTION pg_temp.sized(bytes bytea) RETURNS bytea LANGUAGE sql AS 'SELECT int4send(octet_length(bytes)) || bytes';
    CREATE FUNCTION pg_temp.sized(value text) RETURNS bytea LANGUAGE sql
    AS 'SELECT pg_temp.sized(convert_to(value, ''UTF8''))';
    """

  /// The binary form of an item that only has a title, and is done or not.
  private static func plain(_ number: Int, _ title: String, completedAt: Int64? = nil) -> String {
    let completed = completedAt.map { " || int8send(\($0))" } ?? ""
    return """
      '\\x01'::bytea || int2send(\(completedAt == nil ? 0 : 1)::int2) || int8send(\(number)) || pg_temp.sized('\(title)') \
      || int8send(\(number)) || int8send(\(number))\(completed)
      """
  }

  /// The binary form of the item "Full" as the first version has it, followed by fields of later versions.
  ///
  /// - Parameter laterBits: the bits of these fields.
  private static func full(_ title: String = "Full", laterBits: Int = 0, _ laterFields: String = "") -> String {
    """
    '\\x01'::bytea || int2send(\(0xFA | laterBits)::int2) || int8send(1) || pg_temp.sized('\(title)') \
    || int8send(1) || int8send(6) || int8send(\(due.microseconds)) || pg_temp.sized('Note') || pg_temp.sized('Office') \
    || pg_temp.sized('1 High Street') || float8send(48.1) || float8send(11.5) || pg_temp.sized('nominatim') || '\\x01'::bytea\
    \(laterFields)
    """
  }

  private static let marks = " || pg_temp.sized('errands work/urgent') || '\\x03'::bytea"
  private static let steps = "'\\x0100045061636B000002476F'::bytea"
  /// Weekly on Mondays.
  private static let repetition = """
     || int8send(1777593600000000) || pg_temp.sized(int2send(7::int2) || '\\x01'::bytea || int8send(\(due.microseconds)) \
    || int8send(0) || convert_to('Etc/UTCFREQ=WEEKLY;BYDAY=MO', 'UTF8'))
    """
  /// One hour before, and 10 minutes before, acknowledged and snoozed.
  private static let reminders = """
    '\\x0300'::bytea || int8send(3600) || '\\x0303'::bytea || int8send(600) || int8send(\(due.microseconds)) \
    || int8send(\(later.microseconds))
    """

  /// What is stored once the database has a version.
  private static let rows: [Int: String] = [
    1: items + accounts,
    2: "UPDATE list SET access_version = 3;",
    3: "UPDATE item SET size = size + 19, content = \(full(laterBits: 0x300, marks)) WHERE id = '\(full)';",
    4: """
    UPDATE item SET size = size + 58, content = \(full(laterBits: 0x1F00, marks + " || pg_temp.sized(\(steps))" + repetition))
    WHERE id = '\(full)';
    """,
    5: lists,
    6: """
    UPDATE change SET moved = 'default/7', changed_by = 'ann' WHERE id = '\(report)';
    INSERT INTO change (list, revision, id, time, was_done, changed_by, moved, size)
    VALUES ('\(ann.list.name)', 7, '\(report)', 7, false, 'ann', '\(work)/1', 128);
    INSERT INTO item (
      list, id, number, revision, created_at, due_order, spot_latitude, spot_longitude, deleted_at, size)
    VALUES ('\(ann.list.name)', '\(report)', 6, 7, 1, \(Timestamp.max.microseconds), 2147483647, 2147483647, 7, 0);
    UPDATE list SET revision = 7, last_number = 6, byte_count = byte_count + 128 WHERE name = '\(ann.list.name)';
    """,
    7: """
    UPDATE item SET size = size + 36, content =
      \(full(laterBits: 0x1F00, marks + " || pg_temp.sized(\(steps) || \(reminders))" + repetition))
    WHERE id = '\(full)';
    INSERT INTO list_member (list_id, owner, owner_user, member, member_user, role, invited_at, accepted_at)
    VALUES
      ('\(work)', '\(ann.list.name)', 'ann', '\(bob.list.name)', 'bob', 'editor', 1, 2),
      ('\(work)', '\(ann.list.name)', 'ann', '\(cat.list.name)', 'cat', 'viewer', 1, NULL);
    INSERT INTO list_set (owner, version) VALUES ('\(bob.list.name)', 3), ('\(cat.list.name)', 3);
    """,
    8: """
    INSERT INTO notification_target (owner, id, kind, url, secret)
    VALUES ('\(ann.list.name)', '\(target)1', 'ntfy', 'https://ntfy.example.org/topic', 'tk_kept');
    """,
    9: """
    INSERT INTO notification_target (owner, id, kind, url)
    VALUES ('\(ann.list.name)', '\(target)2', 'email', 'mailto:ann@example.org');
    """,
    10: """
    INSERT INTO reminder_state (member, list_id, item_id, reminder, acknowledged_at, snoozed_until)
    VALUES ('\(bob.list.name)', '\(work)', '\(report)', 'PT1H', \(due.microseconds), \(later.microseconds));
    """,
    // Programs of this version had the index, which version 12 creates now.
    11: """
    CREATE INDEX access_token_user ON access_token (user_name);
    INSERT INTO access_token (id, user_name, secret_hash, read_only, created_at, scope)
    VALUES (2, 'ann', sha256('feed'), true, 2, 'calendar-feed:\(work)');
    """,
  ]

  /// Three items, one that was deleted, and the ID of another one.
  private static let items = """
    INSERT INTO list VALUES ('\(ann.list.name)', 6, 3, 3, 1500, 5);
    INSERT INTO item (
      list, id, number, revision, created_at, completed_at, due_order, place, hash, spot_latitude, spot_longitude, deleted_at,
      expires_at, content, size)
    SELECT '\(ann.list.name)', ('01900000-0000-7000-0000-0000000000b' || number)::uuid, number, row.revision, number, done,
      coalesce(due, \(Timestamp.max.microseconds)), place, ('00000000-0000-0000-0000-00000000000' || number)::uuid, 2147483647,
      2147483647, deleted, expiry, content, coalesce(128 + octet_length(content), 0)
    FROM (VALUES
      (1, 6, NULL, \(due.microseconds), \(place), NULL, NULL, \(full())),
      (2, 2, NULL, NULL, NULL, NULL, NULL, \(plain(2, "Plain"))),
      (3, 4, 4, NULL, NULL, NULL, NULL, \(plain(3, "Done", completedAt: 4))),
      (4, 5, NULL, NULL, NULL, 5, \(expiry.microseconds), \(plain(4, "Gone"))),
      (5, 3, NULL, NULL, NULL, 3, NULL, NULL)
    ) AS row (number, revision, done, due, place, deleted, expiry, content);
    INSERT INTO change (list, revision, id, cause, time, was_done, changed_by, client, former, former_revision, size)
    VALUES
      ('\(ann.list.name)', 4, '01900000-0000-7000-0000-0000000000b3', 2, 4, false, 'ann', 'todo/1.0', \(plain(3, "Done")), 3, 260),
      ('\(ann.list.name)', 5, '\(gone)', NULL, 5, false, 'ann', NULL, \(plain(4, "Gone")), 2, 260),
      ('\(ann.list.name)', 6, '\(full)', 1, 6, false, 'ann', NULL, \(full("Former")), 1, 390);
    INSERT INTO pending_lookup VALUES ('\(ann.list.name)', '\(full)', '1 High Street', 2, \(expiry.microseconds));
    """

  private static let accounts = """
    INSERT INTO todo_user (name, list, unix_user, certificate_subject, created_at)
    VALUES ('ann', '\(ann.list.name)', 1000, NULL, 1), ('bob', '\(bob.list.name)', NULL, 'CN=bob', 1),
      ('cat', '\(cat.list.name)', NULL, NULL, 1);
    INSERT INTO access_token (id, user_name, secret_hash, read_only, created_at, expires_at)
    VALUES (1, 'ann', sha256('secret'), true, 1, \(expiry.microseconds));
    UPDATE todo_store SET account_version = 3;
    """

  private static let lists = """
    INSERT INTO user_list (
      owner, id, name, color, position, created_at, updated_at, version, deleted_at, expires_at, created_as)
    VALUES
      ('\(ann.list.name)', 'default', 'Eingang', 'none', 0, NULL, 1, 1, NULL, NULL, NULL),
      ('\(ann.list.name)', '\(work)', 'Work', 'blue', 7, 1, 1, 2, NULL, NULL, 'blue/Work'),
      ('\(ann.list.name)', '\(home)', 'Home', 'none', 1, 1, 1, 3, \(due.microseconds), \(expiry.microseconds), 'none/Home');
    INSERT INTO list_set (owner, version) VALUES ('\(ann.list.name)', 3);
    UPDATE todo_store SET list_version = 3;
    INSERT INTO list VALUES ('\(OwnerID(work).name)', 1, 0, 1, 300, 1, 3);
    INSERT INTO item (
      list, id, number, revision, created_at, due_order, hash, spot_latitude, spot_longitude, content, size)
    VALUES (
      '\(OwnerID(work).name)', '\(report)', 1, 1, 1, \(Timestamp.max.microseconds), '00000000-0000-0000-0000-000000000006',
      2147483647, 2147483647, \(plain(1, "Report")), 134);
    INSERT INTO change (list, revision, id, cause, time, was_done, size)
    VALUES ('\(OwnerID(work).name)', 1, '\(report)', 0, 1, false, 128);
    """
}
#endif
