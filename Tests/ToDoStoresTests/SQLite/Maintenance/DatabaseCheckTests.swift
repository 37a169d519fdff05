import Foundation
import Testing
import ToDoModel
import ToDoRules
import ToDoSQLite
import ToDoTestSupport

@testable import ToDoStores

@Suite(.unitTimeLimited) struct DatabaseCheckTests {
  private let directory: TemporaryDirectory
  private let path: String

  init() throws {
    directory = try TemporaryDirectory()
    path = directory.file("items.sqlite")
  }

  /// A list of ten items, of which one was edited, one checked and one deleted.
  private func fill() async throws {
    let store = try SQLiteToDoItemStore(path: path)
    let service = LocalToDoService(store: store)
    for number in 0..<10 as Range<UInt64> {
      let coordinate = Coordinate(latitude: 48 + Double(number), longitude: 11)
      let content = ItemContent(title: "Item \(number)", location: Location(coordinate: coordinate))
      _ = try await service.addItem(NewItem(id: .sample(number), content: content))
    }
    _ = try await service.checkItem(.sample(1), ifRevision: nil)
    _ = try await service.uncheckItem(.sample(1), ifRevision: nil)
    _ = try await service.deleteItem(.sample(2), ifRevision: nil)
    await store.close()
  }

  private func change(_ sql: String) throws {
    let connection = try SQLiteConnection(path: path)
    try connection.execute(sql)
    try connection.close()
  }

  @Test func run_whenDatabaseIsConsistent_reportsNoProblem() async throws {
    try await fill()
    #expect(try DatabaseCheck(path: path).run() == DatabaseCheck.Report(itemCount: 9, listCount: 1))
    #expect(try DatabaseCheck(path: path).run(within: .seconds(60)).problems == [])
  }

  static let repairable: [(DatabaseProblem.Kind, String)] = [
    (.itemCount, "UPDATE owner SET item_count = 3"),
    (.number, "UPDATE owner SET last_number = 3"),
    (.revision, "UPDATE owner SET revision = 4"),
    (.gap, "DELETE FROM past_change WHERE revision = 2 OR revision = 11"),
    (.placeCode, "UPDATE item SET place = place + 1 WHERE number = 4"),
    (.placeCode, "UPDATE item SET place = NULL"),
    (.fingerprint, "UPDATE item SET fingerprint = x''"),
    (.deletedID, "INSERT INTO deleted_item (owner, id, revision) SELECT owner, id, 1 FROM item LIMIT 1"),
    (
      .duplicateChange,
      "INSERT INTO past_change (owner, revision, id, updated_at) SELECT owner, revision, id, 0 FROM item"
    ),
    (
      .index,
      """
      PRAGMA writable_schema = ON;
      CREATE TEMP TABLE saved AS SELECT * FROM sqlite_schema WHERE name = 'item_created';
      DELETE FROM sqlite_schema WHERE name = 'item_created';
      PRAGMA writable_schema = RESET;
      UPDATE item SET created_at = created_at + 1;
      PRAGMA writable_schema = ON;
      INSERT INTO sqlite_schema SELECT * FROM saved;
      PRAGMA writable_schema = RESET;
      """
    ),
  ]

  @Test(arguments: repairable)
  func repair_whenDerivedValueIsWrong_mendsIt(_ kind: DatabaseProblem.Kind, _ sql: String) async throws {
    try await fill()
    try change(sql)
    #expect(try DatabaseCheck(path: path).run().problems.map(\.kind).contains(kind))
    let repair = try DatabaseCheck(path: path).repair()
    #expect(repair.before.problems.map(\.kind).contains(kind))
    #expect(repair.after == DatabaseCheck.Report(itemCount: 9, listCount: 1))
    #expect(try TemporaryDirectory.permissions(of: path + ".before-repair") == 0o600)
    #expect(try DatabaseCheck(path: path + ".before-repair").run().problems == repair.before.problems)
  }

  @Test func repair_whenRevisionIsMissing_raisesTheFloorToIt() async throws {
    try await fill()
    try change("DELETE FROM past_change WHERE revision = 2 OR revision = 11")
    _ = try DatabaseCheck(path: path).repair()
    let store = try SQLiteToDoItemStore(path: path)
    await #expect(throws: ToDoError.revisionCompacted(oldest: Revision(11))) {
      try await store.changes(ChangeSelection(after: Revision(10), limit: 100), of: .local)
    }
    #expect(try await store.changes(ChangeSelection(after: Revision(11), limit: 100), of: .local).sets.count == 2)
    await store.close()
  }

  @Test func repair_whenLaterNumbersWereGiven_givesNoneOfThemAgain() async throws {
    try await fill()
    // The items from 11 to 20 were added and deleted long ago.
    try change("UPDATE owner SET last_number = 20, item_count = 3")
    _ = try DatabaseCheck(path: path).repair()
    let store = try SQLiteToDoItemStore(path: path)
    let item = try await LocalToDoService(store: store).addItem(
      NewItem(id: .sample(11), content: ItemContent(title: "Next")))
    #expect(item.number == ItemNumber(21))
    await store.close()
  }

  @Test func run_whenItemIsUnreadable_namesIt() async throws {
    try await fill()
    try change("UPDATE item SET latitude = 91 WHERE number = 4")
    let problems = try DatabaseCheck(path: path).run().problems
    #expect(problems.map(\.kind) == [.unreadable])
    #expect(try DatabaseCheck(path: path).repair().copy == nil)
  }

  @Test func run_whenPageIsOverwritten_reportsDamage() async throws {
    try await fill()
    let pages = try SQLiteConnection(path: path).number("SELECT rootpage FROM sqlite_schema WHERE name = 'item'") ?? 0
    let file = try #require(FileHandle(forUpdatingAtPath: path))
    try file.seek(toOffset: UInt64((pages - 1) * 4096))
    try file.write(contentsOf: Data(repeating: 0xA5, count: 4096))
    try file.close()
    #expect(try DatabaseCheck(path: path).run().problems.map(\.kind) == [.damage])
  }

  @Test func run_whenTimeIsOver_stops() async throws {
    let store = try SQLiteToDoItemStore(path: path)
    try await store.write(.local) { transaction in
      for number in 0..<2000 as Range<UInt64> { try transaction.add(.sample(number)) }
    }
    #expect(try !DatabaseCheck(path: path).run(within: .zero).isComplete)
    await store.close()
  }

  @Test func repair_whileStoreIsOpen_isRejected() async throws {
    try await fill()
    try change("UPDATE owner SET item_count = 3")
    let store = try SQLiteToDoItemStore(path: path)
    #expect(throws: DatabaseMaintenanceError.inUse(path: path, process: nil)) {
      try DatabaseCheck(path: path).repair()
    }
    await store.close()
  }
}
