import Testing
import ToDoModel
import ToDoRules
import ToDoSQLite
import ToDoTestSupport

@testable import ToDoStores

/// Deletions of more items than one transaction deletes.
@Suite(.unitTimeLimited) struct BulkDeletionTests {
  private let directory: TemporaryDirectory
  private let path: String
  private static let count = 3 * PendingDeletion.maximumItems

  init() throws {
    directory = try TemporaryDirectory()
    path = directory.file("items.sqlite")
  }

  /// Fills a list, and stops in the middle of a deletion, like a crash.
  private func interrupt(_ selection: BulkDeletion = .all, size: Int = 0) async throws -> Int {
    let store = try SQLiteToDoItemStore(path: path)
    let description = String(repeating: "d", count: size)
    try await store.write(.local) { transaction in
      for number in 0..<UInt64(Self.count) {
        var item = ToDoItem.sample(number, completed: selection == .done ? 0 : nil)
        if size > 0 { item.content.itemDescription = description }
        try transaction.add(item, fingerprint: ContentFingerprint(of: item.content, key: store.fingerprintKey))
      }
    }
    try await store.add(.sample(1), to: OwnerID("other"))
    await store.close()
    let connection = try DatabaseFile(path: path).open()
    let group = try SQLiteWriteGroup(
      WriteStatements(on: connection), schemaVersion: Migration.all.count, retention: ChangeRetention(),
      settingSavepoints: false)
    let (count, isUnfinished) = try group.write(.local) {
      try $0.delete(selection, at: .sample(5), restorableUntil: nil)
    }
    #expect(isUnfinished)
    #expect(throws: PendingDeletion.Unfinished.self) { try group.write(.local) { _ in } }
    try group.commit()
    return count
  }

  private func number(_ sql: String) throws -> Int64 {
    let connection = try SQLiteConnection(path: path)
    defer { try? connection.close() }
    return try connection.number(sql) ?? 0
  }

  @Test(arguments: [BulkDeletion.all, .done])
  func delete_whenSelectionIsLarge_deletesOneSliceInATransaction(_ selection: BulkDeletion) async throws {
    #expect(try await interrupt(selection) == Self.count)
    #expect(try number("SELECT count(*) FROM item WHERE owner = 1") == Self.count - PendingDeletion.maximumItems)
  }

  @Test func delete_whenItemsAreLarge_deletesFewerInATransaction() async throws {
    _ = try await interrupt(size: 8192)
    #expect(try number("SELECT count(*) FROM item WHERE owner = 1") == Self.count - 8)
  }

  enum Access: CaseIterable {
    case list, get, near, write
  }

  @Test(arguments: Access.allCases) func access_whenDeletionIsUnfinished_completesIt(_ access: Access) async throws {
    _ = try await interrupt()
    let store = try SQLiteToDoItemStore(path: path)
    let last = ItemID.sample(UInt64(Self.count) - 1)
    switch access {
    case .list: #expect(try await store.listing().items == [])
    case .get: #expect(try await store.item(last, of: .local) == nil)
    case .near:
      let center = try #require(Coordinate(latitude: 0, longitude: 0))
      #expect(try await store.nearbyItems(NearbySelection(center: center, limit: 10), of: .local).items == [])
    case .write: #expect(try await store.write(.local) { try $0.record(of: last) } == .deleted)
    }
    #expect(try await store.listing().revision == Revision(2))
    let deleted = try await store.changes(ChangeSelection(after: Revision(1), limit: 1), of: .local).sets
    #expect(deleted.map(\.changes.count) == [Self.count])
    await store.close()
    #expect(try DatabaseCheck(path: path).run().problems == [])
    #expect(try number("SELECT item_count FROM owner WHERE number = 1") == 0)
  }

  @Test func changes_whenDeletionIsUnfinished_endBeforeIt() async throws {
    _ = try await interrupt()
    let store = try SQLiteToDoItemStore(path: path)
    let listing = try await store.changes(ChangeSelection(after: .initial, limit: 10_000), of: .local)
    #expect(listing.revision == Revision(1))
    #expect(listing.sets.map(\.changes.count) == [Self.count])
    await store.close()
  }

  @Test func read_whenDeletionCannotContinue_seesRemainingItems() async throws {
    _ = try await interrupt()
    let reader = try SQLiteReader(DatabaseFile(path: path))
    let last = ItemID.sample(UInt64(Self.count) - 1)
    #expect(throws: PendingDeletion.Unfinished.self) { try reader.item(last, of: .local) }
    try reader.duringDeletion {
      #expect(try reader.item(last, of: .local)?.id == last)
      #expect(try reader.item(.sample(0), of: .local) == nil)
      let history = try reader.history(HistorySelection(limit: 1_000), of: .local)
      #expect(history.revisions.map(\.revision) == [Revision(1)])
    }
    #expect(throws: PendingDeletion.Unfinished.self) { try reader.item(last, of: .local) }
  }

  @Test func check_whenDeletionIsUnfinished_reportsNoProblem() async throws {
    _ = try await interrupt()
    #expect(try DatabaseCheck(path: path).run().problems == [])
  }

  @Test func delete_afterAnotherChange_isNotDivided() async throws {
    let store = try SQLiteToDoItemStore(path: path)
    try await store.write(.local) { transaction in
      for number in 0..<UInt64(Self.count) { try transaction.add(.sample(number)) }
      #expect(try transaction.delete(.all, at: .sample(), restorableUntil: nil) == Self.count)
      #expect(try transaction.record(of: .sample(9)) == .deleted)
      try transaction.add(.sample(UInt64(Self.count)))
    }
    #expect(try await store.listing().items.count == 1)
    #expect(try await store.listing().revision == Revision(1))
    await store.close()
  }

  @Test func delete_whenSelectionIsLarge_leavesCachedItemsOfOthers() async throws {
    let store = try SQLiteToDoItemStore(path: path)
    try await store.write(.local) { transaction in
      for number in 0..<UInt64(Self.count) { try transaction.add(.sample(number)) }
    }
    let other = try await store.add(.sample(1), to: OwnerID("other"))
    _ = try await store.write(.local) { try $0.delete(.all, at: .sample(), restorableUntil: nil) }
    #expect(store.cachedItem(other.id, of: OwnerID("other")) == other)
    #expect(store.cachedItem(.sample(1), of: .local) == nil)
    await store.close()
  }
}
