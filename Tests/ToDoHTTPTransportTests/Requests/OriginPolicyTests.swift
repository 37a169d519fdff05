#if HTTP
import NIOCore
import NIOEmbedded
import Testing
import ToDoRPC
import ToDoTestSupport
import ToDoTransport
import ToDoSupport

@testable import ToDoHTTPTransport

/// Web pages that call the server from a browser.
@Suite(.timeLimited) struct OriginPolicyTests {
  private let policy = OriginPolicy(origins: ["https://lists.example"], host: "server.example")

  private func connection(requiresCredentials: Bool = true) throws -> EmbeddedHTTPConnection {
    var limits = ServerLimits()
    limits.requiresAuthentication = requiresCredentials
    return try EmbeddedHTTPConnection(limits: limits, origins: policy)
  }

  private func request(_ host: String, _ headers: [String], method: String = "POST") -> String {
    .request(
      "\(method) /test.Texts/Say HTTP/1.1",
      ["Host: \(host)", "Content-Type: application/proto", "Content-Length: 0"] + headers)
  }

  @Test(arguments: [
    "https://evil.example", "null", "", "http://server.example:1", "https://server.example.evil.example",
    "https://lists.example.evil.example", "https://lists.example:1", "http://lists.example", "file://",
    "http://server.example:80 http://evil.example",
  ])
  func page_whenOfAnotherOrigin_is403(_ origin: String) throws {
    let sent = try connection().status(request("server.example:80", ["Origin: \(origin)"]))
    #expect(sent == 403)
    let preflight = ["Origin: \(origin)", "Access-Control-Request-Method: POST"]
    #expect(try connection().status(request("server.example:80", preflight, method: "OPTIONS")) == 403)
  }

  @Test(arguments: [("cross-site", 403), ("same-site", 403), ("same-origin", 200), ("none", 200)])
  func page_whenItsOriginIsNotNamed_isJudgedByItsSite(_ site: String, _ status: Int) throws {
    let sent = try connection().status(request("server.example:80", ["Sec-Fetch-Site: \(site)"]))
    #expect(sent == status)
    let permitted = ["Sec-Fetch-Site: \(site)", "Origin: https://lists.example"]
    #expect(try connection().status(request("server.example:80", permitted)) == 200)
  }

  @Test func page_whenOfTwoOrigins_is403() throws {
    let headers = ["Origin: https://lists.example", "Origin: https://lists.example"]
    #expect(try connection().status(request("a", headers)) == 403)
  }

  @Test(arguments: ["http://server.example:80", "HTTP://Server.Example:80"])
  func page_whenOfSameOrigin_isServed_withoutCORS(_ origin: String) throws {
    let connection = try connection()
    connection.receive(request("server.example:80", ["Origin: \(origin)"]))
    let sent = try connection.sent()
    #expect(sent.hasPrefix("HTTP/1.1 200") && !sent.contains("access-control-"))
  }

  @Test(arguments: [
    ("https://lists.example", "https://lists.example:443", true),
    ("https://lists.example:443", "https://lists.example", true),
    ("http://lists.example:80", "http://lists.example", true),
    ("http://lists.example", "http://lists.example:443", false),
    ("https://lists.example", "https://lists.example:80", false),
    ("https://lists.example:80", "https://lists.example", false),
  ])
  func page_whenItsPortIsTheDefault_isTheSame(_ permitted: String, _ origin: String, _ isPermitted: Bool) throws {
    let connection = try EmbeddedHTTPConnection(origins: OriginPolicy(origins: [permitted]))
    #expect(try connection.status(request("localhost", ["Origin: \(origin)"])) == (isPermitted ? 200 : 403))
  }

  @Test(arguments: [("server.example", "https://server.example:443"), ("server.example:443", "https://server.example")])
  func page_whenOfSameOriginWithDefaultPort_isServed(_ host: String, _ origin: String) throws {
    #expect(try connection().status(request(host, ["Origin: \(origin)"])) == 200)
  }

  @Test func page_whenPermitted_isServed_andMayReadResponse() throws {
    let connection = try connection()
    connection.receive(request("a", ["Origin: https://lists.example"]))
    let sent = try connection.sent()
    #expect(sent.hasPrefix("HTTP/1.1 200"))
    #expect(sent.contains("access-control-allow-origin: https://lists.example\r\nvary: Origin\r\n"))
    connection.receive(
      request("a", ["Origin: https://lists.example", "Access-Control-Request-Method: POST"], method: "OPTIONS"))
    let preflight = try connection.sent()
    #expect(preflight.hasPrefix("HTTP/1.1 204") && preflight.contains("access-control-allow-methods: GET, POST\r\n"))
    #expect(preflight.contains("authorization") && !preflight.contains("credentials"))
  }

  @Test(arguments: [
    ("evil.example", 403), ("evil.example:80", 403), ("localhost.evil.example", 403), ("127.0.0.1.evil.example", 403),
    ("localhost:80", 200), ("127.0.0.1:80", 200), ("192.168.0.2", 200), ("[::1]:80", 200), ("server.example", 200),
    ("LISTS.example", 200),
  ])
  func host_whenServerRequiresNoCredentials_isAddress_orPermitted(_ host: String, _ status: Int) throws {
    // A page of this host is of the same origin, if its name was given this machine's address.
    for origin in [[], ["Origin: http://\(host)"]] {
      #expect(try connection(requiresCredentials: false).status(request(host, origin)) == status)
    }
    #expect(try connection().status(request(host, [])) == 200)
  }
}
#endif
