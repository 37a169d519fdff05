#if HTTP
import NIOCore
import NIOEmbedded
import NIOHPACK
import Synchronization
import Testing
import ToDoRPC
import ToDoTestServers
import ToDoTestSupport

@testable import ToDoHTTPTransport
@testable import ToDoTransport

/// The requests that a proxy forwards.
@Suite(.timeLimited) struct ForwardedRequestTests {
  /// Returns the address and the Unix user of its call.
  private static let identify = ServerMethod.unary(TestMethods.name("Identify")) { _, _, call in
    .ready(OutgoingMessage(encoded: ByteBuffer(string: call.connection.peer.text)))
  }

  private static let reject = ServerMethod.unary(TestMethods.name("Reject")) { _, _, call in
    call.rejectedCredentials()
    throw RPCError(.unauthenticated, reason: "UNAUTHENTICATED", "invalid token")
  }

  private struct Identity: HTTPEndpoint {
    let path = "/identity"
    let methods: Set<String> = ["GET"]
    let maximumBodySize = 0

    func respond(to request: HTTPEndpointRequest) async -> HTTPEndpointResponse {
      let text = request.call.connection.peer.text
      return HTTPEndpointResponse(status: 200, contentType: "text/plain", body: ByteBuffer(string: text))
    }
  }

  private var limits: ServerLimits {
    var limits = ServerLimits()
    limits.maximumStrikes = 3
    let networks = ["127.0.0.1", "10.0.0.0/8"]
    limits.trustedProxies = TrustedProxies(networks: networks.compactMap(TrustedProxies.Network.init))
    return limits
  }

  private func connection(of peer: Peer) throws -> EmbeddedHTTPConnection {
    try EmbeddedHTTPConnection(to: [Self.identify, Self.reject], limits: limits, peer: peer)
  }

  private let proxy = Peer(address: .v4(0x7F00_0001), isProxy: true)

  private func client(_ connection: EmbeddedHTTPConnection, _ headers: [String]) throws -> String {
    connection.receive(.call("Identify", headers))
    let sent = try connection.sent()
    return String(sent[(sent.ranges(of: "\r\n\r\n").last?.upperBound ?? sent.startIndex)...])
  }

  @Test func request_ofTrustedProxy_isItsClients() throws {
    let connection = try connection(of: proxy)
    for (headers, peer) in [
      (["X-Forwarded-For: 203.0.113.9"], "203.0.113.9"),
      (["x-forwarded-for: 198.51.100.1, 203.0.113.9"], "203.0.113.9"),
      (["x-forwarded-for: 203.0.113.10", "x-forwarded-for: 10.0.0.2"], "203.0.113.10"), ([], "127.0.0.1"),
      (["x-forwarded-for: unknown"], "127.0.0.1"), (["forwarded: for=203.0.113.9"], "127.0.0.1"),
    ] {
      #expect(try client(connection, headers) == peer)
    }
  }

  @Test func request_ofAnybodyElse_isTheirOwn() throws {
    let connection = try connection(of: Peer(address: .v4(0xC000_0201)))
    #expect(try client(connection, ["x-forwarded-for: 203.0.113.9"]) == "192.0.2.1")
  }

  @Test func request_afterProxyHeader_isThatOfItsClient() throws {
    let connection = try connection(of: proxy)
    let client = Peer(address: .v4(0xC000_0201))
    connection.channel.pipeline.fireUserInboundEventTriggered(ProxiedConnectionEvent(peer: client))
    // The client of the connection is no proxy.
    #expect(try self.client(connection, ["x-forwarded-for: 203.0.113.9"]) == "192.0.2.1")
  }

  /// Also if the proxy does not say who its client is, or the client has made that unreadable.
  @Test(arguments: [
    (["x-forwarded-for: 203.0.113.9"], "203.0.113.9"), ([], ""), (["x-forwarded-for: unix:"], ""),
    (["x-forwarded-for: \u{600}, 127.0.0.1"], "127.0.0.1"), (["x-forwarded-for: \u{600}"], ""),
  ])
  func request_ofProxy_isNotThatOfItsUser(_ headers: [String], _ expected: String) throws {
    let identified = Peer(unixUser: 33, certificateSubject: "CN=proxy", isProxy: true)
    #expect(try client(connection(of: identified), headers) == expected)
  }

  /// A page that came over TLS has only the cookie that no other server can set. Who is no proxy, or no longer one after the header of
  /// the PROXY protocol, does not say how a request was sent.
  @Test(arguments: [
    (["x-forwarded-proto: https"], true, true), (["X-Forwarded-Proto: HTTPS"], true, true), ([], true, false),
    (["x-forwarded-proto: http"], true, false), (["x-forwarded-proto: https"], false, false),
    (["x-forwarded-proto: https", "x-forwarded-proto: https"], true, false),
    (["x-forwarded-proto: https, http"], true, false),
  ])
  func request_thatWasForwardedByTLS_isSecure(_ headers: [String], isOfProxy: Bool, isSecure: Bool) throws {
    let peer = isOfProxy ? proxy : Peer(address: .v4(0xC000_0201))
    for cookie in ["todo-session", "__Host-todo-session"] {
      let connection = try EmbeddedHTTPConnection(to: [Self.showing], limits: limits, peer: peer)
      connection.receive(.call("Show", headers + ["Sec-Fetch-Site: same-origin", "Cookie: \(cookie)=t"]))
      let hasSession = try connection.sent().hasSuffix("Bearer t")
      #expect(hasSession == (cookie.hasPrefix("__Host") || !isSecure), "\(cookie)")
    }
  }

  /// Answers with the credentials that the method sees.
  private static let showing = ServerMethod.unary(MethodName(service: "test.Texts", method: "Show")) { _, _, call in
    .ready(OutgoingMessage(encoded: ByteBuffer(string: call.metadata["authorization"] ?? "-")))
  }

  @Test func endpoint_ofTrustedProxy_seesItsClient() async throws {
    try await HTTPTestServer.with(TestMethods().table, limits: limits, endpoints: [Identity()]) { server async throws in
      let run = try CurlRun(["--header", "x-forwarded-for: 203.0.113.9", server.url("identity")])
      #expect(run.body == "203.0.113.9")
    }
  }

  @Test func connection_ofProxy_staysOpen_afterManyInvalidCredentials() throws {
    let shared = try connection(of: proxy)
    for number in 0..<10 {
      let headers = number.isMultiple(of: 2) ? ["x-forwarded-for: 203.0.113.9"] : []
      #expect(try shared.status(.call("Reject", headers)) == 401)
    }
    #expect(try client(shared, ["x-forwarded-for: 203.0.113.10"]) == "203.0.113.10")
    let own = try connection(of: Peer(address: .v4(0xC000_0201)))
    for _ in 0..<3 { _ = try own.status(.call("Reject")) }
    #expect(!own.isOpen)
  }

  @Test func calls_countByClient() throws {
    var limits = limits
    limits.maximumConnectionsPerAddress = 1
    let limiter = ConnectionLimiter(limits)
    func connect() throws -> EmbeddedHTTPConnection {
      try EmbeddedHTTPConnection(
        to: [Self.identify, .holding], limits: limits, endpoints: [Identity()], peer: proxy, limiter: limiter)
    }
    let (first, second) = (try connect(), try connect())
    let headers = ["Host: localhost", "x-forwarded-for: 203.0.113.9"]
    first.receive(.call("Hold", [headers[1]]))
    #expect(try second.status(.call("Identify", [headers[1]])) == 429)
    #expect(try second.status(.request("GET /identity HTTP/1.1", headers)) == 429)
    #expect(try client(second, ["x-forwarded-for: 203.0.113.10"]) == "203.0.113.10")
    #expect(try client(second, []) == "127.0.0.1")
    try first.channel.close().wait()
    // The call ends when its work has stopped.
    while try second.status(.call("Identify", [headers[1]])) == 429 {
      try Task.checkCancellation()
      first.channel.embeddedEventLoop.run()
    }
    #expect(try client(second, [headers[1]]) == "203.0.113.9")
  }

  /// A client that does not read stops its own calls only.
  @Test(arguments: ["application/proto", "application/grpc"])
  func responses_thatOneClientDoesNotRead_delayNoOthers(_ type: String) throws {
    var limits = limits
    limits.outputLimit = 100_000
    let large = ServerMethod.unary(TestMethods.name("Large")) { _, _, _ in
      .ready(OutgoingMessage(encoded: ByteBuffer(repeating: 0, count: 300_000)))
    }
    let connection = try EmbeddedHTTPConnection(to: [large, .saying], limits: limits, peer: proxy)
    let shared = EmbeddedHTTP2Client(connection)
    func openWindow(of stream: UInt8) {
      connection.receive(bytes: [0, 0, 4, 8, 0, 0, 0, 0, stream, 0x10, 0, 0, 0])
    }
    func call(_ method: String, _ client: String) throws -> EmbeddedHTTP2Client.Answer {
      try shared.call(
        type == "application/grpc" ? [0, 0, 0, 0, 0] : [], at: "/test.Texts/\(method)", type: type,
        headers: [("x-forwarded-for", client)])
    }
    openWindow(of: 0)
    #expect(try !call("Large", "203.0.113.9").hasEnded)
    #expect(try call("Say", "203.0.113.9").status == nil)
    #expect(try call("Say", "203.0.113.10").hasEnded)
    openWindow(of: 1)
    #expect(try shared.answer(on: 3).hasEnded)
  }

  /// Neither do many clients take more memory than eight times the limit.
  @Test func responses_thatManyClientsDoNotRead_delayAll() throws {
    var limits = limits
    limits.outputLimit = 100_000
    let large = ServerMethod.unary(TestMethods.name("Large")) { _, _, _ in
      .ready(OutgoingMessage(encoded: ByteBuffer(repeating: 0, count: 300_000)))
    }
    let connection = try EmbeddedHTTPConnection(to: [large, .saying], limits: limits, peer: proxy)
    let shared = EmbeddedHTTP2Client(connection)
    for number in 1...4 {
      let answer = try shared.call(at: "/test.Texts/Large", headers: [("x-forwarded-for", "203.0.113.\(number)")])
      #expect((answer.status == nil) == (number == 4))
    }
  }

  /// A client whose requests take too much memory loses its own calls only, and not the proxy's connection.
  @Test(arguments: [("application/proto", "429"), ("application/grpc", "200")])
  func requests_countByClient(_ type: String, _ status: String) throws {
    var limits = limits
    limits.maximumBufferedBytesPerAddress = 50_000
    let shared = EmbeddedHTTP2Client(
      try EmbeddedHTTPConnection(to: [.saying], limits: limits, peer: proxy, limiter: ConnectionLimiter(limits)))
    func send(_ count: Int, of client: String) throws -> UInt32 {
      let stream = try shared.open("/test.Texts/Say", type: type, headers: [("x-forwarded-for", client)])
      // A message that does not become complete.
      shared.send([0, 0, 1, 0, 0] + [UInt8](repeating: 0, count: count), on: stream, endStream: false)
      return stream
    }
    let (ann, eve) = ("203.0.113.9", "203.0.113.10")
    let first = [try send(16_000, of: eve), try send(16_000, of: eve), try send(16_000, of: eve)]
    #expect(try first.allSatisfy { try shared.answer(on: $0).status == nil })
    let refused = try shared.answer(on: send(16_000, of: eve))
    #expect(refused.status == status && refused.hasEnded)
    #expect(refused.headers["grpc-status"] == (type == "application/grpc" ? ["8"] : []))
    #expect(try shared.answer(on: send(16_000, of: ann)).status == nil)
    shared.reset(first[0])
    #expect(try shared.answer(on: send(16_000, of: eve)).status == nil)
  }

  /// A client that cancels too many calls has further ones refused for a while. The others keep theirs, as does the proxy its
  /// connection.
  @Test(arguments: [("application/proto", "429"), ("application/grpc", "200")])
  func cancels_countByClient(_ type: String, _ status: String) throws {
    let connection = try EmbeddedHTTPConnection(to: [.saying, .holding], limits: limits, peer: proxy)
    let shared = EmbeddedHTTP2Client(connection)
    func call(_ method: String, _ client: String) throws -> EmbeddedHTTP2Client.Answer {
      try shared.call(
        type == "application/grpc" ? [0, 0, 0, 0, 0] : [], at: "/test.Texts/\(method)", type: type,
        headers: [("x-forwarded-for", client)])
    }
    let (ann, eve) = ("203.0.113.9", "203.0.113.10")
    #expect(try !call("Hold", ann).hasEnded)
    let held = shared.lastStream
    for _ in 0...1000 {
      shared.reset(try shared.open("/test.Texts/Say", type: type, headers: [("x-forwarded-for", eve)]))
    }
    let refused = try call("Say", eve)
    #expect(refused.status == status && refused.hasEnded)
    #expect(refused.headers["grpc-status"] == (type == "application/grpc" ? ["8"] : []))
    let other = try call("Say", ann)
    #expect(other.status == "200" && other.headers["grpc-status"] != ["8"])
    let kept = try shared.answer(on: held)
    #expect(kept.reset == nil && !kept.hasEnded && connection.isOpen && shared.goAways == 0)
    connection.pass(.seconds(1))
    let later = try call("Say", eve)
    #expect(later.status == "200" && later.headers["grpc-status"] != ["8"])
  }

  /// Whoever has a connection to itself loses it, also if it came through a proxy that does not read HTTP.
  @Test(arguments: [true, false]) func cancels_ofOneClient_closeItsConnection(_ isForwarded: Bool) throws {
    let client = Peer(address: .v4(0xC000_0201))
    let connection = try connection(of: isForwarded ? proxy : client)
    if isForwarded { connection.channel.pipeline.fireUserInboundEventTriggered(ProxiedConnectionEvent(peer: client)) }
    let own = EmbeddedHTTP2Client(connection)
    for number in 0...1000 {
      #expect(connection.isOpen, "after \(number) canceled calls")
      own.reset(try own.open("/test.Texts/Identify"))
    }
    connection.channel.embeddedEventLoop.run()
    #expect(!connection.isOpen)
  }

  @Test func page_behindProxyOnUnixSocket_isThatOfABrowser() throws {
    let proxy = try connection(of: Peer(unixUser: 33, isProxy: true))
    #expect(try proxy.status(.request("GET /healthz HTTP/1.1", ["Host: evil.example"])) == 403)
    let program = try connection(of: Peer(unixUser: 33))
    #expect(try program.status(.request("GET /healthz HTTP/1.1", ["Host: any.example"])) == 404)
  }
}

extension Peer {
  fileprivate var text: String {
    [address?.description, unixUser.map { "user \($0)" }, certificateSubject].compactMap(\.self).joined(separator: " ")
  }
}
#endif
