#if GRPC
  import Logging
  import NIOPosix
  import TTRPCTransport
  import ToDoGRPC

  /// What serves gRPC at endpoints. Each is announced on standard output when it listens.
  func grpcWires(
    _ settings: ServerSettings, _ limits: ServerConfiguration, _ tls: ServerTLS?,
    on group: MultiThreadedEventLoopGroup, _ logger: Logger
  ) throws -> [any ServerWire] {
    settings.grpcEndpoints.map { endpoint in
      var configuration = GRPCListener.Configuration(endpoint: endpoint)
      configuration.limits = limits
      configuration.tls = tls
      configuration.servesReflection = settings.servesGRPCReflection
      return GRPCListener(configuration, on: group, logger: logger) { bound in
        print("listening on grpc+\(bound)")
      }
    }
  }
#else
  import Logging
  import NIOPosix
  import TTRPCTransport

  /// - Throws: `SettingError` when there is an endpoint: this build has no gRPC.
  func grpcWires(
    _ settings: ServerSettings, _ limits: ServerConfiguration, _ tls: ServerTLS?,
    on group: MultiThreadedEventLoopGroup, _ logger: Logger
  ) throws -> [any ServerWire] {
    guard let endpoint = settings.grpcEndpoints.first else { return [] }
    throw SettingError(
      name: "grpc-listen", value: "\(endpoint)", reason: "cannot be used: this program was built without gRPC")
  }
#endif
