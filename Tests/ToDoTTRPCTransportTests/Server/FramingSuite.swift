import Testing
import ToDoRPC
import ToDoTTRPC
import ToDoTestServers
import ToDoTestSupport

/// A suite that sends frames to a server that listens.
protocol FramingSuite: Sendable {
  /// The methods of the server.
  var methods: TestMethods { get }
}

extension FramingSuite {
  func withClient(
    limit: Int = FrameHeader.maximumLength, _ body: @Sendable (RawClient) async throws -> Void
  ) async throws {
    var configuration = ServerLimits()
    configuration.maximumFrameLength = limit
    try await TestServer.with(methods.table, configuration: configuration) { server in
      try await RawClient.with(server.endpoint, body)
      // The server must still serve other clients.
      try await RawClient.with(server.endpoint) { try await expectService($0) }
    }
  }

  func expectService(
    _ client: RawClient, _ id: UInt32 = 999, sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let answer = try await client.response(to: .request(id, "Say", "still here"))
    #expect(answer.id == id && answer.type == 2, sourceLocation: sourceLocation)
    #expect(try answer.text == "still here", sourceLocation: sourceLocation)
  }

  func expectError(
    _ answer: RawFrame, on id: UInt32, _ code: StatusCode, _ reason: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    #expect(answer.id == id && answer.type == 2 && answer.flags == 0, sourceLocation: sourceLocation)
    let error = try #require(try answer.error, sourceLocation: sourceLocation)
    #expect(error.code == code && error.reason == reason, "\(error)", sourceLocation: sourceLocation)
    #expect(error.domain == "ttrpc", sourceLocation: sourceLocation)
  }
}
