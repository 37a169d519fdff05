import Testing
import ToDoModel
import ToDoRules
import ToDoSQLite
import ToDoTestSupport

@testable import ToDoStores

/// The errors that callers receive when the database fails.
@Suite(.unitTimeLimited) struct SQLiteFailureTests {
  private let directory: TemporaryDirectory
  private let path: String

  init() throws {
    directory = try TemporaryDirectory()
    path = directory.file("items.sqlite")
  }

  /// The index of the log grows by itself, so the disk can be full for it first.
  @Test func error_whenIndexOfLogCannotGrow_isThatOfFullDisk() {
    #expect(ToDoError(SQLiteError(.sharedMemorySizeFailed)) == .storeFull)
    #expect(ToDoError(SQLiteError(.ioError)) == .storeUnavailable(detail: "disk I/O error (SQLite code 10)"))
  }

  @Test func write_whenStoreIsFull_failsAndRetainsItems() async throws {
    var file = DatabaseFile(path: path)
    file.maximumPageCount = 46
    let store = try SQLiteToDoItemStore(file)
    var kept: [ToDoItem] = []
    await #expect(throws: ToDoError.storeFull) {
      for number in 0..<1000 as Range<UInt64> { kept.append(try await store.add(large(number))) }
    }
    #expect(!kept.isEmpty)
    #expect(try await store.listing().items == kept)
    #expect(try await store.listing().revision == Revision(Int64(kept.count)))
    await store.close()
    file.maximumPageCount = 88
    let roomier = try SQLiteToDoItemStore(file)
    kept.append(try await roomier.add(large(5000)))
    #expect(try await roomier.listing().items == kept)
    await roomier.close()
  }

  @Test func write_whenStoreIsFullAndBodyHidesTheError_failsTheGroup() async throws {
    var file = DatabaseFile(path: path)
    file.maximumPageCount = 44
    let store = try SQLiteToDoItemStore(file)
    try await store.add(.sample(1))
    await #expect(throws: ToDoError.storeFull) {
      try await store.write(.local) { transaction in
        for number in 100..<1000 as Range<UInt64> {
          _ = try? transaction.add(large(number))
        }
      }
    }
    #expect(try await store.listing().items.map(\.id) == [.sample(1)])
    #expect(try await store.add(.sample(2)).revision == Revision(2))
    await store.close()
  }

  @Test(arguments: [BulkDeletion?.none, .all]) func delete_whenStoreIsFull_succeedsAndMakesRoom(
    _ selection: BulkDeletion?
  ) async throws {
    var file = DatabaseFile(path: path)
    file.maximumPageCount = 64
    let store = try SQLiteToDoItemStore(file)
    let list = LocalToDoService(store: store)
    var ids: [ItemID] = []
    await #expect(throws: ToDoError.storeFull) {
      for number in 0..<1000 as Range<UInt64> { ids.append(try await store.add(large(number)).id) }
    }
    // Until no page is left.
    await #expect(throws: ToDoError.storeFull) {
      for number in 1000..<9000 as Range<UInt64> { ids.append(try await store.add(.sample(number)).id) }
    }
    if let selection {
      await #expect(throws: ToDoError.deletionMustBePermanent(deletedCount: 0, limitBytes: nil)) {
        try await list.deleteItems(selection)
      }
      #expect(try await list.deleteItems(selection, permanentlyIfFull: true).deletedCount == ids.count)
    } else {
      for id in ids { _ = try await list.deleteItem(id, ifRevision: nil, permanentlyIfFull: true) }
    }
    try await store.add(large(10_000))
    await store.close()
    #expect(try DatabaseCheck(path: path).run().problems == [])
  }

  @Test func write_whenStoreIsFullInBetween_retainsAcknowledgedWrites() async throws {
    var file = DatabaseFile(path: path)
    file.maximumPageCount = 60
    let store = try SQLiteToDoItemStore(file)
    let kept = await withTaskGroup(of: ItemID?.self) { group in
      for number in 0..<100 as Range<UInt64> {
        group.addTask { try? await store.add(number % 5 == 0 ? large(number) : .sample(number)).id }
      }
      return await group.reduce(into: Set<ItemID>()) { if let id = $1 { $0.insert(id) } }
    }
    #expect(kept.count < 100)
    #expect(Set(try await store.listing().items.map(\.id)) == kept)
    await store.close()
  }

  @Test func write_whenDatabaseIsLocked_isUnavailableWithoutRunningTheBody() async throws {
    var file = DatabaseFile(path: path)
    file.busyTimeout = .milliseconds(20)
    let store = try SQLiteToDoItemStore(file)
    try await store.add(.sample(1))
    let other = try SQLiteConnection(path: path)
    try other.execute("BEGIN IMMEDIATE")
    await #expect(throws: ToDoError.storeUnavailable(detail: "database is locked (SQLite code 5)")) {
      try await store.write(.local) { _ in _ = Issue.record("the body ran") }
    }
    #expect(try await store.listing().items.count == 1)
    try other.execute("ROLLBACK")
    #expect(try await store.add(.sample(2)).revision == Revision(2))
    await store.close()
  }

  @Test func item_whenStoredValueIsInvalid_reportsItemAndColumn() async throws {
    let store = try SQLiteToDoItemStore(path: path)
    let changes = [
      ("due_date = 99999999", "due_date"), ("due_time = 9000000000000000000", "due_time"),
      ("latitude = 91, longitude = 0", "latitude or longitude"), ("source = 'x', granularity = 'y'", "granularity"),
      ("created_at = -9000000000000000000", "created_at"), ("completed_at = 9000000000000000000", "completed_at"),
    ]
    for (number, (change, column)) in changes.enumerated() {
      let item = try await store.add(.sample(UInt64(number)), to: OwnerID(column))
      try await execute("UPDATE item SET \(change) WHERE number = \(number + 1)")
      let error = ToDoError.storeUnavailable(detail: "the stored item \(item.id) has no valid \(column)")
      await #expect(throws: error) { try await store.item(item.id, of: OwnerID(column)) }
      await #expect(throws: error) { try await store.listing(of: OwnerID(column)) }
      await #expect(throws: error) { try await store.write(OwnerID(column)) { try $0.record(of: item.id) } }
      await #expect(throws: error) { try await store.changes(of: OwnerID(column)) }
    }
    await store.close()
  }

  @Test func nearbyItems_whenStoredValueIsInvalid_isUnavailable() async throws {
    let store = try SQLiteToDoItemStore(path: path)
    let center = try #require(Coordinate(latitude: 1, longitude: 1))
    var item = ToDoItem.sample(1)
    item.content.location = Location(coordinate: center)
    try await store.add(item)
    let selection = NearbySelection(center: center, limit: 1)
    for (nonsense, field) in [
      ("latitude = 91", "latitude or longitude"), ("(latitude, longitude) = (NULL, NULL)", "place"),
    ] {
      try await execute("UPDATE item SET \(nonsense)")
      await #expect(
        throws: ToDoError.storeUnavailable(detail: "the stored item \(item.id) has no valid \(field)")
      ) {
        try await store.nearbyItems(selection, of: .local)
      }
    }
    await store.close()
  }

  @Test func changes_whenStoredValueIsInvalid_reportsItemAndColumn() async throws {
    let store = try SQLiteToDoItemStore(path: path)
    let item = try await store.add(.sample(1))
    try await store.write(.local) { try $0.delete(item.id, at: .sample(), restorableUntil: nil) }
    let feed = try await store.changes()
    let changes = [
      ("cause = 7 WHERE title IS NOT NULL", "the stored item \(item.id) has no valid cause"),
      ("due_date = 99999999 WHERE title IS NOT NULL", "the stored item \(item.id) has no valid due_date"),
      (
        "updated_at = 9000000000000000000 WHERE title IS NULL",
        "the stored deletion of \(item.id) has no valid updated_at"
      ),
      ("id = x'00' WHERE title IS NULL", "a stored deletion has no valid identity"),
    ]
    for (change, detail) in changes {
      try await execute("CREATE TABLE kept AS SELECT * FROM past_change; UPDATE past_change SET \(change)")
      await #expect(throws: ToDoError.storeUnavailable(detail: detail)) { try await store.changes() }
      try await execute("DELETE FROM past_change; INSERT INTO past_change SELECT * FROM kept; DROP TABLE kept")
      #expect(try await store.changes() == feed)
    }
    await store.close()
  }

  @Test(
    arguments: ["revision", "floor", "item_count", "byte_count", "last_number"],
    [Int64.min, .min + 1, .max - 1, .max])
  func list_whenCounterIsAtItsLimit_isUnavailable(column: String, limit: Int64) async throws {
    let store = try SQLiteToDoItemStore(path: path)
    try await store.add(.sample(1))
    try await execute("UPDATE owner SET \(column) = \(limit)")
    let invalid = ToDoError.storeUnavailable(detail: "the counters of a list are invalid")
    await #expect(throws: invalid) { try await store.add(.sample(2)) }
    await #expect(throws: invalid) {
      _ = try await store.write(.local) { try $0.delete(.all, at: .sample(), restorableUntil: nil) }
    }
    await #expect(throws: invalid) { try await store.listing() }
    await #expect(throws: invalid) { try await store.changes() }
    try await store.add(.sample(3), to: OwnerID("other"))
    await store.close()
  }

  @Test(
    arguments: [
      "item SET revision", "item SET updated_at", "item SET item_number", "past_change SET revision",
      "past_change SET updated_at", "past_change SET replaced_by", "past_change SET item_number",
      "past_change SET reverted",
    ], [Int64.min, .max])
  func row_whenNumberIsAtItsLimit_doesNotTrap(column: String, limit: Int64) async throws {
    let store = try SQLiteToDoItemStore(path: path, retention: ChangeRetention(age: .zero, count: 1))
    for number in 1...3 as ClosedRange<UInt64> { try await store.add(.sample(number)) }
    _ = try await store.write(.local) { try $0.replace(.sample(1, title: "Changed")) }
    try await store.write(.local) { try $0.delete(.sample(2), at: .sample(), restorableUntil: .sample(9)) }
    try await execute("UPDATE OR IGNORE \(column) = \(limit)")
    _ = try? await store.listing()
    _ = try? await store.changes()
    _ = try? await store.history(HistorySelection(limit: 10), of: .local)
    // The list is compacted at every 64th revision.
    for number in 10...80 as ClosedRange<UInt64> { _ = try? await store.add(.sample(number)) }
    _ = try? await store.write(.local) { try $0.delete(.all, at: .sample(), restorableUntil: .sample(9)) }
    _ = try? await store.write(.local) { try $0.compactChanges() }
    await store.close()
  }

  @Test func read_whenSchemaIsBroken_isUnavailableWithoutTheStatement() async throws {
    let store = try SQLiteToDoItemStore(path: path)
    try await store.add(.sample(1, title: "secret"))
    try await execute("ALTER TABLE item RENAME TO secret")
    let error = ToDoError.storeUnavailable(detail: "SQL logic error (SQLite code 1)")
    await #expect(throws: error) { try await store.item(.sample(1), of: .local) }
    await #expect(throws: error) { try await store.listing() }
    await #expect(throws: error) { try await store.changes() }
    await #expect(throws: error) { try await store.add(.sample(2)) }
    await store.close()
  }

  @Test func write_whenAnotherVersionHasMigrated_isRejected() async throws {
    let store = try SQLiteToDoItemStore(path: path)
    try await store.add(.sample(1))
    var newer = DatabaseFile(path: path)
    newer.migrations.append(Migration(sql: "CREATE TABLE more (x)"))
    try newer.open().close()
    let detail = "another version of this program has migrated the database"
    await #expect(throws: ToDoError.storeUnavailable(detail: detail)) { try await store.add(.sample(2)) }
    #expect(try await store.listing().items.count == 1)
    await store.close()
  }

  private func large(_ number: UInt64) -> ToDoItem { .sample(number, title: String(repeating: "x", count: 10_000)) }

  /// Changes the database through another connection.
  private func execute(_ sql: String) async throws {
    let other = try SQLiteConnection(path: path)
    try other.execute(sql)
    try other.close()
  }
}
