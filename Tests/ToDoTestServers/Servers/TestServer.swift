import Logging
package import NIOPosix
package import ToDoClient
package import ToDoModel
package import ToDoRPC
package import ToDoServer
package import ToDoTTRPCTransport
package import ToDoTransport

/// A server in the test's process.
package struct TestServer: Sendable {
  package let endpoint: Endpoint
  package let health: HealthMonitor
  package let listener: ServerListener

  /// Runs `body` with a running server.
  package static func with<Value>(
    _ service: any ToDoService, at endpoint: Endpoint, _ body: (TestServer) async throws -> Value
  ) async throws -> Value {
    let health = HealthMonitor(services: [])
    return try await with(MethodTable(serving: service, health: health), health: health, at: endpoint, body)
  }

  package static func with<Value>(
    _ methods: MethodTable, health: HealthMonitor = HealthMonitor(services: []),
    configuration: ServerLimits = .patient, limiter: ConnectionLimiter? = nil,
    at endpoint: Endpoint = .tcp(host: "127.0.0.1", port: 0), tls: ServerTLS? = nil,
    on group: MultiThreadedEventLoopGroup = .singleton, _ body: (TestServer) async throws -> Value
  ) async throws -> Value {
    var logger = Logger(label: "test")
    logger.logLevel = .critical
    let listener = try await ServerListener.bind(
      [endpoint], methods: methods, configuration: configuration, limiter: limiter, tls: tls,
      on: group, logger: logger)
    let server = TestServer(endpoint: listener.endpoints[0], health: health, listener: listener)
    do {
      let value = try await body(server)
      await listener.shutDown(grace: .zero)
      return value
    } catch {
      await listener.shutDown(grace: .zero)
      throw error
    }
  }

  package func client(_ configuration: ToDoClient.Configuration = ToDoClient.Configuration()) -> ToDoClient {
    ToDoClient(endpoint: endpoint, configuration: configuration)
  }
}
