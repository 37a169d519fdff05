#if Nominatim
import Testing
import ToDoHTTP
import ToDoModel
import ToDoRules

@testable import ToDoGeocoders

@Suite struct NominatimResponseTests {
  private let now = Timestamp(microseconds: 0)

  private func parsed(_ response: HTTPClientResponse, from url: String = "http://example.org/n/search?q=a")
    -> NominatimResponse
  {
    NominatimResponse(response, to: url, at: now)
  }

  @Test(arguments: [
    (401, GeocoderError.notPermitted), (402, .notPermitted), (403, .notPermitted), (407, .notPermitted),
    (408, .timedOut), (429, .rateLimited(retryAfter: nil)),
    (500, .unavailable(detail: "the server returned HTTP status 500")),
    (599, .unavailable(detail: "the server returned HTTP status 599")),
    (204, .malformedResponse(detail: "unexpected HTTP status 204")),
    (304, .malformedResponse(detail: "unexpected HTTP status 304")),
    (404, .malformedResponse(detail: "unexpected HTTP status 404")),
  ])
  func init_whenStatusIsError_fails(_ status: Int, _ error: GeocoderError) {
    #expect(parsed(HTTPClientResponse(status: status)) == .failed(error, pause: nil))
  }

  @Test func retryAfter_whenStatusIs429Or503_isParsed() {
    #expect(
      parsed(HTTPClientResponse(status: 429, retryAfter: "7"))
        == .failed(.rateLimited(retryAfter: .seconds(7)), pause: .seconds(7)))
    #expect(
      parsed(HTTPClientResponse(status: 503, retryAfter: "7"))
        == .failed(.unavailable(detail: "the server returned HTTP status 503"), pause: .seconds(7)))
  }

  @Test(arguments: [
    ("/m/search?q=a", "http://example.org/m/search?q=a"), ("find?q=a", "http://example.org/n/find?q=a"),
    ("http://EXAMPLE.org:80/x", "http://EXAMPLE.org:80/x"), ("https://example.org/x", "https://example.org/x"),
  ])
  func redirect_whenOnSameServer_isFollowed(_ location: String, _ url: String) {
    for status in [301, 302, 303, 307, 308] {
      #expect(parsed(HTTPClientResponse(status: status, location: location)) == .redirected(to: url))
    }
  }

  @Test(arguments: [
    "http://example.com/x", "//example.com/x", "http://example.org.example.com/", "http://example.org:8080/x",
    "https://example.org:8443/x", "ftp://example.org/x", "http://me@example.org/x", "file:///etc/passwd",
    "mailto:a@b.c",
  ])
  func redirect_whenToAnotherServer_isRejected(_ location: String) {
    guard case .failed(.unavailable, nil) = parsed(HTTPClientResponse(status: 302, location: location)) else {
      Issue.record("\(location) was not rejected")
      return
    }
  }

  @Test func redirect_whenFromHTTPSToHTTP_isRejected() {
    let response = HTTPClientResponse(status: 302, location: "http://example.org/x")
    guard case .failed = parsed(response, from: "https://example.org/search") else {
      Issue.record("the redirect was not rejected")
      return
    }
  }

  @Test func redirect_whenLocationIsMissing_isMalformed() {
    #expect(
      parsed(HTTPClientResponse(status: 302))
        == .failed(.malformedResponse(detail: "the redirect has no valid location"), pause: nil))
  }
}
#endif
