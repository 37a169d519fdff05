import Testing
import ToDoGeocoders
import ToDoModel
import ToDoTestSupport

@Suite(.unitTimeLimited) struct GazetteerGeocoderTests {
  let geocoder: GazetteerGeocoder

  init() throws {
    geocoder = try GazetteerGeocoder()
  }

  private func names(_ address: String, near bias: Coordinate? = nil, limit: Int = 5) async throws -> [String] {
    try await geocoder.candidates(for: GeocodeQuery(address: address, bias: bias, limit: limit)).map(\.displayName)
  }

  @Test func candidates_whenAddressIsTown_haveNameSourceAndAttribution() async throws {
    let munich = try #require(try await geocoder.candidates(for: GeocodeQuery(address: "München")).first)
    #expect(munich.displayName == "Munich, Bavaria, Germany")
    #expect(munich.granularity == .locality)
    #expect(munich.source == "gazetteer")
    #expect(munich.attribution == geocoder.attribution)
    #expect(geocoder.attribution.contains("GeoNames"))
  }

  @Test func candidates_whenAddressIsStreet_areItsTown() async throws {
    let candidates = try await geocoder.candidates(for: GeocodeQuery(address: "Barer Str. 27, München"))
    #expect(candidates.map(\.displayName) == ["Munich, Bavaria, Germany"])
    #expect(candidates.map(\.granularity) == [.locality])
  }

  @Test(arguments: [("Germany", Location.Granularity.country), ("Deutschland", .country), ("Bayern", .region)])
  func candidates_whenAddressIsArea_haveItsGranularity(address: String, granularity: Location.Granularity) async throws
  {
    let best = try #require(try await geocoder.candidates(for: GeocodeQuery(address: address)).first)
    #expect(best.granularity == granularity)
  }

  @Test func candidates_whenNameIsAmbiguous_areOrderedByPopulation() async throws {
    let names = try await names("Springfield, USA", limit: 3)
    #expect(
      names == [
        "Springfield, Missouri, United States", "Springfield, Massachusetts, United States",
        "Springfield, Illinois, United States",
      ])
  }

  @Test func candidates_whenBiasIsSet_areOrderedByDistance() async throws {
    let oregon = try #require(Coordinate(latitude: 44, longitude: -123))
    #expect(try await names("Springfield", near: oregon).first == "Springfield, Oregon, United States")
    let query = GeocodeQuery(address: "San Antonio", bias: oregon, limit: 50)
    let distances = try await geocoder.candidates(for: query).map { candidate in
      candidate.coordinate.distance(to: oregon)
    }
    #expect(distances.count > 10)
    #expect(distances == distances.sorted())
  }

  @Test(arguments: 1...4) func candidates_whenLimitIsLow_areTruncated(limit: Int) async throws {
    #expect(try await names("San Antonio", limit: limit).count == limit)
  }

  @Test func candidates_whenNamesAreEqual_haveDistinctDisplayNames() async throws {
    let names = try await names("San Antonio, Philippines", limit: 50)
    #expect(names.contains { $0.hasPrefix("San Antonio (near ") })
    #expect(names.count == Set(names).count)
  }

  @Test func candidates_whenAddressIsCityState_areOne() async throws {
    #expect(try await names("Singapore") == ["Singapore"])
  }

  @Test(arguments: ["", " ", ",,,", "\0", "🙃", "12345", "\u{202E}", "e\u{301}", "...", "ﷺ", "qwertzuiop"])
  func candidates_whenAddressIsUnknown_areEmpty(address: String) async throws {
    #expect(try await names(address) == [])
  }

  @Test(arguments: ["San ", "東", "a,", "🙃", ".", "New York, ", "st. ", "rue de "])
  func candidates_whenAddressIsLongest_areWithinLimit(piece: String) async throws {
    let address = String(repeating: piece, count: 1024 / piece.utf8.count)
    #expect(try await names(address).count <= 5)
  }

  @Test func candidates_whenCancelled_throws() async throws {
    let geocoder = geocoder
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await geocoder.candidates(for: GeocodeQuery(address: "Paris"))
    }
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  @Test(arguments: [
    "Munich", "munich", "München", "Köln", "Wien", "Deutschland", "Bayern", "Malaga", "Zurich", "Paris, TX", "Bath",
    "Barer Str. 27, München", "Schellingstr. 62 München", "80331 München", "10115 Berlin", "Springfield, USA", "東京",
    "Osteria Italiana, München", "Halle (Saale)", "New York", "Pasing, München",
  ])
  func candidates_whenTheAddressNamesThePlace_areNoGuesses(_ address: String) async throws {
    let candidates = try await geocoder.candidates(for: GeocodeQuery(address: address))
    #expect(!candidates.isEmpty && candidates.allSatisfy { !$0.isGuess })
  }

  @Test(arguments: [
    "Mumbai Central", "Zoo", "zzz", "Bank", "Mum", "Central Park", "1st Street", "Oma", "Hall 5", "Rue du 8 Mai",
  ])
  func candidates_whenAWordIsIgnoredOrTheNameIsAnAlias_areGuesses(_ address: String) async throws {
    let bias = Coordinate(latitude: 51.05, longitude: 13.74)
    for bias in [nil, bias] {
      #expect(
        try await geocoder.candidates(for: GeocodeQuery(address: address, bias: bias)).allSatisfy(\.isGuess))
    }
  }
}
