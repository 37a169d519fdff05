import Testing
import ToDoModel
import ToDoRules
import ToDoSQLite
import ToDoTestSupport

@testable import ToDoStores

/// The migration of the rows of older versions.
@Suite(.unitTimeLimited) struct MigrationTests {
  private let directory: TemporaryDirectory
  private let path: String

  init() throws {
    directory = try TemporaryDirectory()
    path = directory.file("items.sqlite")
  }

  @Test func migrate_fromVersion1_retainsItemsAndStartsTheFeedAtTheirRevision() async throws {
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

  @Test func migrate_fromVersion1_allowsItemsToChange() async throws {
    try makeVersion1()
    let store = try SQLiteToDoItemStore(path: path)
    let item = try #require(try await store.listing().items.first)
    let checked = try await store.write(.local) { try $0.replace(item.completed(at: .sample(1)), .checked) }
    try await store.write(.local) { try $0.delete(item.id, at: .sample(2), restorableUntil: nil) }
    let deletion = ItemDeletion(id: item.id, wasDone: true, revision: Revision(11), deletedAt: .sample(2))
    #expect(try await store.changes(after: 9).flatMap(\.changes) == [.put(checked, .checked), .deleted(deletion)])
    #expect(try await store.write(.local) { try $0.record(of: .sample(3)) } == .deleted)
    await store.close()
  }

  @Test func migrate_fromVersion4_computesTheMortonCodesOfNewItems() throws {
    let points = Self.oddPoints
    try makeVersion4(points)
    try DatabaseFile(path: path).open().close()
    let codes = try SQLiteConnection(path: path).rows("SELECT place FROM item ORDER BY number") { $0.optionalNumber(0) }
    #expect(codes == points.map { MortonCode($0).number } + [nil])
  }

  /// Corners, and points on both sides of the boundaries of parts.
  private static var oddPoints: [Coordinate] {
    var random = SeededGenerator(seed: 4)
    let latitudes = [-90, -89.999_999_999, -1e-300, 0, 1e-9, 45, 60.1699, 89.999_999_99, 90]
    let longitudes = [-180, -179.999_999_99, -90, -1e-9, 0, 24.9384, 135, 180]
    var points: [Coordinate?] = []
    for latitude in latitudes {
      for longitude in longitudes { points.append(Coordinate(latitude: latitude, longitude: longitude)) }
    }
    for _ in 0..<200 {
      let latitude = Double.random(in: -90...90, using: &random)
      let longitude = Double.random(in: -180...180, using: &random)
      points.append(Coordinate(latitude: latitude, longitude: longitude))
      let (south, west) = (edge(using: &random) * 180 - 90, edge(using: &random) * 360 - 180)
      points.append(Coordinate(latitude: south, longitude: west))
      points.append(Coordinate(latitude: south.nextDown, longitude: west.nextUp))
      points.append(Coordinate(latitude: south.nextUp, longitude: west.nextDown))
    }
    return points.compactMap(\.self)
  }

  private static func edge(using random: inout SeededGenerator) -> Double {
    Double(UInt64.random(in: 1..<MortonCode.partCount, using: &random)) / Double(MortonCode.partCount)
  }

  @Test func migrate_fromVersion4_findsAndMovesItems() async throws {
    let center = try #require(Coordinate(latitude: 1, longitude: 1))
    let near = try #require(Coordinate(latitude: 1, longitude: 1.001))
    let far = try #require(Coordinate(latitude: 50, longitude: 50))
    try makeVersion4([center, near, far])
    let store = try SQLiteToDoItemStore(path: path)
    let selection = NearbySelection(center: center, radius: 1_000, limit: 5)
    let items = try await store.nearbyItems(selection, of: .local).items.map(\.item)
    #expect(items.map(\.title) == ["0", "1"])
    let first = try #require(items.first)
    _ = try await store.write(.local) { try $0.replace(first.completed(at: .sample(1)), .checked) }
    #expect(try await store.nearbyItems(selection, of: .local).items.map(\.item.title) == ["1"])
    await store.close()
  }

  @Test func migrate_fromVersion5_computesTheFingerprintsOfNewItems() async throws {
    try make(Migration.all.prefix(5)) { db in
      // The third was edited after it was added.
      try db.execute(
        """
        INSERT INTO owner (name, revision, item_count) VALUES ('local', 1, 3);
        INSERT INTO item
          (owner, id, title, description, due_date, place_name, address, latitude, longitude, source, granularity,
          created_at, updated_at, revision, fingerprint, added_as)
        VALUES
          (1, x'01900000000070000000000000000001', 'One', 'Text', 20000, 'Shop', NULL, 1.5, -2.5, NULL, NULL,
          1, 1, 1, 5, 5),
          (1, x'01900000000070000000000000000002', 'Two', NULL, NULL, NULL, 'Street', 1.5, 2.5, 'x', 'house',
          1, 1, 1, 6, 6),
          (1, x'01900000000070000000000000000003', 'Three', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
          1, 1, 1, 7, 8);
        """)
    }
    let store = try SQLiteToDoItemStore(path: path)
    let service = LocalToDoService(store: store)
    for var item in try await store.listing().items {
      if item.location?.provenance != nil { item.content.location = Location(address: item.location?.address) }
      await #expect(throws: ToDoError.duplicateItem(.sample(9), existing: item.id)) {
        try await service.addItem(NewItem(id: .sample(9), content: item.content))
      }
      let again = NewItem(id: item.id, content: item.content)
      if item.title == "Three" {
        await #expect(throws: ToDoError.itemIDConflict(item.id)) {
          try await service.addItem(again)
        }
      } else {
        #expect(try await service.addItem(again).id == item.id)
      }
    }
    await store.close()
  }

  @Test func migrate_fromVersion9_numbersItemsByCreation_withThoseThatTheHistoryContains() async throws {
    try make(Migration.all.prefix(9)) { db in
      // The item of 200 was deleted, and the item of 100 was edited.
      try db.execute(
        """
        INSERT INTO owner (name, revision, item_count) VALUES ('local', 5, 2), ('other', 1, 1), ('empty', 0, 0);
        INSERT INTO item (owner, id, title, created_at, updated_at, revision, fingerprint, cause)
        VALUES
          (1, x'01900000000070000000000000000001', 'Late', 300, 300, 3, x'', 0),
          (1, x'01900000000070000000000000000002', 'Early', 100, 400, 4, x'', 1),
          (2, x'01900000000070000000000000000001', 'Only', 900, 900, 1, x'', 0);
        INSERT INTO past_change (owner, revision, id, cause, title, created_at, updated_at)
        VALUES
          (1, 1, x'01900000000070000000000000000002', 0, 'First', 100, 100),
          (1, 2, x'01900000000070000000000000000003', 0, 'Deleted', 200, 200),
          (1, 5, x'01900000000070000000000000000003', NULL, NULL, NULL, 500);
        """)
    }
    let store = try SQLiteToDoItemStore(path: path)
    #expect(try await store.listing().items.map(\.number.value) == [1, 3])
    let puts = try await store.changes(after: 0).flatMap(\.changes).compactMap { change -> ToDoItem? in
      if case .put(let item, _) = change { item } else { nil }
    }
    #expect(puts.map(\.title) == ["First", "Deleted", "Late", "Early"])
    #expect(puts.map(\.number.value) == [1, 2, 3, 1])
    for (owner, next) in [("local", 4), ("other", 2), ("empty", 1), ("new", 1)] as [(String, Int64)] {
      #expect(try await store.write(OwnerID(owner)) { try $0.add(.sample(9)) }.number == ItemNumber(next))
    }
    await store.close()
  }

  @Test func fingerprintKey_whenStoreIsReopened_isUnchanged() async throws {
    let keys = try [path, directory.file("other.sqlite"), path].map { path in
      let file = DatabaseFile(path: path)
      let connection = try file.open()
      defer { try? connection.close() }
      return try FingerprintKey(connection)
    }
    #expect(keys[0] == keys[2])
    #expect(keys[0] != keys[1])
  }

  @Test func migrate_fromVersion1_computesTheByteCount() async throws {
    try makeVersion1()
    let former = try SQLiteConnection(path: path)
    let start = try #require(try former.number("SELECT unixepoch()"))
    try former.close()
    await (try SQLiteToDoItemStore(path: path)).close()
    let connection = try SQLiteConnection(path: path)
    let byteCount = try connection.number("SELECT byte_count FROM owner")
    // Two items with titles of three bytes, and a deleted ID.
    #expect(byteCount == 326)
    let isDatedNow = try connection.number(
      "SELECT deleted_at / 1000000 BETWEEN \(start) AND unixepoch() FROM deleted_item")
    #expect(isDatedNow == 1)
    try connection.close()
  }

  /// An owner with incomplete items at these points, titled with their numbers, and a last item without a place.
  private func makeVersion4(_ points: [Coordinate]) throws {
    try make(Migration.all.prefix(4)) { db in
      let points = points + [nil]
      try db.execute("INSERT INTO owner (name, revision, item_count) VALUES ('local', 1, \(points.count))")
      for (number, point) in points.enumerated() {
        try db.run(
          """
          INSERT INTO item
            (owner, id, title, created_at, updated_at, revision, fingerprint, added_as, latitude, longitude)
          VALUES (1, CAST(printf('%016d', ?1) AS BLOB), ?1, 1, 1, 1, 5, 5, ?2, ?3)
          """, [number, point?.latitude, point?.longitude])
      }
    }
  }

  private func makeVersion1() throws {
    try make(Migration.all.prefix(1)) { db in
      try db.execute(
        """
        INSERT INTO owner (name, revision) VALUES ('local', 9);
        INSERT INTO item (owner, id, title, created_at, updated_at, revision, fingerprint, added_as) VALUES
          (1, x'01900000000070000000000000000001', 'One', 1, 1, 3, 5, 5),
          (1, x'01900000000070000000000000000002', 'Two', 2, 2, 7, 6, 6);
        INSERT INTO deleted_item (owner, id, revision) VALUES (1, x'01900000000070000000000000000003', 9);
        """)
    }
  }

  private func make(_ migrations: ArraySlice<Migration>, _ fill: (SQLiteConnection) throws -> Void) throws {
    var file = DatabaseFile(path: path)
    file.migrations = Array(migrations)
    let connection = try file.open()
    try fill(connection)
    try connection.close()
  }
}
