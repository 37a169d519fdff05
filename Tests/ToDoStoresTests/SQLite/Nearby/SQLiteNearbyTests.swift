import Testing
import ToDoModel
import ToDoRules
import ToDoSQLite
import ToDoTestSupport

@testable import ToDoStores

/// Cases outside of the contract of all stores: many close items, and positions that end no listing.
@Suite(.unitTimeLimited) struct SQLiteNearbyTests {
  private let directory: TemporaryDirectory
  private let store: SQLiteToDoItemStore

  init() throws {
    directory = try TemporaryDirectory()
    store = try SQLiteToDoItemStore(path: directory.file("items.sqlite"))
  }

  @Test(arguments: [1, 31, 32, 33, 150]) func nearbyItems_whenManyItemsAreClose_pagesByDistanceThenID(_ limit: Int)
    async throws
  {
    var random = SeededGenerator(seed: UInt64(limit))
    // A third at one point, a third within two meters, a third in the town.
    let offsets = (0..<300).map { number in [0, 1e-5, 0.1][number % 3] }
    let items = try await add(
      offsets.map { offset in
        try #require(
          Coordinate(
            latitude: 59.33 + .random(in: 0...offset, using: &random),
            longitude: 18.07 + .random(in: 0...offset, using: &random)))
      })
    let center = try #require(Coordinate(latitude: 59.33, longitude: 18.07))
    var selection = NearbySelection(center: center, limit: limit)
    var found: [NearbyItem] = []
    while true {
      let listing = try await store.nearbyItems(selection, of: .local)
      found += listing.items
      guard listing.hasMore, let last = listing.items.last else { break }
      selection.after = NearbyPosition(distance: last.distance, id: last.item.id)
      if limit == 1, found.count == 120 { break }
    }
    let expected = items.map { NearbyItem(item: $0, distance: distance(of: $0, from: center)) }
      .sorted { ($0.distance, $0.item.id) < ($1.distance, $1.item.id) }
    #expect(found == Array(expected.prefix(limit == 1 ? 120 : 300)))
    await store.close()
  }

  @Test(arguments: [11.0, 1e6, 1e300, .infinity, .nan]) func nearbyItems_whenPositionIsBeyondTheRadius_isEmpty(
    _ after: Double
  ) async throws {
    let center = try #require(Coordinate(latitude: 1, longitude: 1))
    try await add([center])
    let position = NearbyPosition(distance: after, id: .sample(1))
    let selection = NearbySelection(center: center, radius: 5, after: position, limit: 1)
    #expect(try await store.nearbyItems(selection, of: .local) == NearbyListing(items: [], hasMore: false))
    await store.close()
  }

  @Test(arguments: [-0.5, -5.0, -1e300, -Double.infinity]) func nearbyItems_whenPositionIsBeforeTheCenter_listsAll(
    _ after: Double
  ) async throws {
    let center = try #require(Coordinate(latitude: 1, longitude: 1))
    let item = try #require(try await add([center]).first)
    let position = NearbyPosition(distance: after, id: ItemID(high: 0, low: 0))
    let selection = NearbySelection(center: center, radius: 5, after: position, limit: 1)
    let expected = NearbyListing(items: [NearbyItem(item: item, distance: 0)], hasMore: false)
    #expect(try await store.nearbyItems(selection, of: .local) == expected)
    await store.close()
  }

  @Test(arguments: ["created_at = 1 << 62", "latitude = 91", "source = 'x'"])
  func nearbyItems_whenItemIsDamaged_failsOnlyWhereItIsListed(_ damage: String) async throws {
    let points = try (0..<4).map { try #require(Coordinate(latitude: Double($0), longitude: 1)) }
    try await add(points)
    let connection = try SQLiteConnection(path: directory.file("items.sqlite"))
    try connection.execute("PRAGMA ignore_check_constraints = 1; UPDATE item SET \(damage) WHERE number = 2")
    try connection.close()
    var selection = NearbySelection(center: points[0], limit: 1)
    let first = try await store.nearbyItems(selection, of: .local)
    #expect(first.items.map(\.distance) == [0])
    #expect(first.hasMore)
    selection.limit = 2
    await #expect(throws: ToDoError.self) { try await store.nearbyItems(selection, of: .local) }
    selection.center = points[3]
    #expect(try await store.nearbyItems(selection, of: .local).items.count == 2)
    await store.close()
  }

  @discardableResult
  private func add(_ points: [Coordinate]) async throws -> [ToDoItem] {
    try await store.write(.local) { transaction in
      // IDs in another order than the rows.
      try points.enumerated().map { number, point in
        var item = ToDoItem.sample(UInt64(number * 7 % 300))
        item.content.location = Location(coordinate: point)
        return try transaction.add(item)
      }
    }
  }

  private func distance(of item: ToDoItem, from center: Coordinate) -> Double {
    item.location?.coordinate.map { center.distance(to: $0) } ?? .infinity
  }
}
