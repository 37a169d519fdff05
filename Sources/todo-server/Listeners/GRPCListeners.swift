import Logging
import NIOPosix
import ToDoRPC
import ToDoTransport

#if GRPC
import ToDoGRPCTransport

/// Creates the gRPC listeners of the settings. Each prints its endpoint when it is ready.
func grpcListeners(
  _ settings: ServerSettings, _ limits: ServerLimits, _ tls: ServerTLS?, _ sockets: InheritedSockets,
  on group: MultiThreadedEventLoopGroup, _ logger: Logger
) throws -> [any RPCListener] {
  settings.grpcEndpoints.map { endpoint in
    var configuration = GRPCListener.Configuration(endpoint: endpoint)
    configuration.limits = limits
    configuration.tls = tls
    configuration.inheritedSockets = sockets
    configuration.servesReflection = settings.servesGRPCReflection
    return GRPCListener(configuration, on: group, logger: logger) { bound in
      print("listening on grpc+\(bound)")
    }
  }
}
#else
/// Returns no listeners, because this build does not include gRPC.
///
/// - Throws: `SettingError` if the settings contain a gRPC endpoint.
func grpcListeners(
  _ settings: ServerSettings, _ limits: ServerLimits, _ tls: ServerTLS?, _ sockets: InheritedSockets,
  on group: MultiThreadedEventLoopGroup, _ logger: Logger
) throws -> [any RPCListener] {
  guard let endpoint = settings.grpcEndpoints.first else { return [] }
  throw SettingError(
    name: "grpc-listen", value: "\(endpoint)",
    reason: "cannot be used: this program was built without gRPC; build it with the default traits, or with "
      + "'--traits GRPC'")
}
#endif
