#if Nominatim
import NIOCore
import NIOHTTP1
import Testing

@testable import ToDoHTTP

@Suite struct HTTPErrorTests {
  @Test func init_whenConnectionTimesOut_isTimedOut() {
    #expect(HTTPError(mapping: ChannelError.connectTimeout(.seconds(5))) == .timedOut)
  }

  @Test func init_whenResponseIsInvalid_isMalformedUnlessConnectionClosed() {
    #expect(
      HTTPError(mapping: HTTPParserError.invalidStatus) == .malformedResponse(detail: "the response is not HTTP"))
    #expect(HTTPError(mapping: HTTPParserError.invalidEOFState) == .closedEarly)
  }

  @Test func init_whenErrorIsOther_isUnavailableWithDetail() {
    struct Odd: Error, CustomStringConvertible { let description = "how odd" }
    #expect(HTTPError(mapping: Odd()) == .unavailable(detail: "how odd"))
    let error = IOError(errnoCode: 104, reason: "read")
    #expect(HTTPError(mapping: error) == .unavailable(detail: "Connection reset by peer"))
  }
}

@Suite struct HTTPTargetTests {
  @Test(arguments: [
    ("http://host", "host", 80, false, "/"), ("https://host/search?q=a", "host", 443, true, "/search?q=a"),
    ("HTTP://Host:81?q=a", "Host", 81, false, "/?q=a"), ("http://[::1]:8080/a#b", "::1", 8080, false, "/a"),
  ])
  func init_whenURLIsAbsolute_divides(
    _ url: String, _ host: String, _ port: Int, _ isSecure: Bool, _ uri: String
  ) throws {
    let target = try #require(HTTPTarget(url))
    #expect((target.host, target.port, target.isSecure) == (host, port, isSecure))
    #expect(target.request(userAgent: "todo").uri == uri)
  }

  @Test func request_namesServerAsURLDoes() throws {
    let headers = try #require(HTTPTarget("http://[::1]:8080/a")).request(userAgent: "todo/1.0").headers
    #expect(headers["Host"] == ["[::1]:8080"])
    #expect(headers["User-Agent"] == ["todo/1.0"])
    #expect(headers["Connection"] == ["close"])
  }

  @Test(arguments: ["", "/search", "ftp://host/", "http://", "host:80", "http://host/a b", "http://host/\r\nX: y"])
  func init_whenURLIsOther_isNil(_ url: String) {
    #expect(HTTPTarget(url) == nil)
  }

  @Test func serverName_isHostNameOnly() throws {
    #expect(try #require(HTTPTarget("https://host/")).serverName == "host")
    #expect(try #require(HTTPTarget("https://127.0.0.1/")).serverName == nil)
    #expect(try #require(HTTPTarget("https://[::1]/")).serverName == nil)
  }
}
#endif
