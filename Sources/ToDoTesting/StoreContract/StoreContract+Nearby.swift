import Testing
import ToDoModel
import ToDoRules

extension StoreContract {
  static var nearbyRules: [Rule] {
    [
      Rule("a listing near any point within any radius equals a search of all items") { store async throws in
        var random = SeededGenerator(seed: 17)
        let items = (0..<300 as Range<UInt64>).map { number in
          let (latitude, longitude) = spreadPosition(number, &random)
          return ToDoItem.sample(number).placed(latitude, longitude)
        }
        let stored = try await store.add(items)
        for _ in 0..<60 {
          let center = try #require(items.randomElement(using: &random)?.location?.coordinate)
          let radius = [100, 50_000, 1_000_000, 9_000_000, Coordinate.maximumDistance].randomElement(using: &random)
          let selection = NearbySelection(
            center: center, radius: try #require(radius), limit: .random(in: 1...50, using: &random))
          let all = stored.bruteForce(selection)
          let listing = try await store.nearbyItems(selection, of: .local)
          #expect(listing.items == Array(all.prefix(selection.limit)))
          #expect(listing.hasMore == (all.count > selection.limit))
        }
      },
      Rule("pages near a point are consecutive") { store async throws in
        let items = (0..<40).map { ToDoItem.sample(UInt64($0)).placed(Double($0 % 8), Double($0 % 8)) }
        let stored = try await store.add(items)
        let center = try #require(Coordinate(latitude: 3, longitude: 3))
        var found: [NearbyItem] = []
        var selection = NearbySelection(center: center, limit: 7)
        while true {
          let listing = try await store.nearbyItems(selection, of: .local)
          found += listing.items
          guard listing.hasMore, let last = listing.items.last else { break }
          selection.after = NearbyPosition(distance: last.distance, id: last.item.id)
        }
        selection.after = nil
        #expect(found == stored.bruteForce(selection))
      },
      Rule("a listing near a point contains the owner's incomplete items at their current places") {
        store async throws in
        try await store.add(.sample(1).placed(1, 1), to: OwnerID("other"))
        try await store.add(.sample(2, completed: 5).placed(1, 1))
        let item = try await store.add(.sample(3).placed(1, 1))
        try await store.add(.sample(4))
        let center = try #require(Coordinate(latitude: 1, longitude: 1))
        func ids() async throws -> [ItemID] {
          try await store.nearbyItems(NearbySelection(center: center, radius: 10, limit: 9), of: .local).items.map(
            \.item.id)
        }
        #expect(try await ids() == [item.id])
        let moved = try await store.update(item.placed(2, 2))
        #expect(try await ids().isEmpty)
        let back = try await store.update(moved.placed(1, 1))
        #expect(try await ids() == [item.id])
        let done = try await store.update(back.completed(at: back.createdAt), .checked)
        #expect(try await ids().isEmpty)
        var incomplete = done
        incomplete.completedAt = nil
        try await store.update(incomplete, .unchecked)
        #expect(try await ids() == [item.id])
        var placeless = incomplete
        placeless.content.location = nil
        try await store.update(placeless)
        #expect(try await ids().isEmpty)
        try await store.update(incomplete)
        try await store.delete(item.id)
        #expect(try await ids().isEmpty)
      },
      Rule("a write that fails does not change the coordinate index") { store async throws in
        let item = try await store.add(.sample(1).placed(1, 1))
        await #expect(throws: CancellationError.self) {
          try await store.write(.local) { transaction -> Void in
            try transaction.replace(item.placed(2, 2))
            try transaction.add(.sample(2).placed(3, 3))
            throw CancellationError()
          }
        }
        let center = try #require(Coordinate(latitude: 1, longitude: 1))
        let listing = try await store.nearbyItems(NearbySelection(center: center, limit: 9), of: .local)
        #expect(listing.items == [NearbyItem(item: item, distance: 0)])
      },
      Rule("a listing near a point is empty for an owner without items") { store async throws in
        let center = try #require(Coordinate(latitude: 1, longitude: 1))
        let listing = try await store.nearbyItems(NearbySelection(center: center, limit: 1), of: .local)
        #expect(listing == NearbyListing(items: [], hasMore: false))
      },
    ]
  }
}

/// Returns a position at the antimeridian, at a pole, or anywhere.
private func spreadPosition(_ number: UInt64, _ random: inout SeededGenerator) -> (latitude: Double, longitude: Double)
{
  func between(_ range: ClosedRange<Double>) -> Double { .random(in: range, using: &random) }
  return switch number % 4 {
  case 0: (between(-1...1), between(179...180))
  case 1: (between(-1...1), between(-180...(-179)))
  case 2: (between(89...90), between(-180...180))
  default: (between(-90...90), between(-180...180))
  }
}

extension [ToDoItem] {
  /// The items of a selection without its limit.
  fileprivate func bruteForce(_ selection: NearbySelection) -> [NearbyItem] {
    compactMap { item in
      item.location?.coordinate.map { NearbyItem(item: item, distance: selection.center.distance(to: $0)) }
    }
    .filter { $0.distance <= selection.radius }
    .sorted { ($0.distance, $0.item.id) < ($1.distance, $1.item.id) }
  }
}

extension ToDoItem {
  fileprivate func placed(_ latitude: Double, _ longitude: Double) -> ToDoItem {
    var item = self
    item.content.location = Location(coordinate: Coordinate(latitude: latitude, longitude: longitude))
    return item
  }
}
