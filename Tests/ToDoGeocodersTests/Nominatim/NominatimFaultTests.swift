import NIOHTTP1
import TestSupport
import Testing
import ToDoModel

@testable import ToDoGeocoders

/// The geocoder against a server that does what servers do.
@Suite(.timeLimit(.minutes(15))) struct NominatimFaultTests {
  private let clock = ManualClock()
  private let query = GeocodeQuery(address: "Barer Str. 27, München", limit: 3)

  @Test func aQuestion_isAskedAndAnswered() async throws {
    try await LocalHTTPServer.with { _, _ in
      .reply(body: NominatimSamples.house)
    } _: { server in
      let candidates = try await withGeocoder("\(server.url)/maps") { try await $0.candidates(for: query) }
      #expect(candidates.map(\.granularity) == [.house])
      let request = try #require(server.requests.first)
      #expect(request.method == .GET)
      #expect(request.uri == "/maps/search?q=Barer%20Str.%2027%2C%20M%C3%BCnchen&format=jsonv2&limit=3")
      #expect(request.headers["User-Agent"] == ["todo/1.0 (me@example.org)"])
    }
  }

  @Test func anAnswerInChunks_isRead() async throws {
    let body = NominatimSamples.house
    let size = String(body.utf8.count, radix: 16)
    let reply = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n\(size)\r\n\(body)\r\n0\r\n\r\n"
    try await LocalHTTPServer.with { _, _ in
      .raw(reply)
    } _: { server async throws in
      #expect(try await ask(server.url).count == 1)
    }
  }

  @Test(arguments: [
    (LocalHTTPServer.Answer.reply(status: 401), GeocoderError.notPermitted),
    (.reply(status: 403, body: NominatimSamples.webPage), .notPermitted),
    (.reply(status: 429), .rateLimited(retryAfter: nil)),
    (.reply(status: 429, headers: ["Retry-After: 7"]), .rateLimited(retryAfter: .seconds(7))),
    (.reply(status: 503), .unavailable(detail: "it answers with HTTP status 503")),
    (.reply(body: NominatimSamples.webPage), .malformedAnswer(detail: "it is a web page")),
    (.reply(body: #"{"error":"Nothing to search for"}"#), .malformedAnswer(detail: "it is not the JSON of a search")),
    (.reply(status: 404), .malformedAnswer(detail: "it has HTTP status 404")),
    (.reply(body: String(repeating: " ", count: 20_000)), .malformedAnswer(detail: "it is too long")),
    (
      .raw("HTTP/1.1 200 OK\r\n\r\n" + String(repeating: " ", count: 20_000)),
      .malformedAnswer(detail: "it is too long")
    ),
    (.raw("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n[{"), closedEarly),
    (.raw("HTTP/1.1 200 OK\r\n\r\n[{"), .malformedAnswer(detail: "it is not the JSON of a search")),
    (.raw(""), closedEarly),
    (.raw("HTTP/1.1 200"), closedEarly),
    (.raw("SSH-2.0-OpenSSH_9.2\r\n"), .malformedAnswer(detail: "it is not HTTP")),
    (
      .reply(status: 302, headers: ["Location: http://localhost:1/search"]),
      .unavailable(detail: "it redirects to another server, localhost, which is not asked")
    ),
    (.reply(status: 302, headers: ["Location: /search"]), .unavailable(detail: "it redirects more than 3 times")),
  ])
  func aFault_hasItsError(_ answer: LocalHTTPServer.Answer, _ error: GeocoderError) async throws {
    try await LocalHTTPServer.with { _, _ in
      answer
    } _: { server in
      await #expect(throws: error) { try await ask(server.url) }
    }
  }

  private static let closedEarly = GeocoderError.unavailable(
    detail: "the connection was closed before the end of the answer")

  @Test func aRedirectOnTheSameServer_isFollowed() async throws {
    try await LocalHTTPServer.with { request, _ in
      request.uri.hasPrefix("/new")
        ? .reply(body: NominatimSamples.house) : .reply(status: 301, headers: ["Location: /new\(request.uri)"])
    } _: { server async throws in
      #expect(try await ask(server.url).count == 1)
      #expect(server.requests.count == 2)
    }
  }

  @Test func aRedirectToAnotherServer_isNotAsked() async throws {
    try await LocalHTTPServer.with { _, _ in
      .reply(body: NominatimSamples.house)
    } _: { other in
      let location = "Location: \(other.url)/search"
      try await LocalHTTPServer.with { _, _ in
        .reply(status: 307, headers: [location])
      } _: { server in
        await #expect(throws: GeocoderError.self) { try await ask(server.url) }
      }
      #expect(other.requests.isEmpty)
    }
  }

  @Test(arguments: ["", "HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n[{"])
  func aServerThatStalls_isGivenUp(_ beginning: String) async throws {
    try await LocalHTTPServer.with { _, _ in
      .stall(after: beginning)
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

  @Test func aCallerWhoIsCancelled_doesNotWaitForTheServer() async throws {
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

  @Test func theFetcher_itselfTellsACancellation() async throws {
    let limits = AsyncHTTPFetcher.Limits(connectTimeout: .seconds(5), bodySize: 100)
    let fetcher = AsyncHTTPFetcher(userAgent: "todo/1.0", limits: limits)
    try await LocalHTTPServer.with { _, _ in
      .stall()
    } _: { server in
      let url = server.url
      let task = Task { try await fetcher.get(url) }
      await server.waitForRequests()
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
    }
    await fetcher.shutDown()
  }

  @Test func whereNobodyListens_itIsUnavailable() async throws {
    let url = try await LocalHTTPServer.with { _, _ in
      .stall()
    } _: {
      $0.url
    }
    await #expect(throws: GeocoderError.unavailable(detail: "Connection refused")) { try await ask(url) }
  }

  @Test func whereNobodyListens_atAnyAddressOfAName_itIsUnavailable() async throws {
    let url = try await LocalHTTPServer.with { _, _ in
      .stall()
    } _: {
      $0.url
    }
    await #expect(throws: GeocoderError.unavailable(detail: "Connection refused")) {
      try await ask(url.replacing("127.0.0.1", with: "localhost"))
    }
  }

  @Test func aHostThatThereIsNot_isUnavailable() async throws {
    // An empty label is no name, so that no name server is asked.
    await #expect(throws: GeocoderError.unavailable(detail: "there is no host host..invalid")) {
      try await ask("http://host..invalid")
    }
  }

  @Test func afterShutDown_itIsUnavailable() async throws {
    try await LocalHTTPServer.with { _, _ in
      .reply(body: NominatimSamples.house)
    } _: { server in
      try await withGeocoder(server.url) { geocoder in
        _ = try await geocoder.candidates(for: query)
        await geocoder.shutDown()
        await #expect(throws: GeocoderError.unavailable(detail: "it has been shut down")) {
          try await geocoder.candidates(for: query)
        }
      }
    }
  }

  private func ask(_ url: String) async throws -> [GeocodeCandidate] {
    try await withGeocoder(url) { try await $0.candidates(for: query) }
  }

  /// Without time between requests; what is longer than 10,000 bytes is too long.
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

  /// What happens when a program ends, or a geocoder is replaced, without an orderly shutdown.
  @Test func theFetcher_whenItIsDroppedAfterATimedOutRequest_endsNothing() async throws {
    try await LocalHTTPServer.with { _, _ in
      .stall()
    } _: { server in
      let url = server.url
      weak var released: AsyncHTTPFetcher?
      do {
        let limits = AsyncHTTPFetcher.Limits(connectTimeout: .seconds(5), bodySize: 100)
        let fetcher = AsyncHTTPFetcher(userAgent: "todo/1.0", limits: limits)
        released = fetcher
        let task = Task { [clock] in
          try await withDeadline(after: .seconds(10), clock: clock) { try await fetcher.get(url) }
        }
        await server.waitForRequests()
        await clock.waitForSleepers()
        clock.advance(by: .seconds(10))
        await #expect(throws: GeocoderError.timedOut) { try await task.value }
      }
      while released != nil { await Task.yield() }
    }
  }
}
