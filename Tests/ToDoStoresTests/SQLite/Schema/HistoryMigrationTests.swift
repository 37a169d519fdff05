import Testing
import ToDoModel
import ToDoRules
import ToDoSQLite
import ToDoTestSupport

@testable import ToDoStores

/// The migration of the history of older versions.
@Suite(.unitTimeLimited) struct HistoryMigrationTests {
  private let directory: TemporaryDirectory
  private let path: String

  init() throws {
    directory = try TemporaryDirectory()
    path = directory.file("items.sqlite")
  }

  @Test func migrate_fromVersion10_findsTheFormerStatesOfEarlierChanges() async throws {
    var file = DatabaseFile(path: path)
    file.migrations = Array(Migration.all.prefix(10))
    let db = try file.open()

    try db.execute(
      """
      INSERT INTO owner (name, revision, item_count, byte_count, last_number) VALUES ('local', 5, 1, 718, 2);
      INSERT INTO item (owner, id, title, created_at, updated_at, revision, fingerprint, cause, item_number)
      VALUES (1, x'01900000000070000000000000000001', 'Third', 100, 500, 5, x'', 1, 1);
      INSERT INTO past_change (owner, revision, id, cause, title, created_at, updated_at, item_number)
      VALUES
        (1, 1, x'01900000000070000000000000000001', 0, 'First', 100, 100, 1),
        (1, 2, x'01900000000070000000000000000002', 0, 'Deleted', 200, 200, 2),
        (1, 3, x'01900000000070000000000000000001', 1, 'Second', 100, 300, 1),
        (1, 4, x'01900000000070000000000000000002', NULL, NULL, NULL, 400, NULL);
      INSERT INTO deleted_item (owner, id, revision, deleted_at)
      VALUES (1, x'01900000000070000000000000000002', 4, 400);
      """)
    try db.close()
    let store = try SQLiteToDoItemStore(path: path)
    let former = try await store.write(.local) { transaction in
      try [3, 4, 5].flatMap { try transaction.changes(of: Revision($0), after: nil, limit: 10) }.map(\.former?.title)
    }
    #expect(former == ["First", nil, "Second"])
    let history = try await store.history(HistorySelection(limit: 10), of: .local)
    #expect(history.revisions.map { $0.changes[0].title } == ["Third", "Deleted", "Second", "Deleted", "First"])
    // The deleted item was removed by the earlier version.
    let service = LocalToDoService(store: store)
    #expect(try await service.revertRevision(Revision(4)).refusals.map(\.reason) == [.notRetained])
    #expect(try await service.revertRevision(Revision(5)).revertedCount == 1)
    #expect(try await service.items(ItemQuery()).items.map(\.title) == ["Second"])
    await store.close()
  }
}
