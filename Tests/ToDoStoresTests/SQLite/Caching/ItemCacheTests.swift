import Testing
import ToDoModel
import ToDoRules
import ToDoTestSupport

@testable import ToDoStores

/// The items that a store caches. They are never older than an acknowledged write of any process.
@Suite(.unitTimeLimited) struct ItemCacheTests {
  private let directory: TemporaryDirectory
  private let path: String

  init() throws {
    directory = try TemporaryDirectory()
    path = directory.file("items.sqlite")
  }

  private func withStores(
    cacheSize: Int = 1 << 20, logLength: Int? = nil,
    _ body: (SQLiteToDoItemStore, _ external: SQLiteToDoItemStore) async throws -> Void
  ) async throws {
    var file = DatabaseFile(path: path)
    if let logLength { file.logLength = logLength }
    let store = try SQLiteToDoItemStore(file, cacheSize: cacheSize)
    let external = try SQLiteToDoItemStore(file)
    try await body(store, external)
    await external.close()
    await store.close()
  }

  @Test func item_afterRead_isCached() async throws {
    try await withStores { store, external in
      let item = try await external.add(.sample(1))
      #expect(store.cachedItem(item.id, of: .local) == nil)
      #expect(try await store.item(item.id, of: .local) == item)
      #expect(store.cachedItem(item.id, of: .local) == item)
    }
  }

  @Test func write_whenItChangesAnItem_updatesItInTheCacheAndRetainsOthers() async throws {
    try await withStores { store, _ in
      let items = [try await store.add(.sample(1)), try await store.add(.sample(2))]
      for item in items { #expect(try await store.item(item.id, of: .local) == item) }
      let changed = try await store.write(.local) { try $0.replace(items[0].titled("Other"), .edited) }
      #expect(store.cachedItem(items[0].id, of: .local) == changed)
      #expect(store.cachedItem(items[1].id, of: .local) == items[1])
      // A commit that changes nothing evicts nothing.
      _ = try await store.write(.local) { try $0.record(of: .sample(9)) }
      #expect(store.cachedItem(items[1].id, of: .local) == items[1])
    }
  }

  @Test func cachedItem_whenAnotherStoreWrites_isInvalidatedImmediately() async throws {
    try await withStores { store, external in
      var item = try await external.add(.sample(1))
      for number in 1...100 {
        #expect(try await store.item(item.id, of: .local) == item)
        #expect(store.cachedItem(item.id, of: .local) == item)
        item = try await external.write(.local) { [item] in try $0.replace(item.titled("\(number)"), .edited) }
        #expect(store.cachedItem(item.id, of: .local) == nil)
        // The store's own commit must not restore what the external commit invalidated.
        if number.isMultiple(of: 2) { try await store.add(.sample(UInt64(number) + 1)) }
        #expect(store.cachedItem(item.id, of: .local) == nil)
      }
    }
  }

  @Test func cachedRevision_afterReadOrWrite_isCachedUntilAnotherStoreWrites() async throws {
    try await withStores { store, external in
      let item = try await external.add(.sample(1))
      #expect(store.cachedRevision(of: .local) == nil)
      #expect(try await store.listing().revision == Revision(1))
      #expect(store.cachedRevision(of: .local) == Revision(1))
      try await store.add(.sample(2))
      #expect(store.cachedRevision(of: .local) == Revision(2))
      for number in 0..<50 {
        _ = try await external.write(.local) { try $0.replace(item.titled("\(number)"), .edited) }
        #expect(store.cachedRevision(of: .local) == nil)
        let written = try await store.write(.local) { try $0.replace(item.titled("own \(number)"), .edited) }
        #expect([nil, written.revision].contains(store.cachedRevision(of: .local)))
        #expect(try await store.listing().revision == written.revision)
        #expect(store.cachedRevision(of: .local) == written.revision)
      }
    }
  }

  @Test func cachedItem_whenTheLogHasRestarted_isInvalidatedByExternalWrites() async throws {
    try await withStores(logLength: 20) { store, external in
      var item = try await external.add(.sample(1))
      // Enough for SQLite to move the log into the file, and to restart the log.
      for round in 0..<4 {
        for batch in 0..<10 { try await external.add(.sample(UInt64(round * 10 + batch) + 10)) }
        #expect(try await store.item(item.id, of: .local) == item)
        item = try await external.write(.local) { [item] in try $0.replace(item.titled("\(round)"), .edited) }
        #expect(store.cachedItem(item.id, of: .local) == nil)
        #expect(try await store.item(item.id, of: .local) == item)
      }
    }
  }

  @Test func item_whenStoresWriteConcurrently_isNeverOlderThanAnAcknowledgedWrite() async throws {
    try await withStores { store, external in
      let first = try await store.add(.sample(1))
      try await withThrowingTaskGroup { group in
        for writer in [store, external] {
          group.addTask {
            for number in 0..<200 {
              let written = try await writer.write(.local) { try $0.replace(first.titled("\(number)"), .edited) }
              for reader in [store, external] {
                let read = try await reader.item(first.id, of: .local)
                #expect(try #require(read).revision >= written.revision)
              }
            }
          }
        }
        try await group.waitForAll()
      }
    }
  }

  @Test(arguments: [(UInt64(1), UInt64(0)), (0, 1)])
  func key_whenIDsAreEqualInOneHalf_hashesDifferently(_ high: UInt64, _ low: UInt64) {
    let keys = (0..<1000 as Range<UInt64>).map {
      ItemCache.Key(owner: .local, id: ItemID(high: high * $0, low: low * $0))
    }
    #expect(Set(keys.map(\.hashValue)).count == 1000)
  }

  @Test func cache_whenSizeIsZero_isEmpty() async throws {
    try await withStores(cacheSize: 0) { store, _ in
      let item = try await store.add(.sample(1))
      #expect(try await store.item(item.id, of: .local) == item)
      #expect(store.cachedItem(item.id, of: .local) == nil)
      #expect(try await store.listing().revision == Revision(1))
      #expect(store.cachedRevision(of: .local) == nil)
    }
  }

  @Test func cache_whenStoreIsClosed_isEmpty() async throws {
    let store = try SQLiteToDoItemStore(path: path)
    let item = try await store.add(.sample(1))
    await store.close()
    #expect(store.cachedItem(item.id, of: .local) == nil)
    #expect(store.cachedRevision(of: .local) == nil)
  }
}
