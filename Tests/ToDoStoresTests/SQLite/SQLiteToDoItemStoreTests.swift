import Foundation
import Testing
import ToDoModel
import ToDoRules
import ToDoSQLite
import ToDoTestSupport

@testable import ToDoStores

@Suite(.unitTimeLimited) struct SQLiteToDoItemStoreTests {
  private let directory: TemporaryDirectory
  private let path: String

  init() throws {
    directory = try TemporaryDirectory()
    path = directory.file("items.sqlite")
  }

  @Test(arguments: StoreContract.rules)
  func keepsTheContract(_ rule: ContractRule<any ToDoItemStore>) async throws {
    let store = try SQLiteToDoItemStore(path: path)
    try await rule.check(store)
    await store.close()
  }

  @Test(arguments: StoreContract.retentionRules)
  func forgetsAsTheContractSays(_ rule: ContractRule<any ToDoItemStore>) async throws {
    let store = try SQLiteToDoItemStore(path: path, retention: StoreContract.retention)
    try await rule.check(store)
    await store.close()
  }

  // MARK: Durability

  @Test func store_whenReopened_hasAllItems() async throws {
    let other = OwnerID("other")
    let store = try SQLiteToDoItemStore(path: path)
    let item = try await store.add(.sample(1))
    let done = try await store.add(.sample(2, completed: 5))
    try await store.add(.sample(1, title: "Another"), to: other)
    try await store.add(.sample(3))
    try await store.write(.local) { try $0.delete(.sample(3), at: .sample(), restorableUntil: nil) }
    await store.close()

    let reopened = try SQLiteToDoItemStore(path: path)
    #expect(try await reopened.listing().items == [item, done])
    #expect(try await reopened.listing().revision == Revision(4))
    #expect(try await reopened.write(.local) { try $0.record(of: .sample(3)) } == .deleted)
    #expect(try await reopened.listing(of: other).items.map(\.title) == ["Another"])
    await reopened.close()
    #expect(try directory.files == ["items.sqlite"])
  }

  @Test func incarnation_whenStoreIsReopened_isUnchanged() async throws {
    let store = try SQLiteToDoItemStore(path: path)
    await store.close()
    let reopened = try SQLiteToDoItemStore(path: path)
    #expect(reopened.incarnation == store.incarnation)
    await reopened.close()
    let other = try SQLiteToDoItemStore(path: directory.file("other.sqlite"))
    #expect(other.incarnation != store.incarnation)
    await other.close()
  }

  @Test func incarnation_whenReplaced_differs() async throws {
    let store = try SQLiteToDoItemStore(path: path)
    await store.close()
    let connection = try DatabaseFile(path: path).open()
    let new = try connection.transaction(.immediate) { try ListIncarnation.replace(in: connection) }
    try connection.close()
    let reopened = try SQLiteToDoItemStore(path: path)
    #expect(reopened.incarnation == new)
    #expect(reopened.incarnation != store.incarnation)
    await reopened.close()
  }

  @Test func store_whenReopened_hasTheFeed() async throws {
    let store = try SQLiteToDoItemStore(path: path)
    let item = try await store.add(.sample(1))
    let updated = try await store.write(.local) { try $0.replace(item.titled("Other"), .located) }
    try await store.write(.local) { try $0.delete(item.id, at: .sample(5), restorableUntil: nil) }
    let feed = try await store.changes()
    await store.close()

    let reopened = try SQLiteToDoItemStore(path: path)
    #expect(try await reopened.changes() == feed)
    #expect(feed.flatMap(\.changes).prefix(2) == [.put(item, .added), .put(updated, .located)])
    #expect(feed.last?.changes.map(\.time) == [.sample(5)])
    await reopened.close()
  }

  @Test func write_whenAcknowledged_isInTheFilesBeforeClose() async throws {
    let store = try SQLiteToDoItemStore(path: path)
    let item = try await store.add(.sample(1))
    let copy = directory.file("copy.sqlite")
    for suffix in ["", "-wal"] { try FileManager.default.copyItem(atPath: path + suffix, toPath: copy + suffix) }
    let reopened = try SQLiteToDoItemStore(path: copy)
    #expect(try await reopened.listing().items == [item])
    await reopened.close()
    await store.close()
  }

  // MARK: Closing

  @Test func store_whenClosed_rejectsEveryCall() async throws {
    let store = try SQLiteToDoItemStore(path: path)
    try await store.add(.sample(1))
    _ = try await store.item(.sample(1), of: .local)
    _ = try await store.listing()
    _ = try await store.changes()
    await store.close()
    let error = ToDoError.storeUnavailable(detail: "the store is closed")
    await #expect(throws: error) { try await store.add(.sample(2)) }
    await #expect(throws: error) { try await store.item(.sample(1), of: .local) }
    await #expect(throws: error) { try await store.listing() }
    await #expect(throws: error) { try await store.changes() }
    await #expect(throws: error) { try await store.observeExternalChanges { _ in } }
    await store.close()
  }

  @Test func close_whenWritesHaveBegun_waitsForThem() async throws {
    let store = try SQLiteToDoItemStore(path: path)
    let outcomes = await withTaskGroup(of: Bool.self) { group in
      for number in 0..<50 as Range<UInt64> {
        group.addTask { (try? await store.add(.sample(number))) != nil }
      }
      group.addTask {
        await store.close()
        return false
      }
      return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
    }
    let reopened = try SQLiteToDoItemStore(path: path)
    #expect(try await reopened.listing().items.count == outcomes)
    await reopened.close()
  }

  // MARK: Several stores on one file

  @Test func write_whenTwoStoresShareAFile_waitsForTheOther() async throws {
    let stores = [try SQLiteToDoItemStore(path: path), try SQLiteToDoItemStore(path: path)]
    let revisions = try await withThrowingTaskGroup(of: Revision.self) { group in
      for number in 0..<200 as Range<UInt64> {
        group.addTask { try await stores[Int(number % 2)].add(.sample(number)).revision }
      }
      return try await group.reduce(into: []) { $0.append($1.number) }
    }
    #expect(revisions.sorted() == Array(1...200))
    for store in stores { #expect(try await store.listing().items.map(\.id) == (0..<200).map(ItemID.sample)) }
    for store in stores { await store.close() }
  }

  @Test func add_whenTwoStoresAddDuplicates_acceptsOne() async throws {
    let stores = [try SQLiteToDoItemStore(path: path), try SQLiteToDoItemStore(path: path)]
    let passed = try await withThrowingTaskGroup(of: Bool.self) { group in
      for number in 0..<40 as Range<UInt64> {
        group.addTask {
          try await stores[Int(number % 2)].write(.local) { transaction in
            let fingerprint = ContentFingerprint(high: 0, low: 1)
            guard try transaction.incompleteItem(matching: fingerprint) == nil else { return false }
            try transaction.add(.sample(number), fingerprint: fingerprint)
            return true
          }
        }
      }
      return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
    }
    #expect(passed == 1)
    for store in stores { await store.close() }
  }

  @Test func open_whenStoresCreateAFileConcurrently_succeeds() async throws {
    let path = path
    let revisions = try await withThrowingTaskGroup(of: Int64.self) { group in
      for number in 0..<8 as Range<UInt64> {
        group.addTask {
          let store = try SQLiteToDoItemStore(path: path)
          let revision = try await store.add(.sample(number)).revision
          await store.close()
          return revision.number
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(revisions.sorted() == Array(1...8))
  }
}

extension SQLiteToDoItemStore {
  @discardableResult
  func add(_ item: ToDoItem, to owner: OwnerID = .local) async throws -> ToDoItem {
    try await add([item], to: owner)[0]
  }

  /// Adds items in one write, with the fingerprints that the service would store.
  @discardableResult
  func add(_ items: [ToDoItem], to owner: OwnerID = .local) async throws -> [ToDoItem] {
    let key = fingerprintKey
    return try await write(owner) { transaction in
      try items.map { try transaction.add($0, fingerprint: ContentFingerprint(of: $0.content, key: key)) }
    }
  }

  func listing(of owner: OwnerID = .local) async throws -> ItemListing {
    try await items(ItemSelection(limit: 1000), of: owner)
  }

  func changes(after revision: Int64 = 0, of owner: OwnerID = .local) async throws -> [ChangeSet] {
    try await changes(ChangeSelection(after: Revision(revision), limit: .max), of: owner).sets
  }
}
