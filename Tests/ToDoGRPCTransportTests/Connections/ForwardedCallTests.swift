#if GRPC
import NIOCore
import Synchronization
import Testing
import ToDoModel
import ToDoProtocol
import ToDoRPC
import ToDoRules
import ToDoServer
import ToDoStores
import ToDoTestServers
import ToDoTestSupport
import ToDoTransport

/// The calls of several clients that a proxy sends over one connection.
@Suite(.timeLimited) struct ForwardedCallTests {
  private static let identify = ServerMethod.unary(TestMethods.name("Identify")) { _, _, call in
    .ready(TestMethods.message(call.connection.peer.address.map(\.description) ?? "none"))
  }

  private static let ann = ("x-forwarded-for", "203.0.113.9")
  private static let eve = ("x-forwarded-for", "203.0.113.10")

  private func limits(trusting network: String = "127.0.0.1") throws -> ServerLimits {
    var limits = ServerLimits.patient
    limits.maximumStrikes = 3
    limits.trustedProxies = TrustedProxies(networks: [try #require(TrustedProxies.Network(network))])
    return limits
  }

  private func client(_ client: HTTP2TestClient, _ headers: [(String, String)] = []) async throws -> String {
    let data = try await client.call("Identify", headers: headers).data
    return String(decoding: data.dropFirst(7), as: UTF8.self)
  }

  @Test func call_ofTrustedProxy_isItsClients() async throws {
    try await GRPCTestServer.with(MethodTable([Self.identify]), limits: try limits()) { server in
      try await HTTP2TestClient.with(server.endpoint) { proxy async throws in
        #expect(try await client(proxy, [Self.ann]) == "203.0.113.9")
        #expect(try await client(proxy, [Self.eve]) == "203.0.113.10")
        #expect(try await client(proxy) == "127.0.0.1")
      }
    }
  }

  @Test func call_ofAnybodyElse_isTheirOwn() async throws {
    try await GRPCTestServer.with(MethodTable([Self.identify]), limits: try limits(trusting: "192.0.2.1")) { server in
      try await HTTP2TestClient.with(server.endpoint) { other async throws in
        #expect(try await client(other, [Self.ann]) == "127.0.0.1")
      }
      try await HTTP2TestClient.with(
        server.endpoint, preface: try ProxyHeader.Sample(from: "203.0.113.9").bytes
      ) { other async throws in
        try await other.closed()
      }
    }
  }

  @Test func connection_withProxyHeader_isItsClients() async throws {
    try await GRPCTestServer.with(MethodTable([Self.identify]), limits: try limits()) { server in
      try await HTTP2TestClient.with(
        server.endpoint, preface: try ProxyHeader.Sample(from: "203.0.113.9").bytes
      ) { proxy async throws in
        #expect(try await client(proxy) == "203.0.113.9")
        #expect(try await client(proxy, [Self.eve]) == "203.0.113.9")
      }
    }
  }

  @Test func calls_countByClient() async throws {
    let methods = TestMethods()
    var limits = try limits()
    limits.maximumConnectionsPerAddress = 1
    try await GRPCTestServer.with(methods.table, limits: limits) { server in
      try await HTTP2TestClient.with(server.endpoint) { proxy async throws in
        let held = try await proxy.open()
        try await held.send(headers: HTTP2TestStream.headers("Hold", [Self.ann]))
        try await held.send(HTTP2TestStream.message("a"), endStream: true)
        try await methods.journal.wait(for: "started a")
        #expect(try await proxy.call("Say", headers: [Self.ann]).status == .resourceExhausted)
        #expect(try await proxy.call("Say", headers: [Self.eve]).status == .ok)
        methods.gate.open()
        #expect(try await held.answer.get().status == .ok)
        // The call ends when its work has stopped.
        while try await proxy.call("Say", headers: [Self.ann]).status == .resourceExhausted {}
        #expect(try await proxy.call("Say", headers: [Self.ann]).status == .ok)
      }
    }
  }

  // MARK: Neighbors

  private func withAccounts(
    streams: Int = 64, _ body: (HTTP2TestClient, _ token: String) async throws -> Void
  ) async throws {
    let accounts = MemoryAccountStore()
    try await accounts.addUser(.sample("ann"))
    let token = BearerToken()
    try await accounts.addToken(
      AccessToken(
        id: token.id, user: .sample("ann"), secretHash: token.secretHash, isReadOnly: false,
        createdAt: TestClock().now(), expiresAt: nil))
    let list = LocalToDoService(store: MemoryToDoItemStore(), clock: TestClock())
    let access = AccountAccess(accounts: accounts, policy: AccessPolicy(anonymousList: nil, unixUsers: [])) { _ in list
    }
    var limits = try limits()
    limits.requiresAuthentication = true
    limits.maximumStreamingCalls = streams
    let table = MethodTable(serving: access, health: HealthMonitor(services: [ToDoMethods.service]))
    try await GRPCTestServer.with(table, limits: limits) { server in
      try await HTTP2TestClient.with(server.endpoint) { try await body($0, "Bearer \(token)") }
    }
  }

  private func open(
    _ method: MethodName, _ headers: [(String, String)], _ client: HTTP2TestClient
  ) async throws -> HTTP2TestStream {
    let stream = try await client.open()
    try await stream.send(headers: HTTP2TestStream.headers(method.method, of: method.service, headers))
    return stream
  }

  @Test func watch_whenNeighborPresentsInvalidCredentials_continues() async throws {
    try await withAccounts { client, token async throws in
      // Eve comes first, so no valid token protects the connection yet.
      for _ in 0..<20 {
        let call = try await open(ToDoMethods.getServerInfo.name, [Self.eve, ("authorization", "Bearer x")], client)
        let status = try await call.answer.get().status
        #expect(status == .unauthenticated || status == .resourceExhausted)
      }
      let watch = try await open(ToDoMethods.watchItems.name, [Self.ann, ("authorization", token)], client)
      // With a snapshot, which is field 3.
      try await watch.send(HTTP2TestStream.prefix(2) + [0x1A, 0], endStream: true)
      let call = try await open(ToDoMethods.getServerInfo.name, [Self.ann, ("authorization", token)], client)
      try await call.send(HTTP2TestStream.prefix(0), endStream: true)
      #expect(try await call.answer.get().status == .ok)
      // Fails if the watch has ended.
      try await watch.cancel()
    }
  }

  @Test func streams_countByClient() async throws {
    try await withAccounts(streams: 0) { client, token async throws in
      let watch = try await open(ToDoMethods.watchItems.name, [Self.ann, ("authorization", token)], client)
      try await watch.send(HTTP2TestStream.prefix(2) + [0x1A, 0], endStream: true)
      let own = try await open(ToDoMethods.watchItems.name, [("authorization", token)], client)
      try await own.send(HTTP2TestStream.prefix(2) + [0x1A, 0], endStream: true)
      #expect(try await own.answer.get().status == .resourceExhausted)
      // Fails if the watch has ended.
      try await watch.cancel()
    }
  }

  // A message of a caller without credentials would take the memory of all clients of the connection.
  @Test func call_whenNeighborIsAuthenticated_isRejectedBeforeItsMessage() async throws {
    try await withAccounts { client, token async throws in
      let call = try await open(ToDoMethods.getServerInfo.name, [Self.ann, ("authorization", token)], client)
      try await call.send(HTTP2TestStream.prefix(0), endStream: true)
      #expect(try await call.answer.get().status == .ok)
      let other = try await open(ToDoMethods.addItem.name, [Self.eve], client)
      #expect(try await other.answer.get().status == .unauthenticated)
    }
  }
}
#endif
