import Foundation
import Testing
import ToDoModel
import ToDoRules
import ToDoSQLite
import ToDoTestSupport

@testable import ToDoStores

/// Database files of every earlier version of the schema, in the folder Golden. They are never changed. When a version is
/// released, a run with `UPDATE_GOLDEN=1` adds its file.
@Suite(.unitTimeLimited) struct KeptDatabaseTests {
  private static let versions = 1..<Migration.all.count

  @Test(arguments: versions) func keptDatabase_opensAndIsMigrated(_ version: Int) async throws {
    let directory = try TemporaryDirectory()
    let path = directory.file("items.sqlite")
    let kept = Self.keptFile("schema-\(version)")
    if ProcessInfo.processInfo.environment["UPDATE_GOLDEN"] == "1", !FileManager.default.fileExists(atPath: kept) {
      try Self.make(version, at: kept, Self.statements)
    }
    try FileManager.default.copyItem(atPath: kept, toPath: path)
    let store = try SQLiteToDoItemStore(path: path)
    let service = LocalToDoService(store: store)
    let items = try await service.items(ItemQuery(order: .created)).items
    #expect(items.map(\.title) == ["Full", "Plain", "Done"])
    #expect(items.map(\.isDone) == [false, false, true])
    let full = try #require(items.first)
    #expect((full.itemDescription, full.location?.name, full.location?.address) == ("Note", "Office", "1 High Street"))
    #expect(full.due == .time(Timestamp(microseconds: 1_770_000_000_000_000)))
    #expect(full.location?.coordinate == Coordinate(latitude: 48.1, longitude: 11.5))
    #expect((full.tags, full.priority) == (version < 14 ? ([], nil) : (["errands", "work/urgent"], .high)))
    #expect(full.steps.isEmpty && full.waitUntil == nil && full.repetition == nil)
    var edit = ItemEdit()
    edit.steps = [Step("Go")]
    #expect(try await service.updateItem(full.id, edit, ifRevision: nil).steps == [Step("Go")])
    await store.close()
    let accounts = try SQLiteAccountStore(path: path)
    #expect(try await accounts.allNotificationTargets() == NotificationTargets(version: 0))
    accounts.close()
    #expect(try DatabaseCheck(path: path).run().problems == [])
    #expect(try directory.files.contains("items.sqlite.v\(version).bak"))
  }

  static func keptFile(_ name: String, filePath: String = #filePath) -> String {
    var folder = URL(filePath: filePath)
    while folder.lastPathComponent != "ToDoStoresTests" { folder.deleteLastPathComponent() }
    return folder.appending(components: "Golden", "\(name).sqlite").path
  }

  /// Makes a file as programs have, version after version.
  ///
  /// - Parameter statements: what is stored once the database has a version.
  static func make(_ version: Int, at path: String, _ statements: [Int: String]) throws {
    let folder = URL(filePath: path).deletingLastPathComponent()
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    var file = DatabaseFile(path: path)
    file.isCopiedBeforeMigration = false
    for number in 1...version {
      file.migrations = Array(Migration.all.prefix(number))
      let db = try file.open()
      if let statement = statements[number] { try db.execute(statement) }
      try db.close()
    }
    let db = try SQLiteConnection(path: path)
    try db.execute("PRAGMA journal_mode = DELETE; PRAGMA page_size = 512; VACUUM")
    try db.close()
  }

  private static let statements = [
    1: items,
    14: """
    UPDATE item SET tags = 'errands work/urgent', priority = 3 WHERE title = 'Full';
    UPDATE owner SET byte_count = byte_count + 19;
    """,
  ]

  private static let items = """
    INSERT INTO owner (name, revision) VALUES ('local', 4);
    INSERT INTO item (
      owner, id, title, description, due_time, place_name, address, latitude, longitude, created_at, updated_at, completed_at,
      revision, fingerprint, added_as)
    VALUES
      (1, x'01900000000070000000000000000001', 'Full', 'Note', 1770000000000000, 'Office', '1 High Street', 48.1, 11.5,
        1, 1, NULL, 1, 5, 5),
      (1, x'01900000000070000000000000000002', 'Plain', NULL, NULL, NULL, NULL, NULL, NULL, 2, 2, NULL, 2, 6, 6),
      (1, x'01900000000070000000000000000003', 'Done', NULL, NULL, NULL, NULL, NULL, NULL, 3, 3, 3, 3, 7, 7);
    INSERT INTO deleted_item (owner, id, revision) VALUES (1, x'01900000000070000000000000000004', 4);
    """
}
