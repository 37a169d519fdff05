#if HTTP
import Logging
import NIOCore
import NIOPosix
package import ToDoHTTPTransport
package import ToDoRPC
package import ToDoTransport

/// A listening HTTP server in this process.
package struct HTTPTestServer: Sendable {
  package let endpoint: Endpoint
  package let listener: HTTPListener

  /// The URL of a path, without its slash, at a TCP endpoint without TLS.
  package func url(_ path: String) -> String { "http://127.0.0.1:\(endpoint.port ?? 0)/\(path)" }

  /// Serves during `body`.
  package static func with<Value>(
    _ methods: MethodTable, at endpoint: Endpoint = .tcp(host: "127.0.0.1", port: 0), tls: ServerTLS? = nil,
    limits: ServerLimits = .patient, endpoints: [any HTTPEndpoint] = [], _ body: (HTTPTestServer) async throws -> Value
  ) async throws -> Value {
    var logger = Logger(label: "test")
    logger.logLevel = .critical
    var configuration = HTTPListener.Configuration(endpoint: endpoint)
    configuration.tls = tls
    configuration.limits = limits
    configuration.endpoints = endpoints
    let bound = Deadline.promise(of: Endpoint.self, for: "HTTP to be served")
    let listener = HTTPListener(configuration, on: MultiThreadedEventLoopGroup.singleton, logger: logger) {
      bound.succeed($0)
    }
    return try await listener.serve(methods, limiter: ConnectionLimiter(limits), bound) { endpoint in
      try await body(HTTPTestServer(endpoint: endpoint, listener: listener))
    }
  }
}
#endif
