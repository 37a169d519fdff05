import Foundation
import ToDoModel
import ToDoRules
import ToDoStores

/// Measures the cost of finding the nearest items, in lists of different lengths.
///
/// The items are spread over the Earth. The cost should grow with the number of items found, and hardly with the length of
/// the list.
enum NearBenchmark {
  private static let sizes = [1_000, 100_000, 1_000_000]
  private static let queries = 200

  /// - Parameter most: the maximum length of a list. Longer lists are skipped.
  static func run(in directory: String, upTo most: Int) async throws {
    var generator = SystemRandomNumberGenerator()
    for size in sizes where size <= most {
      let store = try SQLiteToDoItemStore(path: "\(directory)/near-\(size).sqlite")
      let service = LocalToDoService(store: store, itemLimit: size)
      try await fill(service, size, &generator)
      let nearest = try await time { NearbyQuery(center: .random(using: &generator), pageSize: 20) }.run(service)
      // A circle that contains about fifty items of any list.
      let radius = 2 * Coordinate.earthRadius * (50 / Double(size)).squareRoot()
      let around = try await time {
        NearbyQuery(center: .random(using: &generator), radius: radius, pageSize: 1_000)
      }.run(service)
      print(
        "near, of \(size) items: the 20 nearest \(nearest.text), all within \(Int(radius / 1000)) km \(around.text)")
      await store.close()
    }
  }

  private static func fill(
    _ service: LocalToDoService, _ size: Int, _ generator: inout SystemRandomNumberGenerator
  ) async throws {
    for batch in 0..<size / 500 {
      let items = (0..<500).map { number in
        NewItem(
          id: ItemID(high: UInt64(batch), low: UInt64(number)),
          content: ItemContent(
            title: "Item \(batch * 500 + number)", location: Location(coordinate: .random(using: &generator))))
      }
      _ = try await service.addItems(items, options: SaveOptions(allowsDuplicate: true))
    }
  }

  private struct Timing {
    let queries: [NearbyQuery]

    func run(_ service: LocalToDoService) async throws -> (median: Double, found: Double, text: String) {
      var (times, found): ([Double], Int) = ([], 0)
      for query in queries {
        let start = ContinuousClock.now
        found += try await service.nearbyItems(query).items.count
        times.append((ContinuousClock.now - start) / .microseconds(1))
      }
      let median = times.sorted()[times.count / 2]
      let mean = Double(found) / Double(queries.count)
      return (median, mean, "\(Int(median)) us for \(Int(mean)) found")
    }
  }

  private static func time(_ make: () -> NearbyQuery) -> Timing {
    Timing(queries: (0..<queries).map { _ in make() })
  }
}

extension Coordinate {
  /// A random point of the Earth, uniformly distributed.
  fileprivate static func random(using generator: inout some RandomNumberGenerator) -> Coordinate {
    let latitude = asin(Double.random(in: -1...1, using: &generator)) * 180 / .pi
    let longitude = Double.random(in: -180...180, using: &generator)
    guard let coordinate = Coordinate(latitude: latitude, longitude: longitude) else {
      preconditionFailure("the degrees are within their ranges")
    }
    return coordinate
  }
}
