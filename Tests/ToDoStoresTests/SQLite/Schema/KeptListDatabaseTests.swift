import Foundation
import Testing
import ToDoModel
import ToDoRules
import ToDoSQLite
import ToDoTestSupport

@testable import ToDoStores

/// Database files with what each version of the schema keeps of users: lists, moves, members, targets of notifications and the states
/// of reminders. As those of `KeptDatabaseTests`, they are in the folder Golden, and are never changed.
@Suite(.unitTimeLimited) struct KeptListDatabaseTests {
  /// The earlier versions that have lists, and the first one with everything.
  private static let versions = 16..<max(Migration.all.count, 22)

  private static let (ann, bob, cat) = (User.sample("ann"), User.sample("bob"), User.sample("cat"))
  private static let work = ListID(high: 0x190_0000_0000_7000, low: 0xA1)
  private static let home = ListID(high: 0x190_0000_0000_7000, low: 0xA2)
  private static let report = ItemID(high: 0x190_0000_0000_7000, low: 0xB1)
  /// The first of two targets.
  private static let target = "01900000-0000-7000-0000-0000000000c"
  private static let due = Timestamp(microseconds: 1_770_000_000_000_000)
  private static let later = Timestamp(microseconds: 1_770_003_600_000_000)

  @Test(arguments: versions) func keptDatabase_keepsWhatUsersHave(_ version: Int) async throws {
    let directory = try TemporaryDirectory()
    let path = directory.file("items.sqlite")
    let kept = KeptDatabaseTests.keptFile("lists-\(version)")
    if ProcessInfo.processInfo.environment["UPDATE_GOLDEN"] == "1", !FileManager.default.fileExists(atPath: kept) {
      try KeptDatabaseTests.make(version, at: kept, Self.statements)
    }
    try FileManager.default.copyItem(atPath: kept, toPath: path)
    let store = try SQLiteToDoItemStore(path: path)
    let accounts = try SQLiteAccountStore(path: path)
    try await Self.checkItems(store, version)
    try await Self.checkLists(accounts, version)
    try await Self.checkTargets(accounts, version)
    try await Self.checkUse(store, accounts, version)
    accounts.close()
    await store.close()
    #expect(try DatabaseCheck(path: path).run().problems == [])
    #expect(try directory.files.contains("items.sqlite.v\(version).bak") == (version < Migration.all.count))
  }

  private static func checkItems(_ store: SQLiteToDoItemStore, _ version: Int) async throws {
    let office = LocalToDoService(store: store, owner: OwnerID(work))
    let item = try await office.item(report)
    #expect((item.number, item.revision, item.due) == (ItemNumber(1), Revision(1), .time(due)))
    #expect(item.steps == [Step("Pack", isDone: true), Step("Go")])
    #expect(item.waitUntil == Timestamp(microseconds: 1_777_593_600_000_000))
    let rule = try #require(Repetition.Rule("FREQ=WEEKLY;BYDAY=MO"))
    #expect(item.repetition == Repetition(rule, timeZone: "Etc/UTC", start: .time(due)))
    let reminders = [
      Reminder(.before(seconds: 3600)), Reminder(.before(seconds: 600), acknowledged: due, snoozedUntil: later),
    ]
    #expect(item.reminders == (version < 18 ? [] : reminders))
    let origin = try #require(try await office.history(HistoryQuery()).revisions.first?.origin)
    #expect(origin.moved == (version < 17 ? nil : ListMove(list: .default, revision: Revision(2))))
    let inbox = LocalToDoService(store: store, owner: ann.list)
    #expect(try await inbox.items(ItemQuery()).items.map(\.title) == ["Call"])
    let departures = try await inbox.history(HistoryQuery()).revisions.compactMap(\.origin.moved)
    #expect(departures == (version < 17 ? [] : [ListMove(list: work, revision: Revision(1))]))
  }

  private static func checkLists(_ accounts: SQLiteAccountStore, _ version: Int) async throws {
    let records = try await accounts.listRecords(of: ann.list)
    #expect(records.version == 3)
    let office = try #require(records[work])
    #expect((office.list.name, office.list.color, office.list.order) == ("Work", .blue, 7))
    #expect((office.list.createdAt, office.createdAs) == (Timestamp(microseconds: 1), "blue/Work"))
    #expect(records[.default]?.list.name == "Eingang")
    #expect(records[home]?.list.deletion == ToDoItem.Deletion(deletedAt: due, expiresAt: later))
    guard version >= 18 else { return #expect(office.members == []) }
    #expect(office.ownerUser == "ann")
    #expect(office.members.map(\.user) == ["bob", "cat"])
    #expect(office.members.map(\.owner) == [bob.list, cat.list])
    #expect(office.members.map(\.role) == [.editor, .viewer])
    #expect(office.members.map(\.acceptedAt) == [Timestamp(microseconds: 2), nil])
  }

  private static func checkTargets(_ accounts: SQLiteAccountStore, _ version: Int) async throws {
    let targets = try await accounts.allNotificationTargets().users
    let expected = [
      ["ntfy", "https://ntfy.example.org/topic", "tk_kept"], ["email", "mailto:ann@example.org", ""],
    ].prefix(max(0, version - 18))
    #expect(targets[ann.list, default: []].map { [$0.kind.rawValue, $0.url, $0.secret ?? ""] } == Array(expected))
    #expect(targets.count == min(1, expected.count))
    let state = Reminder(.before(seconds: 3600), acknowledged: due, snoozedUntil: later)
    #expect(try await accounts.reminderStates(of: bob.list) == (version < 21 ? [:] : [report: [state]]))
    #expect(try await accounts.reminderStates(of: ann.list) == [:])
  }

  /// Whoever has accepted the list changes its items, and everyone else can be invited.
  private static func checkUse(
    _ store: SQLiteToDoItemStore, _ accounts: SQLiteAccountStore, _ version: Int
  ) async throws {
    let directory = ListDirectory(accounts)
    func lists(of user: User) -> LocalToDoListService {
      LocalToDoListService(
        directory, defaultList: LocalToDoService(store: store, owner: user.list),
        sharing: ListSharing(by: user.name, among: accounts))
    }
    for user in [bob, cat] {
      if version < 18 { _ = try await lists(of: ann).shareList(work, with: user.name.description, as: .editor) }
      if version < 18 || user.name == cat.name { _ = try await lists(of: user).acceptList(work) }
    }
    let done = try await lists(of: bob).items(in: work).checkItem(report, ifRevision: nil)
    #expect(done.repetition != nil && done.number == ItemNumber(1))
    #expect(try await lists(of: cat).items(in: work).item(report) == done)
    let moved = try await lists(of: bob).moveItems([report], from: work, to: .default)
    #expect(moved.map(\.number) == [ItemNumber(1)])
    #expect(try await lists(of: ann).createList(NewList(name: "New")).version > 3)
  }

  // MARK: Making the files

  /// What is stored once the database has a version.
  private static let statements: [Int: String] = [
    1: """
    INSERT INTO owner (name, revision) VALUES ('\(ann.list.name)', 2), ('\(OwnerID(work).name)', 1);
    INSERT INTO item (owner, id, title, due_time, created_at, updated_at, revision, fingerprint, added_as)
    VALUES
      (1, x'019000000000700000000000000000b2', 'Call', NULL, 1, 1, 1, 5, 5),
      (2, x'019000000000700000000000000000b1', 'Report', \(due.microseconds), 2, 3, 1, 6, 6);
    INSERT INTO deleted_item (owner, id, revision) VALUES (1, x'019000000000700000000000000000b1', 2);
    """,
    // The changes before are not in the history.
    2: "UPDATE owner SET floor = 0 WHERE number = 2;",
    4: """
    INSERT INTO user (name, list, created_at)
    VALUES ('ann', '\(ann.list.name)', 1), ('bob', '\(bob.list.name)', 1), ('cat', '\(cat.list.name)', 1);
    UPDATE account_version SET version = 3;
    """,
    15: """
    UPDATE item SET
      steps = x'0100045061636B000002476F', wait_time = 1777593600000000,
      repetition = x'000701000649CE3D40A00000000000000000004574632F555443465245513D5745454B4C593B42594441593D4D4F'
    WHERE title = 'Report';
    UPDATE owner SET byte_count = byte_count + 58 WHERE number = 2;
    """,
    16: """
    INSERT INTO user_list (
      owner, id, name, color, position, created_at, updated_at, version, deleted_at, expires_at, created_as)
    VALUES
      ('\(ann.list.name)', 'default', 'Eingang', 'none', 0, NULL, 1, 1, NULL, NULL, NULL),
      ('\(ann.list.name)', '\(work)', 'Work', 'blue', 7, 1, 1, 2, NULL, NULL, 'blue/Work'),
      ('\(ann.list.name)', '\(home)', 'Home', 'none', 1, 1, 1, 3, \(due.microseconds), \(later.microseconds), 'none/Home');
    INSERT INTO list_set (owner, version) VALUES ('\(ann.list.name)', 3);
    UPDATE account_version SET list_version = 3;
    """,
    17: """
    UPDATE item SET moved = 'default/2', changed_by = 'ann' WHERE title = 'Report';
    INSERT INTO past_change (owner, revision, id, updated_at, changed_by, replaced_by, moved)
    VALUES (1, 2, x'019000000000700000000000000000b1', 3, 'ann', 2, '\(work)/1');
    UPDATE owner SET floor = 1, byte_count = byte_count + 128 WHERE number = 1;
    """,
    18: """
    UPDATE item SET steps =
      x'0100045061636B000002476F03000000000000000E1003030000000000000258000649CE3D40A000000649CF13D44400'
    WHERE title = 'Report';
    UPDATE owner SET byte_count = byte_count + 36 WHERE number = 2;
    INSERT INTO list_member (list_id, owner, owner_user, member, member_user, role, invited_at, accepted_at)
    VALUES
      ('\(work)', '\(ann.list.name)', 'ann', '\(bob.list.name)', 'bob', 'editor', 1, 2),
      ('\(work)', '\(ann.list.name)', 'ann', '\(cat.list.name)', 'cat', 'viewer', 1, NULL);
    INSERT INTO list_set (owner, version) VALUES ('\(bob.list.name)', 3), ('\(cat.list.name)', 3);
    """,
    19: """
    INSERT INTO notification_target (owner, id, kind, url, secret)
    VALUES ('\(ann.list.name)', '\(target)1', 'ntfy', 'https://ntfy.example.org/topic', 'tk_kept');
    """,
    20: """
    INSERT INTO notification_target (owner, id, kind, url)
    VALUES ('\(ann.list.name)', '\(target)2', 'email', 'mailto:ann@example.org');
    """,
    21: """
    INSERT INTO reminder_state (member, list_id, item_id, reminder, acknowledged_at, snoozed_until)
    VALUES ('\(bob.list.name)', '\(work)', '\(report)', 'PT1H', \(due.microseconds), \(later.microseconds));
    """,
  ]
}
