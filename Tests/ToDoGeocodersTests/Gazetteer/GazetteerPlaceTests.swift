import Testing
import ToDoModel
import ToDoTestSupport

@testable import ToDoGeocoders

@Suite struct GazetteerPlaceTests {
  let geocoder: GazetteerGeocoder

  private static let all: [GazetteerRecord] =
    (try? GazetteerSource.embedded.withFile { file in (0..<file.placeCount).compactMap(file.record) }) ?? []

  init() throws {
    geocoder = try GazetteerGeocoder()
  }

  @Test func places_areOrderedByPopulation() throws {
    let center = try #require(Coordinate(latitude: 48.4, longitude: 11.2))
    let places = geocoder.places(near: center, within: 60, limit: 3)
    #expect(places.prefix(2).map(\.name) == ["Munich", "Augsburg"])
    #expect(places.map(\.population) == places.map(\.population).sorted(by: >))
    #expect(places.count == 3)
  }

  @Test func places_whenLimitOrRadiusIsInvalid_areEmpty() throws {
    let munich = try #require(Coordinate(latitude: 48.137, longitude: 11.575))
    #expect(geocoder.places(near: munich, within: 50, limit: 0) == [])
    #expect(geocoder.places(near: munich, within: -1, limit: 10) == [])
    #expect(geocoder.places(near: munich, within: .nan, limit: 10) == [])
  }

  @Test func places_whenRadiusIsInfinite_areAll() throws {
    let center = try #require(Coordinate(latitude: 0, longitude: 0))
    let count = try geocoder.source.withFile { $0.placeCount }
    #expect(geocoder.places(near: center, within: .infinity, limit: .max).count == count)
  }

  /// Compares with a full scan at random centers and at the edges: the poles, the antimeridian, the borders of cells.
  @Test(arguments: 0..<16) func places_matchFullScan(seed: Int) throws {
    var generator = SeededGenerator(seed: UInt64(seed))
    let latitude = [Double.random(in: -90...90, using: &generator), 89, -90, 52][seed % 4]
    let longitude = [Double.random(in: -180...180, using: &generator), 179.9, -180, 10][seed / 4 % 4]
    let center = try #require(Coordinate(latitude: latitude, longitude: longitude))
    let radius = Double.random(in: 1...3000, using: &generator) * 1000
    try geocoder.source.withFile { file in
      let expected = Self.all.filter { $0.coordinate.distance(to: center) <= radius }
      let found = file.places(near: center, radius: radius)
      #expect(found.map(\.name).sorted() == expected.map(\.name).sorted())
    }
  }
}
