import TestSupport
import Testing
import ToDoModel

@testable import ToDoGeocoders

@Suite(.timeLimit(.minutes(15))) struct FallbackGeocoderTests {
  private let query = GeocodeQuery(address: .alteAddress)
  private let first = MockGeocoder()
  private let second = MockGeocoder()

  private func ask(_ geocoders: any Geocoder...) async throws -> [GeocodeCandidate] {
    try await FallbackGeocoder(geocoders).candidates(for: query)
  }

  @Test func theFirstThatAnswers_isTheOnlyOneAsked() async throws {
    #expect(try await ask(first, second) == [.alte])
    #expect(first.queries == [query])
    #expect(second.queries.isEmpty)
  }

  @Test func noMatch_goesOnToTheNext_andTheAnswerSaysWhoItIsFrom() async throws {
    var candidate = GeocodeCandidate.alte
    candidate.source = "second"
    #expect(try await ask(StubGeocoder([]), StubGeocoder([candidate])).map(\.source) == ["second"])
  }

  @Test(arguments: [
    GeocoderError.unavailable(detail: "down"), .notPermitted, .rateLimited(retryAfter: nil), .timedOut,
    .malformedAnswer(detail: "?"),
  ])
  func anError_goesOnToTheNext(_ error: GeocoderError) async throws {
    #expect(try await ask(StubGeocoder(failingWith: error), second) == [.alte])
    #expect(second.queries == [query])
  }

  @Test func whenNobodyKnowsTheAddress_thereIsNoMatch() async throws {
    #expect(try await ask(StubGeocoder([]), StubGeocoder([])) == [])
    #expect(try await ask() == [])
  }

  @Test func whenOneHasFailedAndTheOthersDoNotKnow_itIsTheError() async throws {
    await #expect(throws: GeocoderError.timedOut) {
      try await ask(StubGeocoder(failingWith: .timedOut), StubGeocoder([]))
    }
    await #expect(throws: GeocoderError.timedOut) {
      try await ask(StubGeocoder([]), StubGeocoder(failingWith: .timedOut))
    }
  }

  @Test func ofSeveralErrors_itIsTheMostTelling() async throws {
    let bySpecificity: [GeocoderError] = [
      .notPermitted, .malformedAnswer(detail: "?"), .rateLimited(retryAfter: .seconds(3)), .timedOut,
      .unavailable(detail: "down"),
    ]
    for (index, error) in bySpecificity.enumerated() {
      for other in bySpecificity[index...] {
        await #expect(throws: error) {
          try await ask(StubGeocoder(failingWith: error), StubGeocoder(failingWith: other))
        }
        await #expect(throws: error) {
          try await ask(StubGeocoder(failingWith: other), StubGeocoder(failingWith: error))
        }
      }
    }
  }

  @Test func ofEqualErrors_itIsTheFirst() async throws {
    await #expect(throws: GeocoderError.unavailable(detail: "1")) {
      try await ask(
        StubGeocoder(failingWith: .unavailable(detail: "1")), StubGeocoder(failingWith: .unavailable(detail: "2")))
    }
  }

  @Test func aCancelledCaller_isNotPassedOn() async throws {
    first.hold()
    let task = Task { try await ask(first, second) }
    await first.waitForQueries()
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(second.queries.isEmpty)
  }

  @Test func attribution_creditsEveryoneOnce() {
    let geocoder = FallbackGeocoder([
      StubGeocoder([], attribution: "A"), StubGeocoder([]), StubGeocoder([], attribution: "B"),
      StubGeocoder([], attribution: "A"),
    ])
    #expect(geocoder.attribution == "A; B")
  }

  @Test(arguments: GeocoderContract.rules)
  func keepsTheContract(_ rule: ContractRule<GeocoderContract.Subject>) async throws {
    let simulated = SimulatedGeocoder()
    let geocoder = FallbackGeocoder([StubGeocoder([]), simulated])
    try await rule.check(
      GeocoderContract.Subject(
        geocoder, knownAddress: "Main Street 1", unknownAddress: "Nowhere", ambiguousAddress: "Springfield",
        sources: ["simulated"],
        stopResponding: { simulated.setBehavior(.slow) }))
  }
}
