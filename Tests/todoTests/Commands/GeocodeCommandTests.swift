import Testing
import ToDoModel
import ToDoRules
import ToDoSupport
import ToDoTestScreens
import ToDoTestSupport
import ToDoText

@testable import todo

@Suite(.unitTimeLimited) struct GeocodeCommandTests {
  let geocoder = MockGeocoder()
  let bench: TestBench

  init() {
    bench = TestBench(geocoder: geocoder)
  }

  private func stubParis() throws {
    let places = [(48.8566, 2.3522, "Paris, France"), (33.6609, -95.5555, "Paris, Texas, United States")]
    geocoder.setAnswers(
      try places.map { latitude, longitude, name in
        GeocodeCandidate(
          coordinate: try #require(Coordinate(latitude: latitude, longitude: longitude)), displayName: name,
          granularity: .locality, source: "mock")
      }, for: "Paris")
  }

  @Test func geocode_listsPlacesWithAttribution() async throws {
    try stubParis()
    #expect(
      await bench.run("geocode Paris")
        == .init(
          status: .success,
          output: """
            Paris, France                locality  48.8566,2.3522
            Paris, Texas, United States  locality  33.6609,-95.5555
            Places: The mock's places

            """,
          error: ""))
  }

  @Test func geocode_whenNearIsSet_printsDistances() async throws {
    try stubParis()
    let output = await bench.run("geocode Paris --near 48.8,2.3 --limit 1").output
    #expect(output == "Paris, France  locality  48.8566,2.3522  7.4 km\nPlaces: The mock's places\n")
    #expect(geocoder.queries.map(\.bias) == [Coordinate(latitude: 48.8, longitude: 2.3)])
  }

  @Test func geocode_whenCoordinate_findsNearestTown() async throws {
    let munich = GeocodeCandidate(
      coordinate: try #require(Coordinate(latitude: 48.137, longitude: 11.575)),
      displayName: "Munich, Bavaria, Germany",
      granularity: .locality, source: "mock")
    let other = GeocodeCandidate(
      coordinate: try #require(Coordinate(latitude: 46.7, longitude: -100)), displayName: "Munich, North Dakota",
      granularity: .locality, source: "mock")
    geocoder.setAnswers([other, munich], for: "Munich")
    bench.change { $0.placeLabels = FakePlaceLabels() }
    let run = await bench.run("geocode 48.1,11.5")
    #expect(run.output == "Munich, Bavaria, Germany  locality  48.137,11.575  6.9 km\nPlaces: The mock's places\n")
    #expect(geocoder.queries.map(\.bias) == [Coordinate(latitude: 48.1, longitude: 11.5)])
    let none = await bench.run("geocode 0,0")
    #expect(none == .init(status: .notFound, output: "", error: "No town is within 50 km of 0,0.\n"))
  }

  @Test func geocode_whenQuiet_printsCoordinates() async throws {
    try stubParis()
    #expect(await bench.run("geocode -q Paris").output == "48.8566,2.3522\n33.6609,-95.5555\n")
  }

  @Test func geocode_whenJSON_printsAllKeys() async throws {
    try stubParis()
    #expect(
      await bench.run("geocode Paris --limit 1 --json").output == """
        {
          "candidates": [
            {
              "name": "Paris, France",
              "latitude": 48.8566,
              "longitude": 2.3522,
              "granularity": "locality",
              "source": "mock",
              "distanceMeters": null
            }
          ],
          "attribution": "The mock's places"
        }

        """)
  }

  @Test func geocode_whenMatchIsAGuess_saysSo() async throws {
    var guess = GeocodeCandidate(
      coordinate: try #require(Coordinate(latitude: 51.4, longitude: 6.9)), displayName: "Mülheim, Germany",
      granularity: .locality, source: "mock")
    guess.isGuess = true
    geocoder.setAnswers([guess], for: "Zoo")
    let run = await bench.run("geocode Zoo")
    #expect(run.output == "Mülheim, Germany  locality  51.4,6.9\nPlaces: The mock's places\n")
    #expect(run.error == "'Zoo' is not the name of a place on the map; the closest match is not certain.\n")
    #expect(await bench.run("geocode Zoo --json").error == "")
  }

  @Test func geocode_whenNothingMatches_isNotFound() async {
    let run = await bench.run("geocode Atlantis")
    #expect(run.status == .notFound)
    #expect(run.error == "No place matches 'Atlantis'.\n")
    #expect(run.output == "")
  }

  @Test func geocode_whenGeocoderFails_printsReason() async {
    geocoder.fail(with: .timedOut)
    let run = await bench.run("geocode Paris")
    #expect(run.status == .unreachable)
    #expect(run.error == "Error: the geocoder is unavailable: it did not respond in time\n")
  }

  @Test func geocode_whenLimitIsInvalid_namesOption() async {
    let run = await bench.run("geocode Paris --limit 0")
    #expect(run.status == .usage)
    #expect(run.error == "Error: the request is not valid\n  --limit is 0; it must be at least 1\n")
  }

  @Test(arguments: [
    (0, "0 m"), (79.6, "80 m"), (999.4, "999 m"), (999.9, "1.0 km"), (1_249, "1.2 km"), (9_949, "9.9 km"),
    (9_951, "10 km"), (504_400, "504 km"), (20_015_115, "20015 km"),
  ])
  func distanceText_dependsOnMagnitude(_ meters: Double, _ text: String) {
    #expect(meters.distanceText == text)
  }
}
