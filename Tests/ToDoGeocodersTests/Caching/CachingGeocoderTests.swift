import Testing
import ToDoModel
import ToDoRules
import ToDoTestSupport

@testable import ToDoGeocoders

@Suite(.unitTimeLimited) struct CachingGeocoderTests {
  private let mock = MockGeocoder()
  private let clock = TestClock()
  private let storage = SQLiteCacheStorage()
  private let geocoder: CachingGeocoder
  private let query = GeocodeQuery(address: .alteAddress)

  init() {
    geocoder = CachingGeocoder(wrapping: mock, scope: "mock", storage: storage, clock: clock)
  }

  private func candidates(for address: String, near bias: Coordinate? = nil, limit: Int = 5) async throws
    -> [GeocodeCandidate]
  {
    try await geocoder.candidates(for: GeocodeQuery(address: address, bias: bias, limit: limit))
  }

  @Test(arguments: GeocoderContract.rules)
  func candidates_satisfyContract(_ rule: ContractRule<GeocoderContract.Subject>) async throws {
    let simulated = SimulatedGeocoder(clock: ManualClock())
    try await rule.check(
      GeocoderContract.Subject(
        CachingGeocoder(wrapping: simulated, scope: "simulated", storage: SQLiteCacheStorage()),
        knownAddress: "Main Street 1",
        unknownAddress: "Nowhere", ambiguousAddress: "Springfield", sources: ["simulated"],
        stopResponding: { simulated.setBehavior(.slow) }))
  }

  @Test func candidates_whenFound_areCachedFor90DaysWithSourceAndAttribution() async throws {
    var candidate = GeocodeCandidate.alte
    candidate.attribution = "Example Maps"
    mock.setAnswers([candidate], for: .alteAddress)
    #expect(try await candidates(for: .alteAddress) == [candidate])
    clock.advance(by: .seconds(90 * 86_400 - 1))
    #expect(try await candidates(for: .alteAddress) == [candidate])
    #expect(mock.queries.count == 1)
    clock.advance(by: .seconds(1))
    #expect(try await candidates(for: .alteAddress) == [candidate])
    #expect(mock.queries.count == 2)
    #expect(geocoder.attribution == mock.attribution)
  }

  @Test func observer_receivesHitsAndMisses() async throws {
    let observer = RecordingObserver()
    let geocoder = CachingGeocoder(
      wrapping: mock, scope: "mock", storage: storage, clock: clock, observer: observer)
    for _ in 0..<2 { _ = try await geocoder.candidates(for: query) }
    clock.advance(by: .seconds(90 * 86_400))
    mock.fail(with: .timedOut)
    await #expect(throws: GeocoderError.timedOut) { try await geocoder.candidates(for: query) }
    #expect(observer.lookups == [false, true, false])
  }

  @Test func candidates_whenNotFound_areCachedForOneDay() async throws {
    #expect(try await candidates(for: "Nowhere") == [])
    clock.advance(by: .seconds(86_400 - 1))
    #expect(try await candidates(for: "Nowhere") == [])
    #expect(mock.queries.count == 1)
    clock.advance(by: .seconds(1))
    mock.setAnswers([.alte], for: "Nowhere")
    #expect(try await candidates(for: "Nowhere") == [.alte])
  }

  @Test func candidates_whenLookupFailed_areNotCached() async throws {
    mock.fail(with: .timedOut)
    await #expect(throws: GeocoderError.timedOut) { try await candidates(for: .alteAddress) }
    mock.fail(with: nil)
    #expect(try await candidates(for: .alteAddress) == [.alte])
    #expect(mock.queries.count == 2)
  }

  @Test func candidates_whenCachedResultIsFromFuture_areQueriedAgain() async throws {
    _ = try await candidates(for: .alteAddress)
    clock.advance(by: .seconds(-1))
    _ = try await candidates(for: .alteAddress)
    #expect(mock.queries.count == 2)
  }

  @Test func candidates_whenWhiteSpaceOrBiasDiffersSlightly_areCached() async throws {
    let bias = try #require(Coordinate(latitude: 48.1372, longitude: 11.5755))
    let near = try #require(Coordinate(latitude: 48.1374, longitude: 11.5757))
    let far = try #require(Coordinate(latitude: 48.2, longitude: 11.5755))
    _ = try await candidates(for: .alteAddress, near: bias)
    _ = try await candidates(for: " Barer  Str. 27,\nMünchen ", near: near)
    #expect(mock.queries.count == 1)
    _ = try await candidates(for: .alteAddress, near: far)
    _ = try await candidates(for: .alteAddress)
    #expect(mock.queries.count == 3)
  }

  @Test func candidates_whenCachedResultSufficesForLimit_areCached() async throws {
    mock.setAnswers(Array(repeating: .alte, count: 3), for: "Three")
    _ = try await candidates(for: "Three", limit: 2)
    #expect(try await candidates(for: "Three", limit: 1).count == 1)
    #expect(mock.queries.count == 1)
    #expect(try await candidates(for: "Three", limit: 5).count == 3)
    #expect(mock.queries.count == 2)
    #expect(try await candidates(for: "Three", limit: 50).count == 3)
    #expect(try await candidates(for: "Three", limit: 2).count == 2)
    #expect(mock.queries.count == 2)
  }

  @Test func candidates_whenScopeDiffers_areQueriedAgain() async throws {
    _ = try await candidates(for: .alteAddress)
    let other = CachingGeocoder(wrapping: mock, scope: "other", storage: storage, clock: clock)
    _ = try await other.candidates(for: query)
    #expect(mock.queries.count == 2)
  }

  @Test func candidates_whenCalledConcurrently_areQueriedOnce() async throws {
    mock.hold()
    let tasks = (0..<20).map { _ in Task { try await geocoder.candidates(for: query) } }
    await mock.waitForQueries()
    mock.release()
    for task in tasks { #expect(try await task.value == [.alte]) }
    #expect(mock.queries.count == 1)
  }

  @Test func candidates_whenSharedLookupFails_throwForEveryCaller() async throws {
    mock.hold()
    mock.fail(with: .notPermitted)
    let tasks = (0..<5).map { _ in Task { try await geocoder.candidates(for: query) } }
    await mock.waitForQueries()
    mock.release()
    for task in tasks { await #expect(throws: GeocoderError.notPermitted) { try await task.value } }
  }
}
