#if PostgreSQL
import ToDoTestSupport
import Testing
import ToDoModel
import ToDoRules
import ToDoStores

@testable import ToDoPostgreSQLStore

/// A busy machine is no failure, so the limit is generous.
@Suite(.timeLimited, .blocking) struct StoreCopyTests {
  private let stores: CopiedStores

  init() throws {
    stores = try CopiedStores()
  }

  /// Counts the lists whose number of bytes is not the sum of the sizes of their rows.
  private static let wrongSizes = """
    SELECT count(*) FROM list WHERE byte_count <>
      (SELECT coalesce(sum(size + CASE WHEN deleted_at IS NULL THEN 0 ELSE 64 END), 0) FROM item WHERE list = name)
      + (SELECT coalesce(sum(size), 0) FROM change WHERE list = name)
    """

  @Test(arguments: [1, 2, 3, 4, 5, 6] as [UInt64])
  func run_fromSQLiteAndBack_copiesEverything(seed: UInt64) async throws {
    try await stores.fillSQLite(seed: seed)
    // Changes up to the floor that compaction has not removed yet.
    if seed.isMultiple(of: 2) {
      try stores.execute("UPDATE owner SET floor = max(floor, revision - 12)", on: stores.source)
    }
    let contents = try await StoreContents(sqlite: stores.source)
    #expect(contents.lists.values.contains { $0.floor > .initial })
    #expect(contents.lists.values.contains { !$0.state.lookups.isEmpty })
    let result = try stores.moveToPostgreSQL(maximumRecords: 50)
    #expect(result.listCount == 3)
    #expect(result.itemCount == contents.lists.values.reduce(0) { $0 + $1.state.itemCount })
    #expect(try await StoreContents(postgreSQL: stores.database.uri).differences(from: contents) == [])
    #expect(try stores.database.numbers(Self.wrongSizes) == [0])
    #expect(try stores.moveToSQLite(maximumRecords: 50) == result)
    #expect(try await StoreContents(sqlite: stores.target).differences(from: contents) == [])
    #expect(try DatabaseCheck(path: stores.target).run().problems.isEmpty)
    #expect(try stores.directory.files.allSatisfy { !$0.contains("moving") })
  }

  @Test(arguments: [11, 12, 13, 14] as [UInt64])
  func run_fromPostgreSQL_copiesEverything(seed: UInt64) async throws {
    try await stores.fillPostgreSQL(seed: seed)
    if seed.isMultiple(of: 2) {
      try stores.database.execute("UPDATE list SET floor = greatest(floor, revision - 12)")
    }
    var contents = try await StoreContents(postgreSQL: stores.database.uri)
    try stores.moveToSQLite()
    var copy = try await StoreContents(sqlite: stores.target)
    // SQLite does not store the titles of items that were last changed before the floor when they were deleted.
    contents.removeTitlesOfDeletions()
    copy.removeTitlesOfDeletions()
    #expect(copy.differences(from: contents) == [])
    #expect(try DatabaseCheck(path: stores.target).run().problems.isEmpty)
  }

  @Test func run_always_copiesAccountsAndReplacesTheIncarnation() async throws {
    try await stores.fillSQLite(operations: 5)
    try stores.moveToPostgreSQL()
    try stores.moveToSQLite()
    let accounts = try await [
      SQLiteAccountStore(path: stores.source).accounts(), PostgreSQLAccountStore(uri: stores.database.uri).accounts(),
      SQLiteAccountStore(path: stores.target).accounts(),
    ]
    #expect(accounts[0].users.count == 3 && accounts[0].tokens.count == 2 && accounts[0].version == 7)
    #expect(accounts[1] == accounts[0])
    #expect(accounts[2] == accounts[0])
    let incarnations = [
      try SQLiteCopySource(path: stores.source).identity.incarnation,
      try PostgreSQLCopySource(uri: stores.database.uri).identity.incarnation,
      try SQLiteCopySource(path: stores.target).identity.incarnation,
    ]
    #expect(Set(incarnations).count == 3)
  }

  @Test func run_always_copiesListsOfUsers() async throws {
    try await stores.fillSQLite(operations: 5)
    try stores.moveToPostgreSQL()
    try stores.moveToSQLite()
    let owner = User.sample("ann").list
    let lists = try await [
      SQLiteAccountStore(path: stores.source).listRecords(of: owner),
      PostgreSQLAccountStore(uri: stores.database.uri).listRecords(of: owner),
      SQLiteAccountStore(path: stores.target).listRecords(of: owner),
    ]
    #expect(lists[0].furtherLists.count == 2 && lists[0].version == 5)
    #expect(lists[0][ListID(high: 7, low: 0)]?.members.map(\.user) == ["bob", "cat"])
    #expect(lists[1] == lists[0])
    #expect(lists[2] == lists[0])
  }

  @Test func run_always_copiesNotificationTargets() async throws {
    try await stores.fillSQLite(operations: 5)
    try stores.moveToPostgreSQL()
    try stores.moveToSQLite()
    let targets = try await [
      SQLiteAccountStore(path: stores.source).allNotificationTargets(),
      PostgreSQLAccountStore(uri: stores.database.uri).allNotificationTargets(),
      SQLiteAccountStore(path: stores.target).allNotificationTargets(),
    ]
    let expected = [User.sample("ann").list: [.sample(1), NotificationTarget.sample(2, .webhook, secret: "whsec_1")]]
    #expect(targets[0].users == expected)
    #expect(targets[1] == targets[0])
    #expect(targets[2] == targets[0])
  }

  @Test func run_always_copiesReminderStates() async throws {
    try await stores.fillSQLite(operations: 5)
    try stores.moveToPostgreSQL()
    try stores.moveToSQLite()
    let user = User.sample("ann").list
    let states = try await [
      SQLiteAccountStore(path: stores.source).reminderStates(of: user),
      PostgreSQLAccountStore(uri: stores.database.uri).reminderStates(of: user),
      SQLiteAccountStore(path: stores.target).reminderStates(of: user),
    ]
    #expect(states[0].values.map(\.count) == [2])
    #expect(states[1] == states[0])
    #expect(states[2] == states[0])
  }

  @Test func run_whenReminderStatesChangeMeanwhile_fails() async throws {
    try await stores.fillSQLite(operations: 5)
    #expect(throws: StoreCopyError.sourceChanged(list: nil)) {
      try stores.moveToPostgreSQL { _ in
        try stores.execute("UPDATE reminder_state SET snoozed_until = 7", on: stores.source)
      }
    }
  }

  @Test func run_whenTargetsChangeMeanwhile_fails() async throws {
    try await stores.fillSQLite(operations: 5)
    #expect(throws: StoreCopyError.sourceChanged(list: nil)) {
      try stores.moveToPostgreSQL { _ in
        try stores.execute("UPDATE notification_target SET url = 'https://other.example/t'", on: stores.source)
      }
    }
  }

  @Test func store_whenOpenedBeforeTheMove_addsNoDuplicates() async throws {
    let content = ItemContent(title: "Same")
    let source = try SQLiteToDoItemStore(path: stores.source)
    _ = try await LocalToDoService(store: source).addItem(
      NewItem(id: .sample(1), content: content), options: SaveOptions(savesWithoutCoordinate: true))
    await source.close()
    let stale = try PostgreSQLToDoItemStore(uri: stores.database.uri)
    try stores.moveToPostgreSQL()
    await #expect(throws: ToDoError.storeReplaced) {
      try await LocalToDoService(store: stale).addItem(
        NewItem(id: .sample(2), content: content), options: SaveOptions(savesWithoutCoordinate: true))
    }
    await stale.close()
    #expect(try stores.database.numbers("SELECT count(*) FROM item") == [1])
  }

  @Test func store_afterMove_canBeChanged() async throws {
    try await stores.fillSQLite()
    try stores.moveToPostgreSQL()
    let store = try PostgreSQLToDoItemStore(uri: stores.database.uri, retention: RandomStore.retention)
    try await RandomStore.fill(store, seed: 99)
    await store.close()
    var contents = try await StoreContents(postgreSQL: stores.database.uri)
    try stores.moveToSQLite()
    var copy = try await StoreContents(sqlite: stores.target)
    contents.removeTitlesOfDeletions()
    copy.removeTitlesOfDeletions()
    #expect(copy.differences(from: contents) == [])
    #expect(try DatabaseCheck(path: stores.target).run().problems.isEmpty)
  }
}

extension StoreContents {
  fileprivate mutating func removeTitlesOfDeletions() {
    for owner in lists.keys {
      lists[owner]?.history.removeTitlesOfDeletions()
      for id in RandomStore.ids { lists[owner]?.histories[id]?.removeTitlesOfDeletions() }
    }
  }
}

extension HistoryListing {
  fileprivate mutating func removeTitlesOfDeletions() {
    for index in revisions.indices {
      for change in revisions[index].changes.indices where revisions[index].changes[change].kind == .deleted {
        revisions[index].changes[change].title = nil
        revisions[index].changes[change].number = nil
      }
    }
  }
}
#endif
