import TestSupport
import Testing
import ToDoModel
import ToDoRules

@testable import ToDoStores

/// Which items a store has in memory, and that they are never older than what anybody has acknowledged.
@Suite struct ItemCacheTests {
  private let directory: TemporaryDirectory
  private let path: String

  init() throws {
    directory = try TemporaryDirectory()
    path = directory.file("items.sqlite")
  }

  private func withStores(
    cacheSize: Int = 1 << 20, logLength: Int? = nil,
    _ body: (SQLiteToDoItemStore, _ foreign: SQLiteToDoItemStore) async throws -> Void
  ) async throws {
    var file = DatabaseFile(path: path)
    if let logLength { file.logLength = logLength }
    let store = try SQLiteToDoItemStore(file, cacheSize: cacheSize)
    let foreign = try SQLiteToDoItemStore(file)
    try await body(store, foreign)
    await foreign.close()
    await store.close()
  }

  @Test func whatWasRead_isInMemory() async throws {
    try await withStores { store, foreign in
      let item = try await foreign.add(.sample(1))
      #expect(store.cachedItem(item.id, of: .local) == nil)
      #expect(try await store.item(item.id, of: .local) == item)
      #expect(store.cachedItem(item.id, of: .local) == item)
    }
  }

  @Test func whatTheStoreWrote_isInMemory_andTheRestStaysThere() async throws {
    try await withStores { store, _ in
      let items = [try await store.add(.sample(1)), try await store.add(.sample(2))]
      for item in items { #expect(try await store.item(item.id, of: .local) == item) }
      let changed = try await store.write(.local) { try $0.replace(items[0].titled("Other"), .edited) }
      #expect(store.cachedItem(items[0].id, of: .local) == changed)
      #expect(store.cachedItem(items[1].id, of: .local) == items[1])
      // A commit that changes nothing takes nothing away.
      _ = try await store.write(.local) { try $0.record(of: .sample(9)) }
      #expect(store.cachedItem(items[1].id, of: .local) == items[1])
    }
  }

  @Test func whatAnotherProgramWrites_isSeenAtOnce() async throws {
    try await withStores { store, foreign in
      var item = try await foreign.add(.sample(1))
      for number in 1...100 {
        #expect(try await store.item(item.id, of: .local) == item)
        #expect(store.cachedItem(item.id, of: .local) == item)
        item = try await foreign.write(.local) { [item] in try $0.replace(item.titled("\(number)"), .edited) }
        #expect(store.cachedItem(item.id, of: .local) == nil)
        // The store's own commit must not bring back what the foreign one made untrue.
        if number.isMultiple(of: 2) { try await store.add(.sample(UInt64(number) + 1)) }
        #expect(store.cachedItem(item.id, of: .local) == nil)
      }
    }
  }

  @Test func theRevisionOfAListThatWasReadOrWritten_isInMemory_untilAnotherProgramWrites() async throws {
    try await withStores { store, foreign in
      let item = try await foreign.add(.sample(1))
      #expect(store.cachedRevision(of: .local) == nil)
      #expect(try await store.listing().revision == Revision(1))
      #expect(store.cachedRevision(of: .local) == Revision(1))
      try await store.add(.sample(2))
      #expect(store.cachedRevision(of: .local) == Revision(2))
      for number in 0..<50 {
        _ = try await foreign.write(.local) { try $0.replace(item.titled("\(number)"), .edited) }
        #expect(store.cachedRevision(of: .local) == nil)
        let written = try await store.write(.local) { try $0.replace(item.titled("own \(number)"), .edited) }
        #expect([nil, written.revision].contains(store.cachedRevision(of: .local)))
        #expect(try await store.listing().revision == written.revision)
        #expect(store.cachedRevision(of: .local) == written.revision)
      }
    }
  }

  @Test func afterTheLogHasBegunAnew_foreignWritesAreStillSeen() async throws {
    try await withStores(logLength: 20) { store, foreign in
      var item = try await foreign.add(.sample(1))
      // Enough for SQLite to move the log into the file, and to write it from its beginning again.
      for round in 0..<4 {
        for batch in 0..<10 { try await foreign.add(.sample(UInt64(round * 10 + batch) + 10)) }
        #expect(try await store.item(item.id, of: .local) == item)
        item = try await foreign.write(.local) { [item] in try $0.replace(item.titled("\(round)"), .edited) }
        #expect(store.cachedItem(item.id, of: .local) == nil)
        #expect(try await store.item(item.id, of: .local) == item)
      }
    }
  }

  @Test func concurrentWriters_areNeverAheadOfWhatIsRead() async throws {
    try await withStores { store, foreign in
      let first = try await store.add(.sample(1))
      try await withThrowingTaskGroup { group in
        for writer in [store, foreign] {
          group.addTask {
            for number in 0..<200 {
              let written = try await writer.write(.local) { try $0.replace(first.titled("\(number)"), .edited) }
              for reader in [store, foreign] {
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
  func identitiesThatAreHalfEqual_doNotCollide(_ high: UInt64, _ low: UInt64) {
    let keys = (0..<1000 as Range<UInt64>).map {
      ItemCache.Key(owner: .local, id: ItemID(high: high * $0, low: low * $0))
    }
    #expect(Set(keys.map(\.hashValue)).count == 1000)
  }

  @Test func aCacheOfNoSize_keepsNothing() async throws {
    try await withStores(cacheSize: 0) { store, _ in
      let item = try await store.add(.sample(1))
      #expect(try await store.item(item.id, of: .local) == item)
      #expect(store.cachedItem(item.id, of: .local) == nil)
      #expect(try await store.listing().revision == Revision(1))
      #expect(store.cachedRevision(of: .local) == nil)
    }
  }

  @Test func aClosedStore_hasNothingInMemory() async throws {
    let store = try SQLiteToDoItemStore(path: path)
    let item = try await store.add(.sample(1))
    await store.close()
    #expect(store.cachedItem(item.id, of: .local) == nil)
    #expect(store.cachedRevision(of: .local) == nil)
  }
}
