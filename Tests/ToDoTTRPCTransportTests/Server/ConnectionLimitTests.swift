import NIOCore
import Testing
import ToDoRPC
import ToDoSupport
import ToDoTTRPC
import ToDoTestServers
import ToDoTestSupport
import ToDoTransport

/// The limits of connections and of their buffers, on real sockets.
@Suite(.timeLimited) struct ConnectionLimitTests {
  private let methods = TestMethods()

  private func withServer(
    at endpoint: Endpoint = .tcp(host: "127.0.0.1", port: 0), _ change: (inout ServerLimits) -> Void,
    _ body: (TestServer) async throws -> Void
  ) async throws {
    var configuration = ServerLimits()
    change(&configuration)
    try await TestServer.with(methods.table, configuration: configuration, at: endpoint, body)
  }

  private func isServed(_ client: RawClient, _ id: UInt32 = 1) async throws -> Bool {
    do { return try await client.response(to: .request(id, "Say", "here")).text == "here" } catch { return false }
  }

  /// Connects until it is served. The server notices with a delay that a client has closed another connection.
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
  func connection_whenAtLimit_isClosed_untilAnotherCloses(isOfOneAddress: Bool) async throws {
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

  @Test func unixSocketConnections_areNotCountedByAddress() async throws {
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
  func addresses_whenOfOnePeer_countAsOne(_ first: String, _ second: String, _ isSame: Bool) throws {
    let addresses = try [first, second].map { NetworkAddress(try SocketAddress(ipAddress: $0, port: 1)) }
    #expect((addresses[0] == addresses[1]) == isSame)
    #expect(addresses[0] != nil)
  }

  // MARK: Memory

  @Test func connection_whenEightMebibytesAreUnread_isClosed_andCallsAreCancelled() async throws {
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

  @Test func buffers_whenOneConnectionExceedsTotal_closeOnlyThatConnection() async throws {
    try await withServer {
      $0.maximumBufferedBytes = 64 << 10
    } _: { server async throws in
      let before = try await RawClient.connect(to: server.endpoint)
      #expect(try await isServed(before))
      let hoarder = try await RawClient.connect(to: server.endpoint)
      try await hoarder.write(.request(1, "Collect", "c", flags: 2), .data(1, String(repeating: "x", count: 100_000)))
      #expect(try await hoarder.framesUntilClosed() == [])

      #expect(try await isServed(before, 3))
      try await RawClient.with(server.endpoint) { client async throws in #expect(try await isServed(client)) }
      await before.close()
    }
  }

  @Test func incompleteFrames_whenAddressExceedsBudget_areBounded() async throws {
    try await withServer {
      $0.maximumBufferedBytesPerAddress = 1 << 20
    } _: { server async throws in
      let hoarders = try await withThrowingTaskGroup(of: RawClient.self) { group in
        for _ in 0..<8 {
          group.addTask {
            let hoarder = try await RawClient.connect(to: server.endpoint)
            hoarder.writeWithoutWaiting(
              RawFrame(1, id: 1, [UInt8](repeating: 0, count: 512 << 10), length: 4 << 20).bytes)
            return hoarder
          }
        }
        var hoarders: [RawClient] = []
        for try await hoarder in group { hoarders.append(hoarder) }
        return hoarders
      }
      // At most two of these frames fit into the budget.
      let closed = try await withThrowingTaskGroup(of: Void.self) { group in
        for hoarder in hoarders { group.addTask { _ = try await hoarder.framesUntilClosed() } }
        for _ in 0..<6 { try await group.next() }
        group.cancelAll()
        for hoarder in hoarders { await hoarder.close() }
        return true
      }
      #expect(closed)
      try await RawClient.with(server.endpoint) { client async throws in #expect(try await isServed(client)) }
    }
  }

  @Test func requestsInFlight_whenAboveInputPause_pauseReading() async throws {
    try await withServer {
      $0.inputPause = 100_000
    } _: { server async throws in
      try await RawClient.with(server.endpoint) { client async throws in
        let text = String(repeating: "x", count: 60_000)
        for id in [1, 3, 5] as [UInt32] { try await client.write(.request(id, "Hold", text)) }
        try await client.write(.request(7, "Say", "late"))
        try await methods.journal.wait(for: "started \(text)", count: 2)
        #expect(methods.journal.count("started late") == 0)
        methods.gate.open()
        var ids: Set<UInt32> = []
        for _ in 0..<4 { ids.insert(try await client.frame().id) }
        #expect(ids == [1, 3, 5, 7])
      }
    }
  }

  // MARK: Authentication

  /// `Login` authenticates the connection as the user in its request.
  private var authenticating: MethodTable {
    let login = ServerMethod.unary(TestMethods.name("Login")) { bytes, arena, call in
      let user = try TestMethods.decode(bytes, arena)
      return .pending {
        call.authenticated(as: user)
        return TestMethods.message("welcome")
      }
    }
    return MethodTable(methods.methods + [login])
  }

  @Test(arguments: [true, false])
  func newConnection_whenNumberIsAtItsLimit_evictsOldestUnauthenticated(isOfOneAddress: Bool) async throws {
    var configuration = ServerLimits()
    configuration.requiresAuthentication = true
    if isOfOneAddress { configuration.maximumConnectionsPerAddress = 3 } else { configuration.maximumConnections = 3 }
    try await TestServer.with(authenticating, configuration: configuration) { server in
      var clients: [RawClient] = []
      for _ in 0..<3 { clients.append(try await RawClient.connect(to: server.endpoint)) }
      for client in clients { #expect(try await isServed(client)) }
      #expect(try await clients[0].response(to: .request(3, "Login", "ann")).text == "welcome")

      let fourth = try await RawClient.connect(to: server.endpoint)
      #expect(try await isServed(fourth))
      #expect(try await clients[1].framesUntilClosed() == [])
      for client in [clients[0], clients[2]] { #expect(try await isServed(client, 5)) }

      for client in [clients[2], fourth] { _ = try await client.response(to: .request(7, "Login", "ann")) }
      let refused = try await RawClient.connect(to: server.endpoint)
      #expect(try await refused.framesUntilClosed() == [])
      for client in clients + [fourth] { await client.close() }
    }
  }

  @Test func buffers_whenUserExceedsBudget_closeOnlyConnectionsOfThatUser() async throws {
    var configuration = ServerLimits()
    configuration.maximumBufferedBytesPerUser = 1 << 20
    try await TestServer.with(authenticating, configuration: configuration) { server in
      let others = try await RawClient.connect(to: server.endpoint)
      #expect(try await others.response(to: .request(1, "Login", "bob")).text == "welcome")
      try await others.write(RawFrame(1, id: 3, [UInt8](repeating: 0, count: 768 << 10), length: 1 << 20).bytes)
      let hoarder = try await RawClient.connect(to: server.endpoint)
      #expect(try await hoarder.response(to: .request(1, "Login", "ann")).text == "welcome")
      hoarder.writeWithoutWaiting(RawFrame(1, id: 3, [UInt8](repeating: 0, count: 2 << 20), length: 4 << 20).bytes)
      #expect(try await hoarder.framesUntilClosed() == [])

      try await others.write([UInt8](repeating: 0, count: 256 << 10))
      #expect(try await others.frame().error?.reason == "MALFORMED_REQUEST")
      await others.close()
    }
  }

  @Test func frame_whenOnlyHeaderArrived_reservesNothing() async throws {
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
