#if GRPC
  import GRPCTransport
  import Protobuf
  import RPC
  import TestSupport
  import Testing
  import ToDoProtocol
  import Transport

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

  extension GRPCTestClient {
    /// Calls a method of `TestMethods` that returns one response.
    func say(_ text: String, to method: String = "Say") async throws -> String {
      try await texts(method, text).joined()
    }

    /// Calls a method of `TestMethods`.
    func texts(_ method: String, _ text: String, metadata: [String: String] = [:]) async throws -> [String] {
      let request = HealthMethods.check.request.encoded(text)
      return try await stream(TestMethods.name(method), [request], metadata: metadata) { messages in
        var texts: [String] = []
        for try await message in messages { texts.append(try HealthMethods.check.request.decode(bytes: message)) }
        return texts
      }
    }
  }
#endif
