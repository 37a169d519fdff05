#if PostgreSQL
import ToDoPostgreSQL
import ToDoStores
import ToDoTestSupport
import Testing
import ToDoModel

@testable import ToDoPostgreSQLStore

@Suite(.timeLimited, .blocking) struct ListPurgeTests {
  /// Adds a list with 5 items, 2 kept items, 3 reserved IDs, 7 changes and a pending lookup.
  private func fill(_ list: String, _ database: StoreDatabase) throws {
    try database.execute(
      """
      INSERT INTO list VALUES ('\(list)', 9, 2, 5, 5 * 100 + 2 * 164 + 3 * 64 + 7 * 10, 10);
      INSERT INTO item (list, id, number, revision, created_at, due_order, spot_latitude, spot_longitude, deleted_at,
        expires_at, content, size)
      SELECT '\(list)', gen_random_uuid(), n, n, n, n, 0, 0, CASE WHEN n > 5 THEN n END,
        CASE WHEN n IN (6, 7) THEN n END, CASE WHEN n <= 7 THEN 'SECRET'::bytea END,
        CASE WHEN n <= 7 THEN 100 ELSE 0 END
      FROM generate_series(1, 10) n;
      INSERT INTO change (list, revision, id, time, was_done, size)
      SELECT '\(list)', n, gen_random_uuid(), n, false, 10 FROM generate_series(3, 9) n;
      INSERT INTO pending_lookup VALUES ('\(list)', gen_random_uuid(), 'SECRET', 0, 0);
      """)
  }

  private func listNumbers(_ list: String, _ database: StoreDatabase) throws -> [Int64?] {
    try database.numbers("SELECT item_count, byte_count, revision - floor FROM list WHERE name = '\(list)'", count: 3)
  }

  private func rowCount(_ list: String, _ database: StoreDatabase) throws -> Int64? {
    try database.numbers(
      """
      SELECT (SELECT count(*) FROM item WHERE list = '\(list)') + (SELECT count(*) FROM change WHERE list = '\(list)')
        + (SELECT count(*) FROM pending_lookup WHERE list = '\(list)')
      """)[0]
  }

  @Test func purgeList_removesTheListAndLeavesOthersUnchanged() async throws {
    let database = try StoreDatabase(isPrivate: true)
    for list in ["ann", "bob"] { try fill(list, database) }
    let before = try listNumbers("bob", database)
    let store = try PostgreSQLAccountStore(uri: database.uri)
    let listener = try database.connection()
    try listener.execute("LISTEN todo_changes")
    let count = try await store.purgeList(OwnerID("ann"), rowsPerTransaction: 4, clock: ManualClock())
    #expect(count == 18)
    #expect(try listNumbers("ann", database) == [0, 0, 0])
    #expect(try rowCount("ann", database) == 0)
    // One transaction to begin, two for the changes, one for the lookup, three for the items and IDs.
    #expect(try database.numbers("SELECT revision FROM list WHERE name = 'ann'") == [9 + 7])
    #expect(try listNumbers("bob", database) == before)
    #expect(try rowCount("bob", database) == 18)
    let notification = try #require(try listener.notifications(within: .seconds(60)).first)
    let expected = ChangeNotification(serverID: "", lists: .some([OwnerID("ann")]))
    #expect(ChangeNotification(payload: notification.payload) == expected)
    store.close()
  }

  @Test func purgeList_whenListIsUnknown_doesNothing() async throws {
    let store = try PostgreSQLAccountStore(uri: try StoreDatabase().uri)
    #expect(try await store.purgeList(OwnerID("ann")) == 0)
    store.close()
  }
}
#endif
