#if GRPC
package import ToDoGRPCTransport
import Logging
import NIOCore
import NIOPosix
package import ToDoRPC
package import ToDoTransport

/// A listening gRPC server in this process.
package struct GRPCTestServer: Sendable {
  package let endpoint: Endpoint
  package let listener: GRPCListener

  /// Serves during `body`.
  package static func with<Value>(
    _ methods: MethodTable, at endpoint: Endpoint = .tcp(host: "127.0.0.1", port: 0), tls: ServerTLS? = nil,
    limits: ServerLimits = .patient, limiter: ConnectionLimiter? = nil,
    _ body: (GRPCTestServer) async throws -> Value
  ) async throws -> Value {
    var logger = Logger(label: "test")
    logger.logLevel = .critical
    var configuration = GRPCListener.Configuration(endpoint: endpoint)
    configuration.tls = tls
    configuration.limits = limits
    let bound = Deadline.promise(of: Endpoint.self, for: "gRPC to be served")
    let listener = GRPCListener(configuration, on: MultiThreadedEventLoopGroup.singleton, logger: logger) {
      bound.succeed($0)
    }
    return try await listener.serve(methods, limiter: limiter ?? ConnectionLimiter(limits), bound) { endpoint in
      try await body(GRPCTestServer(endpoint: endpoint, listener: listener))
    }
  }
}
#endif
