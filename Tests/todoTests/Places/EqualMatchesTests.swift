import Testing
import ToDoModel
import ToDoText

@testable import todo

@Suite struct EqualMatchesTests {
  /// A candidate and the number of inhabitants of its town. Candidates are 1,000 km apart, unless `north`
  /// is set.
  private struct Place {
    var name: String
    var population = 0
    var granularity = Location.Granularity.locality
    var north: Double?
  }

  private func matches(_ address: String, _ places: [Place]) throws -> [String] {
    let candidates = try places.enumerated().map { index, place in
      GeocodeCandidate(
        coordinate: try #require(Coordinate(latitude: place.north ?? Double(index) * 9, longitude: 10)),
        displayName: place.name, granularity: place.granularity, source: "mock")
    }
    let populations = zip(candidates, places).map { ($0.coordinate, $1.population) }
    let equal = EqualMatches(address, candidates) { coordinate in
      populations.first { $0.0 == coordinate }?.1 ?? 0
    }
    return equal.candidates.map(\.displayName)
  }

  /// An address, its candidates with the numbers of inhabitants, and the number of equal matches.
  struct Example: Sendable {
    let address: String
    let places: [(name: String, population: Int)]
    let count: Int

    init(_ address: String, _ places: [(name: String, population: Int)], _ count: Int) {
      (self.address, self.places, self.count) = (address, places, count)
    }
  }

  static let examples: [Example] = [
    Example("Berlin", [("Berlin, Germany", 3_400_000), ("Berlín, El Salvador", 10_000), ("Berlin, Ohio", 35_000)], 1),
    Example("Springfield", [("Springfield, Missouri", 169_000), ("Springfield, Illinois", 114_000)], 2),
    Example("Springfield", [("Springfield, Missouri", 169_000), ("Springfield, Oregon", 62_000)], 1),
    Example("Neustadt", [("Baia Mare, Romania", 136_000), ("Neustadt, Hamburg, Germany", 12_700)], 2),
    Example("Roma", [("Rome, Lazio, Italy", 2_300_000), ("Roma, Texas", 11_000)], 1),
    Example("München", [("Munich, Bavaria, Germany", 1_500_000)], 1),
    Example("Marburg", [("Marburg an der Lahn, Germany", 78_000), ("Maribor, Slovenia", 95_000)], 1),
    Example("Hamlet", [("Hamlet, A", 0), ("Hamlet, B", 0)], 2),
    Example("Hauptstr. 1, Neustadt", [("Baia Mare, Romania", 136_000), ("Neustadt, Germany", 12_700)], 2),
    Example("nowhere", [], 0),
  ]

  @Test(arguments: examples)
  func towns_whenNamesAndSizesAreComparable_matchEqually(_ example: Example) throws {
    let places = example.places.map { Place(name: $0.name, population: $0.population) }
    #expect(try matches(example.address, places) == places.prefix(example.count).map(\.name))
  }

  @Test func candidates_whenGranularityDiffers_doNotMatchEqually() throws {
    let places = [Place(name: "Georgia", granularity: .country), Place(name: "Georgia, USA", granularity: .region)]
    #expect(try matches("Georgia", places) == ["Georgia"])
  }

  @Test(arguments: [Location.Granularity.house, .street, .region])
  func sizes_whenCandidatesAreNotTowns_areIgnored(_ granularity: Location.Granularity) throws {
    let places = [
      Place(name: "Markt 1, A", population: 100, granularity: granularity),
      Place(name: "Markt 1, B", granularity: granularity),
    ]
    #expect(try matches("Markt 1", places).count == 2)
  }

  @Test func candidates_whenNotFarApart_areOnePlace() throws {
    let places = [
      Place(name: "Markt, A", north: 50), Place(name: "Markt, B", north: 50.1), Place(name: "Markt, C", north: 50.3),
      Place(name: "Markt, D", north: 50.4),
    ]
    #expect(try matches("Markt", places) == ["Markt, A", "Markt, C"])
  }

  @Test(arguments: [
    (Location.Granularity.house, "exact address"), (.street, "middle of the street"), (.locality, "town center"),
    (.region, "middle of the region"), (.country, "middle of the country"),
  ])
  func words_nameThePrecision(_ granularity: Location.Granularity, _ words: String) {
    #expect(granularity.words == words)
  }
}
