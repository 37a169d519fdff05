#if Nominatim
import NIOHTTP1
import ToDoTestHTTP
import ToDoTestSupport
import Testing
import ToDoModel
import ToDoRules

@testable import ToDoGeocoders

/// The geocoder against a server that tries to exhaust it, or to send it elsewhere.
@Suite(.timeLimited) struct NominatimAttackTests {
  private let clock = ManualClock()
  private let query = GeocodeQuery(address: "Barer Str. 27, München", limit: 3)

  private static let ok = "HTTP/1.1 200 OK\r\n"
  private static let chunked = ok + "Transfer-Encoding: chunked\r\n\r\n"
  private static let filler = String(repeating: "x", count: 16_384)
  private static let notHTTP = GeocoderError.malformedResponse(detail: "the response is not HTTP")
  private static let overlong = GeocoderError.malformedResponse(detail: "the response is too long")

  /// What a server sends first, what it then repeats, and the error.
  private static let floods: [(String, String, GeocoderError)] = [
    (ok + "\r\n", filler, overlong),
    (ok + "Content-Length: 9223372036854775807\r\n\r\n", filler, overlong),
    (chunked, "4000\r\n\(filler)\r\n", overlong),
    (chunked, "1\r\nx\r\n", overlong),
    (chunked + "1;", filler, overlong),
    (chunked + "0\r\n", "X-Trailer: \(filler.prefix(100))\r\n", notHTTP),
    (ok, "X-Header: \(filler.prefix(100))\r\n", notHTTP),
    (ok, "a:\r\n", notHTTP),
    (ok + "X-Header: ", filler, notHTTP),
    (ok, filler, notHTTP),
    ("HTTP/1.1 200 ", filler, overlong),
    ("", "HTTP/1.1 100 Continue\r\n\r\n", overlong),
    ("", "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n", overlong),
    ("", "\r\n", overlong),
    ("HTTP/1.1 404 Not Found\r\n\r\n", filler, .malformedResponse(detail: "unexpected HTTP status 404")),
    (
      "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n", filler,
      .malformedResponse(detail: "unexpected HTTP status 101")
    ),
    (
      "HTTP/1.1 503 Busy\r\n\r\n", filler, .unavailable(detail: "the server returned HTTP status 503")
    ),
    (ok + "Content-Encoding: gzip\r\n\r\n\u{1F}", filler, overlong),
    ("HTTP/0.9 200 OK\r\n\r\n", filler, notHTTP),
  ]

  @Test(arguments: floods)
  func flood_endsWithError(_ start: String, _ part: String, _ error: GeocoderError) async throws {
    try await LocalHTTPServer.with { _, _ in
      .flood(after: start, part: part)
    } _: { server in
      try await withGeocoder(server.url) { geocoder in
        await #expect(throws: error) { try await geocoder.candidates(for: query) }
      }
    }
  }

  @Test(arguments: [
    "[" + String(repeating: "1,", count: 500_000) + "1]",
    "[" + String(repeating: "[],", count: 330_000) + "1]",
    "[" + String(repeating: "{},", count: 330_000) + "1]",
    "[" + String(repeating: #"{"lat":"1","lon":"2","display_name":"x"},"#, count: 25_000) + "1]",
    "[{" + String(repeating: #""lat":"1","#, count: 100_000) + #""lon":"2","display_name":"x"}]"#,
    "[{" + (0..<80_000).map { "\"\($0)\":1," }.joined() + #""lat":"1","lon":"2","display_name":"x"}]"#,
    #"[{"lat":""# + String(repeating: "1", count: 1_000_000) + #"","lon":"2","display_name":"x"}]"#,
    #"[{"lat":0."# + String(repeating: "1", count: 1_000_000) + #","lon":"2","display_name":"x"}]"#,
    #"[{"lat":1,"lon":"2","display_name":"a"# + String(repeating: "\u{301}", count: 500_000) + #""}]"#,
    #"[{"lat":1,"lon":"2","display_name":""# + String(repeating: "\\u001b", count: 170_000) + #""}]"#,
    #"[{"lat":1,"lon":"2","display_name":""# + String(repeating: "\u{1F1E9}", count: 250_000) + #""}]"#,
    String(repeating: "[", count: 1_000_000),
    String(repeating: #"[{"a":"#, count: 170_000),
  ])
  func body_isBounded(_ body: String) {
    let query = GeocodeQuery(address: "a", bias: Coordinate(latitude: 1, longitude: 1), limit: 40)
    let places = try? NominatimResponseBody.candidates(in: Array(body.utf8), for: query)
    for place in places ?? [] {
      #expect(place.displayName.utf8.count <= NominatimResponseBody.nameLimit)
      #expect(!place.displayName.unicodeScalars.contains { $0.isControl })
    }
  }

  /// Each invalid element throws an error, which takes much longer than parsing it.
  @Test(arguments: ["1", "[]", "{}"]) func elements_afterTheLimit_areNotRead(_ element: String) throws {
    let valid = #"{"lat":"1","lon":"2","display_name":"There"}"#
    func candidates(after count: Int) throws -> [GeocodeCandidate] {
      let body = "[" + String(repeating: element + ",", count: count) + valid + "]"
      return try NominatimResponseBody.candidates(in: Array(body.utf8), for: query)
    }
    let limit = NominatimResponseBody.elementLimit
    #expect(try candidates(after: limit - 1).map(\.displayName) == ["There"])
    #expect(throws: GeocoderError.self) { try candidates(after: limit) }
    #expect(throws: GeocoderError.self) { try candidates(after: 300_000) }
  }

  @Test(arguments: [
    "http://127.0.0.%31:1/", "http://[::ffff:127.0.0.1]/", "http://127.1/", "http://0x7f000001/", "//evil", "\\\\evil",
    "/\\evil",
    "http:evil", "http:/evil", "http:///evil", "javascript:alert(1)", "data:,x", "gopher://127.0.0.1/",
    "unix:///etc/passwd", "http://127.0.0.1@evil/",
    "http://evil#@127.0.0.1/", "http://evil\\@127.0.0.1/", "http://127.0.0.1.evil/", "?q=\u{1B}[31m",
    "http://" + String(repeating: "e", count: 60_000) + "/", "/\u{1B}]0;x\u{7}", "", " ", "#", "%00",
    "http://127.0.0.1:99999999/", "http://127.0.0.1:-1/", "http://127.0.0.1:/", "https://127.0.0.1/",
    "HTTP://127.0.0.1:0/",
  ])
  func redirects_leadNowhereElse(_ location: String) async throws {
    try await LocalHTTPServer.with { request, _ in
      request.uri.hasPrefix("/search?q=Barer")
        ? .response(status: 302, headers: ["Location: \(location)"]) : .response(status: 404)
    } _: { server in
      await #expect { try await candidates(from: server.url) } throws: { "\($0)".utf8.count < 400 }
      let authority = server.url.dropFirst("http://".count)
      #expect(server.requests.allSatisfy { $0.headers["Host"] == [String(authority)] })
    }
  }

  @Test(arguments: [
    "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n[]HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nevil!",
    "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n[]\r\n0\r\n\r\n",
    "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n[]]",
    "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n[]",
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nFFFFFFFFFFFFFFFFF\r\n[]",
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n2\r\n[]\r\n0\r\n\r\n",
    "HTTP/1.1 204 No\r\n\r\n[]", "HTTP/1.1 99999 No\r\n\r\n[]", "HTTP/1.1 000 No\r\n\r\n[]",
    "HTTP/9.9 200 OK\r\n\r\n[]", "HTTP/1.1 200 OK\nContent-Length: 2\n\n[]", "[]",
    "HTTP/1.1 429 x\r\nRetry-After: -1\r\n\r\n", "HTTP/1.1 429 x\r\nRetry-After: 99999999999999999999\r\n\r\n",
    "HTTP/1.1 429 x\r\nRetry-After: Sun, 06 Nov 9999 23:59:60 GMT\r\n\r\n",
    "HTTP/1.1 429 x\r\nRetry-After: Sun, +6 Nov 0001 00:00:00 GMT\r\n\r\n",
    "HTTP/1.1 429 x\r\nRetry-After: Sun, 06 Nov 99999999999999999999 00:00:00 GMT\r\n\r\n",
    "HTTP/1.1 429 x\r\nRetry-After: 5\r\nRetry-After: 900\r\n\r\n",
    "HTTP/1.1 304 x\r\n\r\n", "HTTP/1.1 302 x\r\n\r\n",
    "HTTP/1.1 200 OK\r\nUpgrade: h2c\r\nConnection: upgrade\r\n\r\n[]", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    "GET / HTTP/1.1\r\n\r\n",
  ])
  func response_whenOdd_hasNoCandidates(_ text: String) async throws {
    try await LocalHTTPServer.with { _, _ in
      .raw(text)
    } _: { server in
      do { #expect(try await candidates(from: server.url) == []) } catch { #expect(error is GeocoderError) }
      #expect(server.requests.count == 1)
    }
  }

  private func candidates(from url: String) async throws -> [GeocodeCandidate] {
    try await withGeocoder(url) { try await $0.candidates(for: query) }
  }

  private func withGeocoder<Value>(_ url: String, _ body: (NominatimGeocoder) async throws -> Value) async throws
    -> Value
  {
    var configuration = NominatimConfiguration(url: try #require(NominatimURL(url)), product: "todo/1.0")
    configuration.requestInterval = .zero
    let geocoder = NominatimGeocoder(configuration, clock: clock, wallClock: TestClock())
    let result: Result<Value, any Error>
    do { result = .success(try await body(geocoder)) } catch { result = .failure(error) }
    await geocoder.shutDown()
    return try result.get()
  }
}
#endif
