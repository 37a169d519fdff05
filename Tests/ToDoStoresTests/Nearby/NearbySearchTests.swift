import Testing
import ToDoModel
import ToDoRules
import ToDoTestSupport

@testable import ToDoStores

/// Searches of rows in an array, with chunks of several sizes.
struct NearbySearchTests {
  @Test(arguments: [1, 16, 1_000])
  func listing_ofAnySelection_equalsASearchOfAllItems(chunkSize: Int) throws {
    var random = SeededGenerator(seed: UInt64(chunkSize))
    let items = (0..<400 as Range<UInt64>).map { number in
      // Many items are at few places.
      let (latitude, longitude) = (Double(number % 20), Double.random(in: -180...180, using: &random).rounded())
      return item(number, latitude, number % 3 == 0 ? longitude : 7)
    }
    let source = ArraySource(items, chunkSize: chunkSize)
    for _ in 0..<40 {
      let center = try #require(items.randomElement(using: &random)?.location?.coordinate)
      let radii = [0, 100, 1_000_000, Coordinate.maximumDistance] as [Double]
      let radius = radii.randomElement(using: &random) ?? 0
      var selection = NearbySelection(center: center, radius: radius, limit: .random(in: 1...50, using: &random))
      let all = nearest(items, selection)
      let first = try NearbySearch(selection).listing(from: source)
      #expect(first.items == Array(all.prefix(selection.limit)))
      #expect(first.hasMore == (all.count > selection.limit))
      guard let last = first.items.last else { continue }
      selection.after = NearbyPosition(distance: last.distance, id: last.item.id)
      let second = try NearbySearch(selection).listing(from: source)
      #expect(second.items == Array(all.dropFirst(selection.limit).prefix(selection.limit)))
    }
  }

  @Test func listing_whenItemHasNoPlace_namesIt() throws {
    let source = ArraySource([item(1, 5, 5)], chunkSize: 1) { _ in ToDoItem.sample(2) }
    let selection = NearbySelection(center: try #require(Coordinate(latitude: 5, longitude: 5)), limit: 1)
    #expect(
      throws: ToDoError.storeUnavailable(detail: "the stored item \(ItemID.sample(2)) has no valid place")
    ) { try NearbySearch(selection).listing(from: source) }
  }

  private func item(_ number: UInt64, _ latitude: Double, _ longitude: Double) -> ToDoItem {
    var item = ToDoItem.sample(number)
    item.content.location = Location(coordinate: Coordinate(latitude: latitude, longitude: longitude))
    return item
  }

  private func nearest(_ items: [ToDoItem], _ selection: NearbySelection) -> [NearbyItem] {
    items.compactMap { item -> NearbyItem? in
      guard let place = item.location?.coordinate else { return nil }
      let nearby = NearbyItem(item: item, distance: selection.center.distance(to: place))
      return selection.includes(nearby.position) ? nearby : nil
    }.sorted { $0.position < $1.position }
  }
}

/// Items in the order of their codes, whose keys are their indices.
private struct ArraySource: NearbySource {
  private let rows: [(code: MortonCode, item: ToDoItem)]
  private let read: (ToDoItem) -> ToDoItem
  let chunkSize: Int

  init(_ items: [ToDoItem], chunkSize: Int, read: @escaping (ToDoItem) -> ToDoItem = { $0 }) {
    let rows = items.compactMap { item in item.location?.coordinate.map { (code: MortonCode($0), item: item) } }
    self.rows = rows.sorted { $0.code.number < $1.code.number }
    self.chunkSize = chunkSize
    self.read = read
  }

  func codes(around center: MortonCode, count: Int) -> [MortonCode] {
    let (before, after) = (
      rows.filter { $0.code.number < center.number }, rows.filter { $0.code.number >= center.number }
    )
    return (before.suffix(count) + after.prefix(count)).map(\.code)
  }

  func forEachPlace(in ranges: [ClosedRange<Int64>], _ body: (MortonCode, NearbyKey) -> Void) {
    for (index, row) in rows.enumerated() where ranges.contains(where: { $0.contains(row.code.number) }) {
      body(row.code, NearbyKey(low: UInt64(index)))
    }
  }

  func items(_ keys: [NearbyKey]) -> [FoundItem] { keys.map { ($0, .success(read(rows[Int($0.low)].item))) } }
}
