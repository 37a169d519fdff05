import NIOCore
import NIOEmbedded
import Testing
import ToDoRPC
import ToDoTestServers
import ToDoTestSupport

@testable import ToDoTransport

/// The connections that proxies open, trusted or not.
@Suite(.timeLimited) struct ProxiedConnectionTests {
  /// Returns the peer of its call as text.
  private static let identify = ServerMethod.unary(TestMethods.name("Identify")) { _, _, call in
    let peer = call.connection.peer
    return .ready(TestMethods.message(peer.address.map(\.description) ?? peer.unixUser.map { "user \($0)" } ?? "none"))
  }

  private func withServer(
    trusting networks: [String] = ["127.0.0.1"], unixSockets: Bool = false,
    at endpoint: Endpoint = .tcp(host: "127.0.0.1", port: 0), _ change: (inout ServerLimits) -> Void = { _ in },
    _ body: (TestServer) async throws -> Void
  ) async throws {
    var limits = ServerLimits.patient
    limits.trustedProxies = TrustedProxies(
      networks: try networks.map { try #require(TrustedProxies.Network($0)) }, includesUnixSockets: unixSockets)
    change(&limits)
    try await TestServer.with(MethodTable([Self.identify]), configuration: limits, at: endpoint, body)
  }

  private func client(of client: RawClient, after header: [UInt8] = []) async throws -> String {
    try await client.write(header + RawFrame.request(1, "Identify").bytes)
    let frame = try await client.frame()
    return try #require(try frame.text)
  }

  @Test(arguments: [("203.0.113.9", "203.0.113.9"), ("2001:db8::9", "2001:db8:0:0::/64")])
  func connection_ofTrustedProxy_isItsClients(_ address: String, _ peer: String) async throws {
    try await withServer { server async throws in
      try await RawClient.with(server.endpoint) { raw async throws in
        #expect(try await client(of: raw, after: ProxyHeader.Sample(from: address).bytes) == peer)
      }
    }
  }

  @Test func connection_ofTrustedProxy_withoutClient_isTheProxys() async throws {
    var check = ProxyHeader.Sample()
    check.command = 0x20
    try await withServer { server async throws in
      for header in [[], check.bytes] {
        try await RawClient.with(server.endpoint) { raw async throws in
          #expect(try await client(of: raw, after: header) == "127.0.0.1")
        }
      }
    }
  }

  @Test func header_inSmallParts_isRead() async throws {
    try await withServer { server async throws in
      try await RawClient.with(server.endpoint) { raw async throws in
        for byte in try ProxyHeader.Sample(from: "203.0.113.9").bytes { try await raw.write([byte]) }
        #expect(try await client(of: raw) == "203.0.113.9")
      }
    }
  }

  @Test func header_ofAnybodyElse_hasNoEffect() async throws {
    try await withServer(trusting: ["192.0.2.1"]) { server async throws in
      try await RawClient.with(server.endpoint) { raw async throws in
        try await raw.write(ProxyHeader.Sample(from: "203.0.113.9").bytes + RawFrame.request(1, "Identify").bytes)
        // The header is a frame that is too long, and not ttrpc's.
        let frames = try await raw.framesUntilClosed()
        #expect(try frames.allSatisfy { try $0.text?.contains("203") != true })
      }
    }
  }

  @Test func header_whenMalformed_closesConnection() async throws {
    var header = try ProxyHeader.Sample(from: "203.0.113.9")
    header.command = 0x31
    let bytes = header.bytes
    try await withServer { server async throws in
      try await RawClient.with(server.endpoint) { raw async throws in
        try await raw.write(bytes + RawFrame.request(1, "Identify").bytes)
        #expect(try await raw.framesUntilClosed() == [])
      }
    }
  }

  @Test func connections_countByClient() async throws {
    try await withServer {
      $0.maximumConnectionsPerAddress = 1
    } _: { server async throws in
      let header = try ProxyHeader.Sample(from: "203.0.113.9").bytes
      let first = try await RawClient.connect(to: server.endpoint)
      #expect(try await client(of: first, after: header) == "203.0.113.9")
      let second = try await RawClient.connect(to: server.endpoint)
      try await second.write(header)
      #expect(try await second.framesUntilClosed() == [])
      // Others, and the proxy itself, are not affected.
      for (address, peer) in [("203.0.113.10", "203.0.113.10"), (nil, "127.0.0.1"), (nil, "127.0.0.1")] {
        let other = try await RawClient.connect(to: server.endpoint)
        let header = try address.map { try ProxyHeader.Sample(from: $0).bytes } ?? []
        #expect(try await client(of: other, after: header) == peer)
        if address != nil { await other.close() }
      }
      await first.close()
    }
  }

  @Test func unixSocket_whenTrusted_isItsClients() async throws {
    try await withTemporaryDirectory { directory in
      try await withServer(trusting: [], unixSockets: true, at: .unix(path: "\(directory)/s")) { server async throws in
        var unknown = ProxyHeader.Sample()
        unknown.family = 0
        let headers = [try ProxyHeader.Sample(from: "203.0.113.9").bytes, unknown.bytes, []]
        for (header, peer) in zip(headers, ["203.0.113.9", "none", "user \(Peer.ownUnixUser)"]) {
          try await RawClient.with(server.endpoint) { raw async throws in
            #expect(try await client(of: raw, after: header) == peer)
          }
        }
      }
    }
  }

  @Test func header_whenSlow_closesConnection() throws {
    let channel = EmbeddedChannel()
    var limits = ServerLimits()
    limits.trustedProxies.includesUnixSockets = true
    try limits.readProxyHeader(channel, Peer(isProxy: true), ConnectionLimiter(limits))
    try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
    try channel.writeInbound(ByteBuffer(bytes: ProxyHeader.signature))
    channel.embeddedEventLoop.advanceTime(by: .seconds(9))
    #expect(channel.isActive)
    channel.embeddedEventLoop.advanceTime(by: .seconds(1))
    #expect(!channel.isActive)
  }

  @Test func handler_afterHeader_isRemoved() throws {
    let channel = EmbeddedChannel()
    let limits = ServerLimits()
    try limits.readProxyHeader(channel, Peer(isProxy: true), ConnectionLimiter(limits))
    try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
    try channel.writeInbound(ByteBuffer(bytes: ProxyHeader.Sample(from: "203.0.113.9").bytes + [1, 2]))
    #expect(try channel.readInbound(as: ByteBuffer.self) == ByteBuffer(bytes: [1, 2]))
    channel.embeddedEventLoop.advanceTime(by: .seconds(60))
    #expect(channel.isActive)
    #expect(throws: ChannelPipelineError.notFound) {
      try channel.pipeline.syncOperations.handler(type: ProxyHeaderHandler.self)
    }
    // A second header would be the client's own.
    let second = ByteBuffer(bytes: try ProxyHeader.Sample(from: "203.0.113.10").bytes)
    try channel.writeInbound(second)
    #expect(try channel.readInbound(as: ByteBuffer.self) == second)
  }
}
