import GRDB
import TestSupport
import Testing
import ToDoModel

@testable import ToDoStores

/// What becomes of the rows of older versions.
@Suite struct MigrationTests {
  private let directory: TemporaryDirectory
  private let path: String

  init() throws {
    directory = try TemporaryDirectory()
    path = directory.file("items.sqlite")
  }

  @Test func itemsOfVersion1_stay_andTheFeedBeginsAtTheirRevision() async throws {
    try makeVersion1()
    let store = try SQLiteToDoItemStore(path: path)
    let items = try await store.listing().items
    #expect(items.map(\.title) == ["One", "Two"])
    #expect(items.map(\.revision) == [3, 7].map(Revision.init))
    #expect(try await store.listing().revision == Revision(9))

    #expect(try await store.changes(after: 9) == [])
    await #expect(throws: ToDoError.revisionCompacted(oldest: Revision(9))) { try await store.changes(after: 8) }
    await #expect(throws: ToDoError.revisionInFuture(current: Revision(9))) { try await store.changes(after: 10) }
    #expect(try await store.changes(after: 0, of: OwnerID("new")) == [])
    await store.close()
  }

  @Test func itemsOfVersion1_change_likeNewOnes() async throws {
    try makeVersion1()
    let store = try SQLiteToDoItemStore(path: path)
    let item = try #require(try await store.listing().items.first)
    let checked = try await store.write(.local) { try $0.replace(item.completed(at: .sample(1)), .checked) }
    try await store.write(.local) { try $0.delete(item.id, at: .sample(2)) }
    let deletion = ItemDeletion(id: item.id, wasDone: true, revision: Revision(11), deletedAt: .sample(2))
    #expect(try await store.changes(after: 9).flatMap(\.changes) == [.put(checked, .checked), .deleted(deletion)])
    #expect(try await store.write(.local) { try $0.record(of: .sample(3)) } == .deleted)
    await store.close()
  }

  private func makeVersion1() throws {
    var file = DatabaseFile(path: path)
    file.migrations = [Migration.all[0]]
    let queue = try file.open()
    try queue.inDatabase { db in
      try db.execute(
        sql: """
          INSERT INTO owner (name, revision) VALUES ('local', 9);
          INSERT INTO item (owner, id, title, created_at, updated_at, revision, fingerprint, added_as) VALUES
            (1, x'01900000000070000000000000000001', 'One', 1, 1, 3, 5, 5),
            (1, x'01900000000070000000000000000002', 'Two', 2, 2, 7, 6, 6);
          INSERT INTO deleted_item (owner, id, revision) VALUES (1, x'01900000000070000000000000000003', 9);
          """)
    }
    try queue.close()
  }
}
