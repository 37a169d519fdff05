#if GRPC
import ToDoGRPCTransport
import ToDoRPC
import ToDoTestServers
import ToDoTestSupport
import Testing
import ToDoTransport

/// A suite that calls methods over gRPC that it can suspend and observe.
protocol GRPCCallSuite: Sendable {
  /// The methods of the server.
  var methods: TestMethods { get }
}

extension GRPCCallSuite {
  func with(
    _ others: [ServerMethod] = [], _ body: @Sendable (GRPCTestServer, GRPCTestClient) async throws -> Void
  ) async throws {
    try await GRPCTestServer.with(MethodTable(methods.methods + others)) { server in
      try await GRPCTestClient.with(server.endpoint) { try await body(server, $0) }
    }
  }

  func expect(
    _ code: StatusCode, _ reason: String, _ location: SourceLocation = #_sourceLocation,
    _ body: () async throws -> Void
  ) async {
    let error = await #expect(throws: RPCError.self, sourceLocation: location) { try await body() }
    #expect(error?.code == code, sourceLocation: location)
    #expect(error?.reason == reason, sourceLocation: location)
  }
}
#endif
