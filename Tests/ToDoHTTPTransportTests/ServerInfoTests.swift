#if HTTP
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

/// GetServerInfo, whose limit of calls is that of the connection that asks.
@Suite(.timeLimited, .blocking) struct ServerInfoTests {
  private let table = MethodTable(
    serving: LocalToDoService(store: MemoryToDoItemStore(), clock: TestClock()),
    health: HealthMonitor(services: [ToDoMethods.service]))
  private let name = ToDoMethods.getServerInfo.name

  /// Whether a message has a number in a field with number 4, as `max_streams_per_connection` is.
  private func hasLimit(_ limit: Int, _ message: [UInt8]) -> Bool {
    message.contains([0x20, UInt8(limit & 0x7F | 0x80), UInt8(limit >> 7)])
  }

  @Test func limitOfCalls_overTTRPC_isThatOfTheServer() async throws {
    try await TestServer.with(table) { server async throws in
      try await RawClient.with(server.endpoint) { client async throws in
        let response = try await client.response(to: .call(1, name.service, name.method, ProtobufBytes()))
        #expect(hasLimit(1024, response.data))
      }
    }
  }

  @Test func limitOfCalls_overGRPC_isThatOfStreams() async throws {
    try await GRPCTestServer.with(table) { server async throws in
      try await GRPCTestClient.with(server.endpoint) { client async throws in
        #expect(hasLimit(128, try await client.call(name, [])))
      }
    }
  }

  @Test func limitOfCalls_overHTTP_isThatOfItsVersion() async throws {
    try await HTTPTestServer.with(table) { server async throws in
      try await GRPCTestClient.with(server.endpoint) { client async throws in
        #expect(hasLimit(128, try await client.call(name, [])))
      }
      let json = ["--header", "content-type: application/json", "--data", "{}"]
      for (version, limit) in [("--http1.1", 1), ("--http2-prior-knowledge", 128)] {
        let run = try CurlRun(json + [version, server.url("\(name)")])
        #expect(run.body.contains(#""maxStreamsPerConnection":\#(limit)}"#), "\(run.body)")
      }
    }
  }

  /// An operator's lower limit holds for every protocol.
  @Test func limitOfCalls_whenServerHasLowerOne_isThat() async throws {
    var limits = ServerLimits.patient
    limits.maximumStreams = 8
    try await HTTPTestServer.with(table, limits: limits) { server async throws in
      let json = ["--header", "content-type: application/json", "--data", "{}"]
      let run = try CurlRun(json + ["--http2-prior-knowledge", server.url("\(name)")])
      #expect(run.body.contains(#""maxStreamsPerConnection":8}"#), "\(run.body)")
    }
  }
}
#endif
