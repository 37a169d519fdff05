#if Nominatim
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import Synchronization
import ToDoTestCertificates
import ToDoTestHTTP
import ToDoTestSupport
import Testing

@testable import ToDoHTTP

/// POST requests with real sockets, and the check of their destinations.
@Suite(.timeLimited) struct HTTPPostTests {
  private let all = HTTPDestinations(port: { _ in true }, address: { _ in true })

  private func client(_ authorities: String? = nil) -> NIOHTTPFetcher {
    NIOHTTPFetcher(
      userAgent: "todo/1.0", limits: .init(connectTimeout: .seconds(5), bodySize: 100),
      trustRoots: authorities.map { .file($0) } ?? .default)
  }

  private func request(_ url: String) -> HTTPClientRequest {
    HTTPClientRequest(
      url: url, headers: [.init("Title", "Milk"), .init("Authorization", "Bearer x")], body: Array("é".utf8))
  }

  @Test func post_sendsHeadersAndBody() async throws {
    try await LocalHTTPServer.with { _, _ in
      .response(body: "ok")
    } _: { server async throws in
      let response = try await client().post(request("\(server.url)/topic?a=b"), to: all)
      #expect(response == HTTPClientResponse(status: 200))
      let head = try #require(server.requests.first)
      #expect((head.method, head.uri) == (.POST, "/topic?a=b"))
      #expect(head.headers["Title"] == ["Milk"] && head.headers["Authorization"] == ["Bearer x"])
      #expect(head.headers["Content-Length"] == ["2"] && head.headers["User-Agent"] == ["todo/1.0"])
      #expect(server.bodies == [Array("é".utf8)])
    }
  }

  @Test func post_overTLS_namesHostOfURL() async throws {
    let directory = try TemporaryDirectory()
    let authority = try TestCertificates(in: directory.path)
    try await LocalHTTPServer.with(certificate: authority.server()) { _, _ in
      .response()
    } _: { server async throws in
      let url = server.url.replacing("127.0.0.1", with: "localhost")
      #expect(try await client(authority.authority).post(request(url), to: all).status == 200)
      #expect(server.requests.first?.headers["Host"].first?.hasPrefix("localhost:") == true)
    }
  }

  @Test(arguments: [301, 307]) func redirect_isNotFollowed(_ status: Int) async throws {
    try await LocalHTTPServer.with { _, server in
      .response(status: status, headers: ["Location: \(server.url)/other"])
    } _: { server async throws in
      #expect(try await client().post(request(server.url), to: all).status == status)
      #expect(server.requests.count == 1)
    }
  }

  @Test func body_isNotAwaited() async throws {
    try await LocalHTTPServer.with { _, _ in
      .flood(after: "HTTP/1.1 200 OK\r\n\r\n", part: "x")
    } _: { server async throws in
      #expect(try await client().post(request(server.url), to: all) == HTTPClientResponse(status: 200))
    }
  }

  /// The forms of the loopback address that a resolver understands, too.
  @Test(arguments: ["127.0.0.1", "localhost", "127.1", "2130706433", "0x7f000001"])
  func address_whenNotPermitted_isNotConnectedTo(_ host: String) async throws {
    let checked = Mutex<[SocketAddress]>([])
    let destinations = HTTPDestinations(port: { _ in true }) { address in
      checked.withLock { $0.append(address) }
      return false
    }
    try await LocalHTTPServer.with { _, _ in
      .response()
    } _: { server async throws in
      let url = server.url.replacing("127.0.0.1", with: host)
      await #expect(throws: HTTPError.refusedDestination) { try await client().post(request(url), to: destinations) }
      #expect(checked.withLock { $0.contains { $0.ipAddress == "127.0.0.1" } })
      #expect(server.requests.isEmpty)
    }
  }

  @Test func resolver_whenCancelled_looksNothingUp() async throws {
    let loop = MultiThreadedEventLoopGroup.singleton.next()
    let resolver = CheckedResolver(on: loop) { _ in true }
    resolver.cancelQueries()
    await #expect(throws: CancellationError.self) {
      try await resolver.initiateAAAAQuery(host: "127.0.0.1", port: 1).get()
    }
    await #expect(throws: CancellationError.self) {
      try await resolver.initiateAQuery(host: "127.0.0.1", port: 1).get()
    }
  }

  @Test func port_whenNotPermitted_isNotConnectedTo() async throws {
    let destinations = HTTPDestinations(port: { $0 != 25 }, address: { _ in true })
    await #expect(throws: HTTPError.refusedDestination) {
      try await client().post(request("http://127.0.0.1:25/"), to: destinations)
    }
  }

  @Test(arguments: ["http://127.0.0.1:1/secret", "http://host..invalid/secret", "ftp://a/secret", "http://a b/secret"])
  func error_doesNotContainPath(_ url: String) async throws {
    let error = await #expect(throws: HTTPError.self) { try await client().post(request(url), to: all) }
    #expect(try !"\(#require(error))".contains("secret"))
  }
}
#endif
