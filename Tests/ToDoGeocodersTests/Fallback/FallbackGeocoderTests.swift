import Testing
import ToDoModel
import ToDoRules
import ToDoTestSupport

@testable import ToDoGeocoders

@Suite(.unitTimeLimited) struct FallbackGeocoderTests {
  private let query = GeocodeQuery(address: .alteAddress)
  private let first = MockGeocoder()
  private let second = MockGeocoder()

  private func candidates(from geocoders: any Geocoder...) async throws -> [GeocodeCandidate] {
    try await FallbackGeocoder(geocoders).candidates(for: query)
  }

  @Test func candidates_whenFirstGeocoderHasSome_doNotQuerySecond() async throws {
    #expect(try await candidates(from: first, second) == [.alte])
    #expect(first.queries == [query])
    #expect(second.queries.isEmpty)
  }

  @Test func candidates_whenFirstGeocoderHasNone_comeFromSecond() async throws {
    var candidate = GeocodeCandidate.alte
    candidate.source = "second"
    #expect(try await candidates(from: StubGeocoder([]), StubGeocoder([candidate])).map(\.source) == ["second"])
  }

  @Test(arguments: [
    GeocoderError.unavailable(detail: "down"), .notPermitted, .rateLimited(retryAfter: nil), .timedOut,
    .malformedResponse(detail: "?"),
  ])
  func candidates_whenFirstGeocoderFails_comeFromSecond(_ error: GeocoderError) async throws {
    #expect(try await candidates(from: StubGeocoder(failingWith: error), second) == [.alte])
    #expect(second.queries == [query])
  }

  @Test func candidates_whenNoGeocoderHasAny_areEmpty() async throws {
    #expect(try await candidates(from: StubGeocoder([]), StubGeocoder([])) == [])
    #expect(try await FallbackGeocoder([]).candidates(for: query) == [])
  }

  @Test func candidates_whenOneGeocoderFailsAndOthersHaveNone_throwError() async throws {
    await #expect(throws: GeocoderError.timedOut) {
      try await candidates(from: StubGeocoder(failingWith: .timedOut), StubGeocoder([]))
    }
    await #expect(throws: GeocoderError.timedOut) {
      try await candidates(from: StubGeocoder([]), StubGeocoder(failingWith: .timedOut))
    }
  }

  @Test func candidates_whenSeveralGeocodersFail_throwMostSpecificError() async throws {
    let bySpecificity: [GeocoderError] = [
      .notPermitted, .malformedResponse(detail: "?"), .rateLimited(retryAfter: .seconds(3)), .timedOut,
      .unavailable(detail: "down"),
    ]
    for (index, error) in bySpecificity.enumerated() {
      for other in bySpecificity[index...] {
        await #expect(throws: error) {
          try await candidates(from: StubGeocoder(failingWith: error), StubGeocoder(failingWith: other))
        }
        await #expect(throws: error) {
          try await candidates(from: StubGeocoder(failingWith: other), StubGeocoder(failingWith: error))
        }
      }
    }
  }

  @Test func candidates_whenErrorsAreEquallySpecific_throwFirst() async throws {
    await #expect(throws: GeocoderError.unavailable(detail: "1")) {
      try await candidates(
        from:
          StubGeocoder(failingWith: .unavailable(detail: "1")), StubGeocoder(failingWith: .unavailable(detail: "2")))
    }
  }

  @Test func candidates_whenCancelled_doNotQuerySecond() async throws {
    first.hold()
    let task = Task { try await candidates(from: first, second) }
    await first.waitForQueries()
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(second.queries.isEmpty)
  }

  @Test func attribution_joinsDistinctAttributions() {
    let geocoder = FallbackGeocoder([
      StubGeocoder([], attribution: "A"), StubGeocoder([]), StubGeocoder([], attribution: "B"),
      StubGeocoder([], attribution: "A"),
    ])
    #expect(geocoder.attribution == "A; B")
  }

  @Test(arguments: GeocoderContract.rules)
  func candidates_satisfyContract(_ rule: ContractRule<GeocoderContract.Subject>) async throws {
    let simulated = SimulatedGeocoder(clock: ManualClock())
    let geocoder = FallbackGeocoder([StubGeocoder([]), simulated])
    try await rule.check(
      GeocoderContract.Subject(
        geocoder, knownAddress: "Main Street 1", unknownAddress: "Nowhere", ambiguousAddress: "Springfield",
        sources: ["simulated"],
        stopResponding: { simulated.setBehavior(.slow) }))
  }
}
