import NIOCore
import TTRPC
import TTRPCTransport
import TestSupport
import Testing

/// How many connections there are, and how much is kept for them, on real sockets.
@Suite(.timeLimit(.minutes(1))) struct ConnectionLimitTests {
  private let methods = TestMethods()

  private func withServer(
    at endpoint: Endpoint = .tcp(host: "127.0.0.1", port: 0), _ change: (inout ServerConfiguration) -> Void,
    _ body: (TestServer) async throws -> Void
  ) async throws {
    var configuration = ServerConfiguration()
    change(&configuration)
    try await TestServer.with(methods.table, configuration: configuration, at: endpoint, body)
  }

  private func isServed(_ client: RawClient, _ id: UInt32 = 1) async throws -> Bool {
    do { return try await client.answer(to: .request(id, "Say", "here")).text == "here" } catch { return false }
  }

  /// Connects until it is served: another connection is closed a little after its client has closed it.
  private func expectServiceSoon(_ server: TestServer) async throws {
    while true {
      try Task.checkCancellation()
      let client = try await RawClient.connect(to: server.endpoint)
      let isServed = try await isServed(client)
      await client.close()
      if isServed { return }
    }
  }

  // MARK: Number

  @Test(arguments: [true, false])
  func oneConnectionTooMany_isClosed_untilAnotherIs(isOfOneAddress: Bool) async throws {
    try await withServer {
      if isOfOneAddress { $0.maximumConnectionsPerAddress = 3 } else { $0.maximumConnections = 3 }
    } _: { server async throws in
      var clients: [RawClient] = []
      for _ in 0..<3 {
        clients.append(try await RawClient.connect(to: server.endpoint))
        #expect(try await isServed(clients[clients.count - 1]))
      }
      let refused = try await RawClient.connect(to: server.endpoint)
      #expect(try await refused.framesUntilClosed() == [])
      for client in clients { #expect(try await isServed(client, 3)) }
      await clients[0].close()
      try await expectServiceSoon(server)
      for client in clients { await client.close() }
    }
  }

  @Test func connectionsOfUnixSockets_areNotCountedByAddress() async throws {
    try await withTemporaryDirectory { directory in
      try await withServer(at: .unix(path: "\(directory)/s")) {
        $0.maximumConnectionsPerAddress = 1
      } _: { server async throws in
        try await RawClient.with(server.endpoint) { first async throws in
          #expect(try await isServed(first))
          try await RawClient.with(server.endpoint) { second async throws in #expect(try await isServed(second)) }
        }
      }
    }
  }

  @Test(arguments: [
    ("192.0.2.1", "192.0.2.1", true), ("192.0.2.1", "192.0.2.2", false), ("192.0.2.1", "::ffff:192.0.2.1", true),
    ("2001:db8::1", "2001:db8::ffff:2", true), ("2001:db8::1", "2001:db8:0:1::1", false), ("::1", "127.0.0.1", false),
  ])
  func addressesOfOnePeer_countAsOne(_ first: String, _ second: String, _ isSame: Bool) throws {
    let addresses = try [first, second].map { NetworkAddress(try SocketAddress(ipAddress: $0, port: 1)) }
    #expect((addresses[0] == addresses[1]) == isSame)
    #expect(addresses[0] != nil)
  }

  // MARK: Memory

  @Test func aPeerThatDoesNotReadEightMebibytes_isClosed_andItsCallsAreCancelled() async throws {
    try await TestServer.with(methods.table) { server in
      try await RawClient.with(server.endpoint, isReading: false) { client async throws in
        try await client.write((0..<20).flatMap { RawFrame.request(UInt32(2 * $0 + 1), "HoldLarge", "4000000").bytes })
        try await client.write(.request(99, "Echo", "e", flags: 2))
        try await methods.journal.wait(for: "started e")
        methods.gate.open()
        try await methods.journal.wait(for: "cancelled e")
        try await client.startReading()
        #expect(try await client.framesUntilClosed().count < 20)
      }
    }
  }

  @Test func noConnectionIsAccepted_whileTooMuchIsBuffered() async throws {
    try await withServer {
      $0.maximumBufferedBytes = 64 << 10
    } _: { server async throws in
      let before = try await RawClient.connect(to: server.endpoint)
      #expect(try await isServed(before))
      let hoarder = try await RawClient.connect(to: server.endpoint)
      try await hoarder.write(.request(1, "Collect", "c", flags: 2), .data(1, String(repeating: "x", count: 100_000)))
      #expect(try await isServed(hoarder, 3))

      let late = try await RawClient.connect(to: server.endpoint)
      try await late.write(.request(1, "Say", "late"))
      for id in 0..<100 { #expect(try await isServed(before, UInt32(2 * id + 3))) }
      #expect(methods.journal.count("started late") == 0)

      await hoarder.close()
      #expect(try await late.frame().text == "late")
      for client in [before, late] { await client.close() }
    }
  }

  @Test func aFrameThatIsOnlyAnnounced_reservesNothing() async throws {
    try await withServer {
      $0.maximumBufferedBytes = 64 << 10
    } _: { server async throws in
      try await RawClient.with(server.endpoint) { announcer async throws in
        let announced = RawFrame(1, id: 3, [], length: UInt32(FrameHeader.maximumLength)).bytes
        try await announcer.write(RawFrame.request(1, "Say", "here").bytes + announced)
        #expect(try await announcer.frame().text == "here")
        try await expectServiceSoon(server)
      }
    }
  }
}
