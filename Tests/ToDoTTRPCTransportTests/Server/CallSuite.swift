import Testing
import ToDoRPC
import ToDoTTRPC
import ToDoTestServers
import ToDoTestSupport

/// A suite that calls the methods of a server that listens.
protocol CallSuite: Sendable {
  /// The methods of the server.
  var methods: TestMethods { get }
}

extension CallSuite {
  func withServer(
    streams: Int = ServerStreams.defaultLimit, limit: Int = FrameHeader.maximumLength,
    _ body: (TestServer) async throws -> Void
  ) async throws {
    var configuration = ServerLimits.patient
    configuration.maximumStreams = streams
    configuration.maximumFrameLength = limit
    configuration.maximumResponseLength = limit
    try await TestServer.with(methods.table, configuration: configuration, body)
  }

  func withClient(
    streams: Int = ServerStreams.defaultLimit, limit: Int = FrameHeader.maximumLength,
    _ body: @Sendable (RawClient) async throws -> Void
  ) async throws {
    try await withServer(streams: streams, limit: limit) { try await RawClient.with($0.endpoint, body) }
  }
}
