#if PostgreSQL
import Foundation
import Testing
import ToDoModel
import ToDoPostgreSQL
import ToDoRules
import ToDoStores
import ToDoTestSupport

@testable import ToDoPostgreSQLStore

/// Databases of every earlier version of the schema, with what its programs store. Their dumps are never changed. When a version
/// is released, a run with `UPDATE_GOLDEN=1` adds its dump.
@Suite(.timeLimited, .blocking) struct KeptPostgreSQLDatabaseTests {
  private typealias Kept = KeptDatabase

  private static let versions = 1..<StoreSchema.currentVersion

  @Test(arguments: versions) func keptDatabase_isMigratedWithAllThatItKeeps(_ version: Int) async throws {
    if ProcessInfo.processInfo.environment["UPDATE_GOLDEN"] == "1" { try Kept.makeIfMissing(version) }
    let database = try StoreDatabase(isMigrated: false)
    try database.execute(try Kept.dump(version))
    #expect(try StoreSchema.version(try database.connection()) == version)
    let store = try PostgreSQLToDoItemStore(uri: database.uri)
    #expect(try StoreSchema.version(try database.connection()) == StoreSchema.currentVersion)
    let accounts = try PostgreSQLAccountStore(uri: database.uri)
    try await Self.checkItems(store, version)
    try await Self.checkHistory(store, version)
    try await Self.checkAccounts(accounts, version)
    try await Self.checkLists(accounts, version)
    try await Self.checkReminders(accounts, version)
    try await Self.checkUse(store, accounts, version)
    accounts.close()
    await store.close()
  }

  private static func checkItems(_ store: PostgreSQLToDoItemStore, _ version: Int) async throws {
    let service = LocalToDoService(store: store, owner: Kept.ann.list)
    let items = try await service.items(ItemQuery(deleted: .included, order: .created)).items
    #expect(items.map(\.title) == ["Full", "Plain", "Done", "Gone"])
    #expect(items.map(\.number.value) == [1, 2, 3, 4])
    #expect(items.map(\.revision.number) == [6, 2, 4, 5])
    #expect(items.map(\.isDone) == [false, false, true, false])
    let deletion = ToDoItem.Deletion(deletedAt: Timestamp(microseconds: 5), expiresAt: Kept.expiry)
    #expect(items.map(\.deletion) == [nil, nil, nil, deletion])
    var content = ItemContent(
      title: "Full", itemDescription: "Note", due: .time(Kept.due),
      location: Location(
        name: "Office", address: "1 High Street", coordinate: Coordinate(latitude: 48.1, longitude: 11.5),
        provenance: Location.Provenance(source: "nominatim", granularity: .street)))
    if version >= 3 { (content.tags, content.priority) = (["errands", "work/urgent"], .high) }
    if version >= 4 {
      content.steps = [Step("Pack", isDone: true), Step("Go")]
      content.waitUntil = Timestamp(microseconds: 1_777_593_600_000_000)
      let rule = try #require(Repetition.Rule("FREQ=WEEKLY;BYDAY=MO"))
      content.repetition = Repetition(rule, timeZone: "Etc/UTC", start: .time(Kept.due))
    }
    if version >= 7 {
      content.reminders = [
        Reminder(.before(seconds: 3600)),
        Reminder(.before(seconds: 600), acknowledged: Kept.due, snoozedUntil: Kept.later),
      ]
    }
    #expect(items.first?.content == content)
    #expect(items.first?.id == Kept.full)
  }

  private static func checkHistory(_ store: PostgreSQLToDoItemStore, _ version: Int) async throws {
    let inbox = LocalToDoService(store: store, owner: Kept.ann.list)
    let revisions = try await inbox.history(HistoryQuery()).revisions
    #expect(revisions.map(\.revision.number) == (version < 6 ? [6, 5, 4] : [7, 6, 5, 4]))
    #expect(revisions.suffix(3).flatMap(\.changes).map(\.item) == [Kept.full, Kept.gone, Kept.done])
    #expect(revisions.map(\.origin.user).allSatisfy { $0 == "ann" })
    #expect(revisions.last?.origin.client == "todo/1.0")
    // Earlier than the move, the title was another one.
    let edit = try #require(revisions.first { $0.revision == Revision(6) }?.changes.first)
    #expect(edit.title == "Full" && edit.fields.first?.field == .title && edit.fields.first?.from == .text("Former"))
    let moves = revisions.compactMap(\.origin.moved)
    #expect(moves == (version < 6 ? [] : [ListMove(list: Kept.work, revision: Revision(1))]))
    guard version >= 5 else { return }
    let office = LocalToDoService(store: store, owner: OwnerID(Kept.work))
    let origin = try #require(try await office.history(HistoryQuery()).revisions.first?.origin)
    #expect(origin.moved == (version < 6 ? nil : ListMove(list: .default, revision: Revision(7))))
    #expect(try await office.items(ItemQuery()).items.map(\.title) == ["Report"])
  }

  private static func checkAccounts(_ accounts: PostgreSQLAccountStore, _ version: Int) async throws {
    let users = try await accounts.users()
    #expect(users.map(\.name) == [Kept.ann, Kept.bob, Kept.cat].map(\.name))
    #expect(users.map(\.list) == [Kept.ann, Kept.bob, Kept.cat].map(\.list))
    #expect((users[0].unixUser, users[1].certificateSubject) == (1000, "CN=bob"))
    #expect(try await accounts.accountVersion() == 3)
    let tokens = try await accounts.tokens(of: Kept.ann.name)
    #expect(tokens.map(\.id.number) == (version < 11 ? [1] : [1, 2]))
    #expect(tokens.map(\.scope) == (version < 11 ? [.account] : [.account, .calendarFeed(Kept.work)]))
    #expect(tokens.first?.secretHash.prefix(4) == [0x2B, 0xB8, 0x0D, 0x53])
    #expect(tokens.first?.isReadOnly == true && tokens.first?.expiresAt == Kept.expiry)
  }

  private static func checkLists(_ accounts: PostgreSQLAccountStore, _ version: Int) async throws {
    let records = try await accounts.listRecords(of: Kept.ann.list)
    guard version >= 5 else { return #expect(records.version == 0 && records[Kept.work] == nil) }
    #expect(records.version == 3)
    let office = try #require(records[Kept.work])
    #expect((office.list.name, office.list.color, office.list.order) == ("Work", .blue, 7))
    #expect((office.list.createdAt, office.createdAs) == (Timestamp(microseconds: 1), "blue/Work"))
    #expect(records[.default]?.list.name == "Eingang")
    #expect(records[Kept.home]?.list.deletion == .init(deletedAt: Kept.due, expiresAt: Kept.expiry))
    guard version >= 7 else { return #expect(office.members == []) }
    #expect(office.ownerUser == "ann")
    #expect(office.members.map(\.user) == ["bob", "cat"])
    #expect(office.members.map(\.owner) == [Kept.bob.list, Kept.cat.list])
    #expect(office.members.map(\.role) == [.editor, .viewer])
    #expect(office.members.map(\.acceptedAt) == [Timestamp(microseconds: 2), nil])
  }

  private static func checkReminders(_ accounts: PostgreSQLAccountStore, _ version: Int) async throws {
    let targets = try await accounts.allNotificationTargets().users
    let expected = [
      ["ntfy", "https://ntfy.example.org/topic", "tk_kept"], ["email", "mailto:ann@example.org", ""],
    ].prefix(max(0, version - 7))
    #expect(targets[Kept.ann.list, default: []].map { [$0.kind.rawValue, $0.url, $0.secret ?? ""] } == Array(expected))
    let state = Reminder(.before(seconds: 3600), acknowledged: Kept.due, snoozedUntil: Kept.later)
    let states = try await accounts.reminderStates(of: Kept.bob.list)
    #expect(states == (version < 10 ? [:] : [Kept.report: [state]]))
  }

  /// The items change, and members use the list.
  private static func checkUse(
    _ store: PostgreSQLToDoItemStore, _ accounts: PostgreSQLAccountStore, _ version: Int
  ) async throws {
    let inbox = LocalToDoService(store: store, owner: Kept.ann.list)
    let done = try await inbox.checkItem(Kept.full, ifRevision: Revision(6))
    #expect(done.number == ItemNumber(1) && done.revision > Revision(6))
    #expect(try await inbox.undeleteItem(Kept.gone, ifRevision: nil, allowingDuplicate: false).title == "Gone")
    let added = try await inbox.addItem(NewItem(id: ItemID(), content: ItemContent(title: "New")))
    #expect(added.number > ItemNumber(version < 6 ? 5 : 6))
    guard version >= 5 else { return }
    let directory = ListDirectory(accounts)
    func lists(of user: User) -> LocalToDoListService {
      LocalToDoListService(
        directory, defaultList: LocalToDoService(store: store, owner: user.list),
        sharing: ListSharing(by: user.name, among: accounts))
    }
    if version < 7 {
      _ = try await lists(of: Kept.ann).shareList(Kept.work, with: "bob", as: .editor)
      _ = try await lists(of: Kept.bob).acceptList(Kept.work)
    }
    #expect(try await lists(of: Kept.bob).items(in: Kept.work).checkItem(Kept.report, ifRevision: nil).isDone)
  }
}
#endif
