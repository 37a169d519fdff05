import Testing
import ToDoModel
import ToDoRules
import ToDoTestHTTP
import ToDoTestSupport

@testable import ToDoGeocoders

@Suite(.timeLimited) struct OpenGeocoderTests {
  private struct NoGazetteer: Error {}

  private func open(
    _ selection: String, cachePath: String? = nil, makeGazetteer: () throws -> any Geocoder = { throw NoGazetteer() }
  ) throws -> OpenGeocoder {
    let program = OpenGeocoder.Program(product: "todo/1.0", cachePath: cachePath)
    return try OpenGeocoder(GeocoderSelection(selection), program: program, makeGazetteer: makeGazetteer)
  }

  @Test func geocoder_whenSelectionIsNone_isNil() async throws {
    let open = try open("none")
    #expect(open.geocoder == nil)
    await open.shutDown()
  }

  @Test func makeGazetteer_whenNotSelected_isNotCalled() async throws {
    #expect(throws: NoGazetteer.self) { try open("gazetteer") }
    let mock = MockGeocoder()
    let geocoder = try #require(try open("gazetteer") { mock }.geocoder)
    #expect(try await geocoder.candidates(for: GeocodeQuery(address: .alteAddress)) == [.alte])
    #expect(try open("simulated").geocoder is SimulatedGeocoder)
  }

  #if Nominatim
  @Test func geocoder_whenSeveralAreSelected_triesThemInOrder() async throws {
    try await LocalHTTPServer.with { _, _ in
      .response(status: 503)
    } _: { server in
      let open = try open("nominatim:\(server.url),gazetteer") { MockGeocoder() }
      let geocoder = try #require(open.geocoder)
      #expect(try await geocoder.candidates(for: GeocodeQuery(address: .alteAddress)) == [.alte])
      #expect(server.requests.count == 1)
      await open.shutDown()
    }
  }

  @Test func decorate_wrapsEachGeocoderBelowTheCache() async throws {
    let (observer, server, gazetteer) = (RecordingObserver(), MockGeocoder(), MockGeocoder())
    var names: [String] = []
    let open = try OpenGeocoder(
      GeocoderSelection("nominatim:http://127.0.0.1:1,gazetteer,simulated"),
      program: OpenGeocoder.Program(product: "todo/1.0"), cacheObserver: observer,
      decorate: { geocoder, name in
        names.append(name)
        return name == "nominatim" ? server : geocoder
      }, makeGazetteer: { gazetteer })
    #expect(names == ["nominatim", "gazetteer", "simulated"])
    let geocoder = try #require(open.geocoder)
    for _ in 0..<2 { #expect(try await geocoder.candidates(for: GeocodeQuery(address: .alteAddress)) == [.alte]) }
    #expect(server.queries.count == 1)
    #expect(observer.lookups == [false, true])
    #expect(gazetteer.queries == [])
    await open.shutDown()
  }

  @Test func geocoder_whenCachePathIsSet_cachesResultsOfEachServer() async throws {
    let directory = try TemporaryDirectory()
    let path = directory.file("cache/geocodes")
    try await LocalHTTPServer.with { _, _ in
      .response(body: NominatimSamples.house)
    } _: { server in
      for _ in 0..<2 {
        let open = try open("nominatim:\(server.url)", cachePath: path)
        let geocoder = try #require(open.geocoder)
        #expect(try await geocoder.candidates(for: GeocodeQuery(address: "Barer Str. 27")).count == 1)
        await open.shutDown()
      }
      #expect(server.requests.count == 1)
      let other = try open("nominatim:\(server.url)/other", cachePath: path)
      _ = try await other.geocoder?.candidates(for: GeocodeQuery(address: "Barer Str. 27"))
      await other.shutDown()
      #expect(server.requests.count == 2)
    }
  }
  #endif
}
