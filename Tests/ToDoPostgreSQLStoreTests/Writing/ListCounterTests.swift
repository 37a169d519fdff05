#if PostgreSQL
import ToDoPostgreSQL
import ToDoTestPostgreSQL
import ToDoTestSupport
import Testing
import ToDoModel
import ToDoRules
import ToDoStores

@testable import ToDoPostgreSQLStore

/// Rows of lists whose counters no server has written.
@Suite(.timeLimited, .blocking) struct ListCounterTests {
  private static let columns = ["revision", "floor", "item_count", "byte_count", "last_number"]
  private static let limits = [Int64.min, .min + 1, .max - 1, .max]
  private static let list = OwnerID("damaged")
  private static let invalid = ToDoError.storeUnavailable(detail: "the counters of a list are invalid")

  @Test(arguments: columns, limits) func write_whenCounterIsAtItsLimit_failsOnlyForThatList(
    column: String, limit: Int64
  ) throws {
    let database = try WriterDatabase()
    try database.commit(Self.list) { try $0.add(.sample(1)) }
    let connection = try StoreConnection.open(database.uri, purpose: "test")
    try connection.execute("UPDATE list SET \(column) = \(limit)")
    let errors = try database.commit([
      WriterDatabase.Write(Self.list) { try $0.add(.sample(2)) },
      WriterDatabase.Write(OwnerID("other")) { try $0.add(.sample(3)) },
      WriterDatabase.Write(Self.list) { transaction in
        _ = try transaction.delete(.all, at: .sample(), restorableUntil: nil)
      },
    ])
    #expect(errors[0] as? ToDoError == Self.invalid)
    #expect(errors[1] == nil)
    #expect(errors[2] as? ToDoError == Self.invalid)
    #expect(try database.number("SELECT count(*) FROM item") == 2)
  }

  @Test(arguments: ["revision", "floor"], limits) func read_whenRevisionIsAtItsLimit_fails(
    column: String, limit: Int64
  ) async throws {
    let database = try StoreDatabase()
    let store = try PostgreSQLToDoItemStore(uri: database.uri)
    try await store.add(.sample(1))
    try database.execute("UPDATE list SET \(column) = \(limit)")
    await #expect(throws: Self.invalid) { try await store.items(ItemSelection(limit: .max), of: .local) }
    await #expect(throws: Self.invalid) {
      try await store.changes(ChangeSelection(after: .initial, limit: 10), of: .local)
    }
    await store.close()
  }

  /// Rows of items and changes are read and written, or rejected; nothing traps.
  @Test(
    arguments: [
      "item SET revision", "item SET number", "item SET created_at", "item SET due_order", "change SET revision",
      "change SET time", "change SET former_revision", "change SET reverted",
    ], limits)
  func row_whenNumberIsAtItsLimit_doesNotTrap(column: String, limit: Int64) async throws {
    let database = try StoreDatabase()
    let store = try PostgreSQLToDoItemStore(uri: database.uri, retention: ChangeRetention(age: .zero, count: 1))
    for number in 1...3 as ClosedRange<UInt64> { try await store.add(.sample(number)) }
    _ = try await store.write(.local) { try $0.replace(.sample(1, title: "Changed")) }
    try await store.write(.local) { try $0.delete(.sample(2), at: .sample(), restorableUntil: .sample(9)) }
    // One row of each item, because two changes of an item have different revisions.
    try database.execute(
      "UPDATE \(column) = \(limit) WHERE (id, revision) IN (VALUES ('\(ItemID.sample(1))'::uuid, 4), ('\(ItemID.sample(2))', 5))"
    )
    await exerciseList(of: store)
    await store.close()
  }

  private func exerciseList(of store: PostgreSQLToDoItemStore) async {
    _ = try? await store.items(ItemSelection(limit: .max), of: .local)
    _ = try? await store.changes(ChangeSelection(after: .initial, limit: 10), of: .local)
    _ = try? await store.history(HistorySelection(limit: 10), of: .local)
    for revision in 1...5 as ClosedRange<Int64> {
      _ = try? await store.write(.local) { try $0.changes(of: Revision(revision), after: nil, limit: 10) }
    }
    // The list is compacted at every 64th revision.
    for number in 10...80 as ClosedRange<UInt64> { _ = try? await store.add(.sample(number)) }
    _ = try? await store.write(.local) { try $0.delete(.all, at: .sample(), restorableUntil: .sample(9)) }
    _ = try? await store.write(.local) { try $0.compactChanges() }
    _ = try? await store.write(.local) { try $0.removeDeletedItems(limit: 100) }
  }

  @Test(arguments: columns, [Int64.min, .max]) func move_whenCounterIsAtItsLimit_namesTheList(
    column: String, limit: Int64
  ) async throws {
    let stores = try CopiedStores()
    try await stores.fillPostgreSQL(operations: 5)
    try stores.database.execute("UPDATE list SET \(column) = \(limit) WHERE name = 'local'")
    #expect(throws: StoreCopyError.invalidCounters(list: "local")) { try stores.moveToSQLite() }
  }

  @Test(arguments: columns, [Int64.min, .max]) func moveFromSQLite_whenCounterIsAtItsLimit_namesTheList(
    column: String, limit: Int64
  ) async throws {
    let stores = try CopiedStores()
    try await stores.fillSQLite(operations: 5)
    try stores.execute("UPDATE owner SET \(column) = \(limit) WHERE name = 'local'", on: stores.source)
    #expect(throws: StoreCopyError.invalidCounters(list: "local")) { try stores.moveToPostgreSQL() }
  }
}
#endif
