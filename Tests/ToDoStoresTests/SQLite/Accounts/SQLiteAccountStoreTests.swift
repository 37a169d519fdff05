import Foundation
import Testing
import ToDoModel
import ToDoSQLite
import ToDoTestSupport

@testable import ToDoStores

/// The account store next to other versions of the program.
@Suite(.unitTimeLimited) struct SQLiteAccountStoreTests {
  private let directory: TemporaryDirectory
  private let path: String

  init() throws {
    directory = try TemporaryDirectory()
    path = directory.file("items.sqlite")
  }

  /// Creates a database like a version of this program with these migrations.
  private func make(_ migrations: [Migration]) throws {
    var file = DatabaseFile(path: path)
    file.migrations = migrations
    try file.open().close()
  }

  private static let newer = Migration.all + [Migration(sql: "CREATE TABLE later (text TEXT)")]

  @Test func open_whenDatabaseIsMissing_failsWithoutCreatingIt() throws {
    #expect(throws: SQLiteStoreError.missing(path: path)) { try SQLiteAccountStore(path: path) }
    #expect(throws: SQLiteStoreError.missing(path: path)) { try SQLiteSchema.migrate(path: path) }
    #expect(try directory.files == [])
  }

  @Test func open_whenTheSchemaIsOlder_failsAndChangesNothing() throws {
    try make(Migration.all.dropLast())
    let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    let (found, supported) = (Migration.all.count - 1, Migration.all.count)
    let error = SQLiteStoreError.olderSchema(path: path, found: found, supported: supported)
    for createsIfMissing in [false, true] {
      #expect(throws: error) { try SQLiteAccountStore(path: path, createsIfMissing: createsIfMissing) }
    }
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == bytes)
    #expect(try directory.files.filter { $0.hasSuffix(".bak") } == [])
  }

  @Test func open_whenTheSchemaIsNewer_failsAndChangesNothing() throws {
    try make(Self.newer)
    let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    let (found, supported) = (Migration.all.count + 1, Migration.all.count)
    let error = SQLiteStoreError.newerSchema(path: path, found: found, supported: supported)
    #expect(throws: error) { try SQLiteAccountStore(path: path) }
    #expect(throws: error) { try SQLiteSchema.migrate(path: path) }
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == bytes)
  }

  @Test func migrate_whenTheSchemaIsOlder_makesItCurrent() async throws {
    try make(Migration.all.dropLast())
    #expect(try SQLiteSchema.migrate(path: path) == SQLiteSchema.currentVersion - 1)
    #expect(try SQLiteSchema.migrate(path: path) == SQLiteSchema.currentVersion)
    let store = try SQLiteAccountStore(path: path)
    #expect(try await store.isSchemaCurrent())
    store.close()
  }

  @Test func change_afterAnotherVersionHasMigrated_isRejected() async throws {
    let store = try SQLiteAccountStore(path: path, createsIfMissing: true)
    #expect(try await store.isSchemaCurrent())
    try make(Self.newer)
    #expect(try await !store.isSchemaCurrent())
    await #expect(throws: ToDoError.schemaChanged) { try await store.addUser(.sample("ann")) }
    store.close()
  }

  @Test func version_whileAWriteWaitsForAnotherProcess_isReadImmediately() async throws {
    let store = try SQLiteAccountStore(path: path, createsIfMissing: true)
    let other = try SQLiteConnection(path: path)
    try other.execute("BEGIN IMMEDIATE")
    async let added: Void = store.addUser(.sample("ann"))
    for _ in 0..<10 { #expect(try await store.accountVersion() == 0) }
    try other.execute("COMMIT")
    try await added
    #expect(try await store.accountVersion() == 1)
    store.close()
  }

  @Test func writes_besideAnItemStore_takeTurnsWithItsWrites() async throws {
    let items = try SQLiteToDoItemStore(path: path)
    let accounts = try SQLiteAccountStore(beside: items)
    let order = Condition<[String]>([])
    let turns = items.file.turns
    let mayEnd = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      turns.take {
        order.change { $0.append("first") }
        mayEnd.waitForSignal()
      }
    }
    await order.wait { $0 == ["first"] }
    async let user: Void = accounts.write { tables in
      order.change { $0.append("user") }
      return (try tables.add(.sample("ann")), endingAccessTo: nil)
    }
    await waitUntil("the account store waits for its turn") { turns.waitingCount == 1 }
    async let item: Void = items.write(OwnerID("ann")) { _ in order.change { $0.append("item") } }
    await waitUntil("the item store waits for its turn") { turns.waitingCount == 2 }
    #expect(order.value == ["first"])
    mayEnd.signal()
    _ = try await (user, item)
    #expect(order.value == ["first", "user", "item"])
    accounts.close()
    await items.close()
  }

  @Test func close_movesTheLogIntoTheFile() async throws {
    let store = try SQLiteAccountStore(path: path, createsIfMissing: true)
    try await store.addUser(.sample("ann"))
    _ = try await store.accounts()
    store.close()
    #expect(try directory.files == ["items.sqlite"])
    let reopened = try SQLiteAccountStore(path: path)
    #expect(try await reopened.users().map(\.name.description) == ["ann"])
    reopened.close()
  }

  @Test func changes_whenLogIsLong_moveIt() async throws {
    var file = DatabaseFile(path: path)
    try file.open().close()
    file.logLength = 20
    let store = try SQLiteAccountStore(file, createsIfMissing: false)
    let reader = try file.openForReading()
    _ = try reader.number("SELECT count(*) FROM owner")
    let index = try LogIndex(reader)
    var peak = 0
    for number in 0..<40 {
      try await store.addUser(.sample("ann\(number)"))
      peak = max(peak, index.log.length)
    }
    #expect((20..<60).contains(peak))
    store.close()
  }
}
