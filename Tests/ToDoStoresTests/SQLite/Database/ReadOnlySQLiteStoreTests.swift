import Testing
import ToDoModel
import ToDoRules
import ToDoSQLite
import ToDoTestSupport

@testable import ToDoStores

/// A list on a read-only file system.
@Suite(.unitTimeLimited) struct ReadOnlySQLiteStoreTests {
  private let directory: TemporaryDirectory
  private let path: String

  init() throws {
    directory = try TemporaryDirectory()
    path = directory.file("items.sqlite")
  }

  @Test func store_readsACopyAndRejectsWrites() async throws {
    let writable = try SQLiteToDoItemStore(path: path)
    // The change is in the log, because the store is still open.
    let item = try await writable.add(.sample(1))
    let temporary = try TemporaryDirectory()
    let store = try ReadOnlySQLiteStore(copying: path, into: temporary.path)
    #expect(try await store.item(item.id, of: .local) == item)
    #expect(try await store.items(ItemSelection(limit: 10), of: .local).items == [item])
    let error = ToDoError.storeUnavailable(detail: "\(path) is on a read-only file system")
    await #expect(throws: error) { try await store.write(.local) { try $0.nextNumber } }
    #expect(try FileSystem.names(in: temporary.path).count == 1)
    await store.close()
    #expect(try FileSystem.names(in: temporary.path).isEmpty)
    #expect(try await writable.listing().items == [item])
    await writable.close()
  }

  @Test func lists_ofCopy_areReadAndNotChanged() async throws {
    let writable = try SQLiteToDoItemStore(path: path)
    let accounts = try SQLiteAccountStore(path: path)
    let work = NewList(name: "Work")
    let now = Timestamp(microseconds: 0)
    _ = try await accounts.changeLists(of: .local) { try $0.create(work, at: now, limit: 1) }
    let store = try ReadOnlySQLiteStore(copying: path)
    let (lists, close) = try store.openLists()
    #expect(try await lists.listRecords(of: .local).list(work.id, at: now).name == "Work")
    #expect(try await lists.listUsage(of: .local) == [:])
    #expect(try await lists.listChanges(after: 0, limit: 10).owners == [.local])
    #expect(try await lists.expiredLists(at: now, limit: 1) == [])
    let error = ToDoError.storeUnavailable(detail: "\(path) is on a read-only file system")
    await #expect(throws: error) {
      try await lists.changeLists(of: .local) { try $0.delete(work.id, at: now, restorableUntil: now) }
    }
    await #expect(throws: error) { try await lists.purgeList(OwnerID(work.id)) }
    close()
    await store.close()
    accounts.close()
    await writable.close()
  }

  @Test func store_whenDatabaseIsMissing_throws() async throws {
    #expect(throws: SQLiteStoreError.readOnly(path: path)) { try ReadOnlySQLiteStore(copying: path) }
  }

  @Test func store_whenDatabaseCannotBeOpened_removesTheCopy() throws {
    let file = DatabaseFile(path: path)
    let connection = try file.open()
    try connection.execute("PRAGMA user_version = 1000")
    try connection.close()
    let temporary = try TemporaryDirectory()
    #expect(throws: SQLiteStoreError.self) { try ReadOnlySQLiteStore(copying: path, into: temporary.path) }
    #expect(try FileSystem.names(in: temporary.path).isEmpty)
  }

  @Test func limitation_ofWritableDirectory_isNone() {
    #expect(FileSystem.limitation(of: directory.path) == nil)
    #expect(FileSystem.limitation(of: directory.path + "/missing/more") == nil)
  }
}
