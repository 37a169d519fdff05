#if GRPC
import ToDoGRPCTransport
import ToDoRPC
import ToDoTestServers
import ToDoTestSupport
import Testing
import ToDoTransport

/// The limits that ttrpc and gRPC connections share: their number and their buffers.
@Suite(.timeLimited) struct SharedLimiterTests {
  private let methods = TestMethods()

  private func withServers(
    _ change: (inout ServerLimits) -> Void, _ body: (TestServer, GRPCTestServer) async throws -> Void
  ) async throws {
    var limits = ServerLimits.patient
    // So that the server does not close inactive connections.
    limits.firstFrameTime = .seconds(3600)
    change(&limits)
    let limiter = ConnectionLimiter(limits)
    try await TestServer.with(methods.table, configuration: limits, limiter: limiter) { ttrpc async throws in
      try await GRPCTestServer.with(methods.table, limits: limits, limiter: limiter) { grpc async throws in
        try await body(ttrpc, grpc)
      }
    }
  }

  private func isServed(_ client: RawClient, _ id: UInt32 = 1) async throws -> Bool {
    do { return try await client.response(to: .request(id, "Say", "here")).text == "here" } catch { return false }
  }

  private func isRefused(at endpoint: Endpoint) async throws -> Bool {
    try await RawClient.with(endpoint) { try await $0.framesUntilClosed() == [] }
  }

  /// Connects until it is served. The server notices with a delay that a client has closed another connection.
  private func expectServiceSoon(_ server: GRPCTestServer) async throws {
    while true {
      try Task.checkCancellation()
      let text = try? await GRPCTestClient.with(server.endpoint) { try await $0.say("late") }
      if text == "late" { return }
    }
  }

  @Test(arguments: [true, false])
  func connection_whenServerIsAtItsLimit_isClosedOnEveryTransport(isOfOneAddress: Bool) async throws {
    try await withServers {
      if isOfOneAddress { $0.maximumConnectionsPerAddress = 3 } else { $0.maximumConnections = 3 }
    } _: { ttrpc, grpc async throws in
      let first = try await RawClient.connect(to: ttrpc.endpoint)
      #expect(try await isServed(first))
      try await GRPCTestClient.with(grpc.endpoint) { client async throws in
        #expect(try await client.say("second") == "second")
        let third = try await RawClient.connect(to: ttrpc.endpoint)
        #expect(try await isServed(third))

        #expect(try await isRefused(at: ttrpc.endpoint))
        #expect(try await isRefused(at: grpc.endpoint))
        #expect(try await isServed(first, 3))
        #expect(try await isServed(third, 3))
        #expect(try await client.say("still here") == "still here")

        await third.close()
        try await expectServiceSoon(grpc)
      }
      await first.close()
    }
  }

  @Test func grpcConnection_whenTTRPCConnectionExceedsBuffers_isServed() async throws {
    try await withServers {
      $0.maximumBufferedBytes = 64 << 10
    } _: { ttrpc, grpc async throws in
      let hoarder = try await RawClient.connect(to: ttrpc.endpoint)
      try await hoarder.write(.request(1, "Collect", "c", flags: 2), .data(1, String(repeating: "x", count: 100_000)))
      #expect(try await hoarder.framesUntilClosed() == [])
      try await GRPCTestClient.with(grpc.endpoint) { client async throws in
        #expect(try await client.say("late") == "late")
      }
    }
  }
}
#endif
