#if Nominatim
import NIOHTTP1
import ToDoTestHTTP
import ToDoTestSupport
import Testing
import ToDoModel
import ToDoRules

@testable import ToDoGeocoders

/// The geocoder with real sockets and a server that responds incorrectly, late or not at all.
@Suite(.timeLimited) struct NominatimFaultTests {
  private let clock = ManualClock()
  private let query = GeocodeQuery(address: "Barer Str. 27, München", limit: 3)

  @Test func candidates_sendSearchRequest() async throws {
    try await LocalHTTPServer.with { _, _ in
      .response(body: NominatimSamples.house)
    } _: { server in
      let candidates = try await withGeocoder("\(server.url)/maps") { try await $0.candidates(for: query) }
      #expect(candidates.map(\.granularity) == [.house])
      let request = try #require(server.requests.first)
      #expect(request.method == .GET)
      #expect(request.uri == "/maps/search?q=Barer%20Str.%2027%2C%20M%C3%BCnchen&format=jsonv2&limit=3")
      #expect(request.headers["User-Agent"] == ["todo/1.0 (me@example.org)"])
    }
  }

  @Test func candidates_whenResponseIsChunked_areParsed() async throws {
    let body = NominatimSamples.house
    let size = String(body.utf8.count, radix: 16)
    let response = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n\(size)\r\n\(body)\r\n0\r\n\r\n"
    try await LocalHTTPServer.with { _, _ in
      .raw(response)
    } _: { server async throws in
      #expect(try await candidates(from: server.url).count == 1)
    }
  }

  static let faults: [(LocalHTTPServer.Response, GeocoderError)] = [
    (.response(status: 401), .notPermitted),
    (.response(status: 403, body: NominatimSamples.webPage), .notPermitted),
    (.response(status: 429), .rateLimited(retryAfter: nil)),
    (.response(status: 429, headers: ["Retry-After: 7"]), .rateLimited(retryAfter: .seconds(7))),
    (.response(status: 503), .unavailable(detail: "the server returned HTTP status 503")),
    (.response(body: NominatimSamples.webPage), .malformedResponse(detail: "the response is HTML")),
    (.response(body: #"{"error":"Nothing to search for"}"#), notPlaces),
    (.response(status: 404), .malformedResponse(detail: "unexpected HTTP status 404")),
    (.response(body: String(repeating: " ", count: 20_000)), .malformedResponse(detail: "the response is too long")),
    (
      .raw("HTTP/1.1 200 OK\r\n\r\n" + String(repeating: " ", count: 20_000)),
      .malformedResponse(detail: "the response is too long")
    ),
    (.raw("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n[{"), closedEarly),
    (.raw("HTTP/1.1 200 OK\r\n\r\n[{"), notPlaces),
    (.raw(""), closedEarly),
    (.raw("HTTP/1.1 200"), closedEarly),
    (.raw("SSH-2.0-OpenSSH_9.2\r\n"), .malformedResponse(detail: "the response is not HTTP")),
    (
      .response(status: 302, headers: ["Location: http://localhost:1/search"]),
      .unavailable(detail: "the server redirects to another server, localhost")
    ),
    (
      .response(status: 302, headers: ["Location: /search"]),
      .unavailable(detail: "the server redirected more than 3 times")
    ),
  ]

  @Test(arguments: faults)
  func candidates_whenServerIsFaulty_throw(_ response: LocalHTTPServer.Response, _ error: GeocoderError) async throws {
    try await LocalHTTPServer.with { _, _ in
      response
    } _: { server in
      await #expect(throws: error) { try await candidates(from: server.url) }
    }
  }

  private static let closedEarly = GeocoderError.unavailable(
    detail: "the server closed the connection before the end of the response")
  private static let notPlaces = GeocoderError.malformedResponse(detail: "the response is not a JSON array of places")

  @Test func redirect_whenOnSameServer_isFollowed() async throws {
    try await LocalHTTPServer.with { request, _ in
      request.uri.hasPrefix("/new")
        ? .response(body: NominatimSamples.house) : .response(status: 301, headers: ["Location: /new\(request.uri)"])
    } _: { server async throws in
      #expect(try await candidates(from: server.url).count == 1)
      #expect(server.requests.count == 2)
    }
  }

  @Test func redirect_whenToAnotherServer_isNotFollowed() async throws {
    try await LocalHTTPServer.with { _, _ in
      .response(body: NominatimSamples.house)
    } _: { other in
      let location = "Location: \(other.url)/search"
      try await LocalHTTPServer.with { _, _ in
        .response(status: 307, headers: [location])
      } _: { server in
        await #expect(throws: GeocoderError.self) { try await candidates(from: server.url) }
      }
      #expect(other.requests.isEmpty)
    }
  }

  @Test(arguments: ["", "HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n[{"])
  func candidates_whenServerStalls_throwTimedOut(_ start: String) async throws {
    try await LocalHTTPServer.with { _, _ in
      .stall(after: start)
    } _: { server in
      try await withGeocoder(server.url) { geocoder in
        let task = Task { try await geocoder.candidates(for: query) }
        await server.waitForRequests()
        await clock.waitForSleepers()
        clock.advance(by: .seconds(10))
        await #expect(throws: GeocoderError.timedOut) { try await task.value }
      }
    }
  }

  @Test func candidates_whenCancelled_stopWaitingForServer() async throws {
    try await LocalHTTPServer.with { _, _ in
      .stall()
    } _: { server in
      try await withGeocoder(server.url) { geocoder in
        let task = Task { try await geocoder.candidates(for: query) }
        await server.waitForRequests()
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
      }
    }
  }

  @Test func candidates_whenConnectionIsRefused_throwUnavailable() async throws {
    let url = try await LocalHTTPServer.with { _, _ in
      .stall()
    } _: {
      $0.url
    }
    await #expect(throws: GeocoderError.unavailable(detail: "Connection refused")) { try await candidates(from: url) }
  }

  @Test func candidates_whenEveryAddressOfHostRefuses_throwUnavailable() async throws {
    let url = try await LocalHTTPServer.with { _, _ in
      .stall()
    } _: {
      $0.url
    }
    await #expect(throws: GeocoderError.unavailable(detail: "Connection refused")) {
      try await candidates(from: url.replacing("127.0.0.1", with: "localhost"))
    }
  }

  @Test func candidates_whenHostDoesNotExist_throwUnavailable() async throws {
    // A name with an empty label is invalid, so no name server is queried.
    let error = GeocoderError.unavailable(detail: "the host name host..invalid cannot be resolved")
    await #expect(throws: error) {
      try await candidates(from: "http://host..invalid")
    }
  }

  @Test func candidates_whenShutDown_throwUnavailable() async throws {
    try await LocalHTTPServer.with { _, _ in
      .response(body: NominatimSamples.house)
    } _: { server in
      try await withGeocoder(server.url) { geocoder in
        _ = try await geocoder.candidates(for: query)
        await geocoder.shutDown()
        await #expect(throws: GeocoderError.unavailable(detail: "the geocoder has been shut down")) {
          try await geocoder.candidates(for: query)
        }
      }
    }
  }

  private func candidates(from url: String) async throws -> [GeocodeCandidate] {
    try await withGeocoder(url) { try await $0.candidates(for: query) }
  }

  /// Calls `body` with a geocoder without a request interval, and with a limit of 10,000 bytes for responses.
  private func withGeocoder<Value>(_ url: String, _ body: (NominatimGeocoder) async throws -> Value) async throws
    -> Value
  {
    var configuration = NominatimConfiguration(
      url: try #require(NominatimURL(url)), product: "todo/1.0", contact: "me@example.org")
    configuration.requestInterval = .zero
    configuration.bodySizeLimit = 10_000
    let geocoder = NominatimGeocoder(configuration, clock: clock, wallClock: TestClock())
    let result: Result<Value, any Error>
    do { result = .success(try await body(geocoder)) } catch { result = .failure(error) }
    await geocoder.shutDown()
    return try result.get()
  }
}
#endif
