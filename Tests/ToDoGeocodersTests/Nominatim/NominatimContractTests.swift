#if Nominatim
import NIOHTTP1
import Synchronization
import ToDoTestHTTP
import ToDoTestSupport
import Testing
import ToDoRules

@testable import ToDoGeocoders

@Suite(.timeLimited) struct NominatimContractTests {
  @Test(arguments: GeocoderContract.rules)
  func candidates_satisfyContract(_ rule: ContractRule<GeocoderContract.Subject>) async throws {
    try await check(rule) { $0 }
  }

  @Test(arguments: GeocoderContract.rules)
  func candidates_whenCached_satisfyContract(_ rule: ContractRule<GeocoderContract.Subject>) async throws {
    try await check(rule) { CachingGeocoder(wrapping: $0, scope: "test", storage: SQLiteCacheStorage()) }
  }

  private func check(
    _ rule: ContractRule<GeocoderContract.Subject>, _ wrap: (NominatimGeocoder) -> any Geocoder
  ) async throws {
    let isStalled = Atomic(false)
    let respond: LocalHTTPServer.RequestHandler = { request, _ in
      if isStalled.load(ordering: .relaxed) { return .stall() }
      if request.uri.contains("Barer") { return .response(body: NominatimSamples.house) }
      // Gives all three places the same importance.
      let springfields = NominatimSamples.springfields.replacing(#""importance":0.5"#, with: #""importance":0.6"#)
      return .response(body: request.uri.contains("Springfield") ? springfields : "[]")
    }
    try await LocalHTTPServer.with(respond) { server in
      var configuration = NominatimConfiguration(url: try #require(NominatimURL(server.url)), product: "todo/1.0")
      configuration.requestInterval = .zero
      // High timeouts, so that only stalled requests can reach them on a busy machine.
      configuration.connectTimeout = .seconds(50)
      configuration.requestTimeout = .seconds(50)
      let geocoder = NominatimGeocoder(configuration)
      let subject = GeocoderContract.Subject(
        wrap(geocoder), knownAddress: "Barer Str. 27, München", unknownAddress: "Nowhere",
        ambiguousAddress: "Springfield",
        sources: ["nominatim"],
        stopResponding: { isStalled.store(true, ordering: .relaxed) })
      let result: Result<Void, any Error>
      do { result = .success(try await rule.check(subject)) } catch { result = .failure(error) }
      await geocoder.shutDown()
      try result.get()
    }
  }
}
#endif
