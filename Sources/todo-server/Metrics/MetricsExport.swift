import CoreMetrics
import Logging
import NIOPosix
import ToDoRPC
import ToDoTransport

#if HTTP
import NIOCore
import ToDoHTTPTransport
import ToDoPrometheus

/// The metrics that the server exports itself.
struct MetricsExport {
  private let registry = PrometheusRegistry.ofServer()
  private let endpoint: Endpoint

  /// Creates the export that the settings specify, or returns `nil` if they specify none.
  init?(_ settings: ServerSettings) {
    guard let endpoint = settings.metricsEndpoint else { return nil }
    self.endpoint = endpoint
  }

  /// Receives the metrics.
  var factory: any MetricsFactory { registry }

  /// Creates the listener that serves the metrics. It prints its endpoint when it is ready.
  func listener(
    _ tls: ServerTLS?, _ sockets: InheritedSockets, on group: MultiThreadedEventLoopGroup, _ logger: Logger
  ) -> any RPCListener {
    var configuration = HTTPListener.Configuration(endpoint: endpoint)
    configuration.limits.maximumConnections = 64
    configuration.limits.maximumConnectionsPerAddress = 16
    configuration.tls = tls
    configuration.inheritedSockets = sockets
    configuration.endpoints = [MetricsEndpoint(registry: registry)]
    let listener = HTTPListener(configuration, on: group, logger: logger) { print("listening on metrics+\($0)") }
    return MetricsListener(listener: listener, limits: configuration.limits)
  }
}

/// Serves metrics to all who reach its endpoint, and none of the server's methods. Its connections have their own limits, so
/// metrics can be read while the server's are exhausted.
private struct MetricsListener: RPCListener {
  let listener: HTTPListener
  let limits: ServerLimits

  func serve(
    _ methods: MethodTable, limiter: ConnectionLimiter, onReady: @escaping @Sendable () -> Void
  ) async throws {
    try await listener.serve(MethodTable([]), limiter: ConnectionLimiter(limits), onReady: onReady)
  }

  func shutDown(grace: Duration) async { await listener.shutDown(grace: grace) }
}

/// `/metrics`: the metrics of the process in Prometheus's text format.
private struct MetricsEndpoint: HTTPEndpoint {
  let path = "/metrics"
  let methods: Set<String> = ["GET", "HEAD"]
  let maximumBodySize = 0
  let registry: PrometheusRegistry

  func respond(to request: HTTPEndpointRequest) async -> HTTPEndpointResponse {
    HTTPEndpointResponse(
      status: 200, contentType: "text/plain; version=0.0.4; charset=utf-8", body: ByteBuffer(string: registry.text))
  }
}
#else
/// The metrics that the server exports itself. A build without HTTP has no values of this type.
struct MetricsExport {
  /// Receives the metrics.
  let factory: any MetricsFactory

  /// Returns `nil`, because the settings have been rejected if they specify an export.
  init?(_ settings: ServerSettings) { return nil }

  /// Creates the listener that serves the metrics.
  func listener(
    _ tls: ServerTLS?, _ sockets: InheritedSockets, on group: MultiThreadedEventLoopGroup, _ logger: Logger
  ) -> any RPCListener { preconditionFailure("there is no value of this type") }
}
#endif

extension Observability {
  /// Returns the backends of the process, and the export as another receiver of metrics.
  static func ofProcess(and export: MetricsExport?) -> Observability {
    let process = ofProcess()
    guard let factory = export?.factory else { return process }
    let all = process.metrics.map { MultiplexMetricsHandler(factories: [$0, factory]) as any MetricsFactory }
    return Observability(metrics: all ?? factory, tracer: process.tracer)
  }
}
