#if PostgreSQL
import ToDoTestSupport
import Testing
import ToDoModel
import ToDoRules

@testable import ToDoPostgreSQLStore

struct PostgreSQLReaderNearbyTests {
  @Test func nearbyItems_ofAnySelection_areThoseOfAllItems() throws {
    let database = try ReadingDatabase()
    var random = SeededGenerator(seed: 23)
    let items = (0..<400 as Range<UInt64>).map { number in
      // A third is at one place, and a third around the antimeridian.
      let (latitude, longitude) =
        switch number % 3 {
        case 0: (1.0, 1.0)
        case 1: (Double.random(in: -1...1, using: &random), Bool.random(using: &random) ? 179.9 : -179.9)
        default: (Double.random(in: -90...90, using: &random), Double.random(in: -180...180, using: &random))
        }
      var item = ToDoItem.sample(number, completed: number % 50 == 7 ? 5 : nil)
      item.content.location = Location(coordinate: Coordinate(latitude: latitude, longitude: longitude))
      if number % 50 == 8 { item.deletion = ToDoItem.Deletion(deletedAt: .sample(), expiresAt: .sample(9)) }
      return item
    }
    for item in items { try database.write(item) }
    try database.write(items[0], of: OwnerID("other"))
    let reader = try database.reader()
    for _ in 0..<80 {
      let center = try #require(items.randomElement(using: &random)?.location?.coordinate)
      let radius = [1, 50_000, 1_000_000, Coordinate.maximumDistance].randomElement(using: &random)
      var selection = NearbySelection(
        center: center, radius: try #require(radius), limit: .random(in: 1...150, using: &random))
      for _ in 0..<3 {
        let listing = try reader.nearbyItems(selection, of: .local)
        #expect(listing == expected(selection, of: items))
        guard listing.hasMore, let last = listing.items.last else { break }
        selection.after = NearbyPosition(distance: last.distance, id: last.item.id)
      }
    }
    let all = NearbySelection(center: try #require(Coordinate(latitude: 0, longitude: 0)), limit: .max)
    #expect(try reader.nearbyItems(all, of: .local) == expected(all, of: items))
  }

  @Test func nearbyItems_ofListWithoutItems_areNone() throws {
    let center = try #require(Coordinate(latitude: 1, longitude: 1))
    let listing = try ReadingDatabase().reader().nearbyItems(NearbySelection(center: center, limit: 3), of: .local)
    #expect(listing == NearbyListing(items: [], hasMore: false))
  }

  private func expected(_ selection: NearbySelection, of items: [ToDoItem]) -> NearbyListing {
    let nearby = items.compactMap { item -> NearbyItem? in
      guard !item.isDone, item.deletion == nil, let place = item.location?.coordinate else { return nil }
      let nearby = NearbyItem(item: item, distance: selection.center.distance(to: place))
      return selection.includes(nearby.position) ? nearby : nil
    }
    let first = nearby.sorted { $0.position < $1.position }.prefix(selection.limit)
    return NearbyListing(items: Array(first), hasMore: nearby.count > first.count)
  }
}
#endif
