package import CoreMetrics
import NIOCore

/// A protocol that clients speak to a server.
package enum RPCProtocol: String, CaseIterable, Sendable {
  case ttrpc
  case grpc
  case http
}

/// Measures connections. `rpc_server_connections_open` is the number of open ones, `rpc_server_connections_accepted` and
/// `rpc_server_connections_rejected` count new ones, all by protocol. `rpc_server_connections_evicted` counts those that a
/// limit closed, by the limit.
package struct ConnectionMetrics: Sendable {
  private struct ByProtocol: Sendable {
    let open: Meter
    let accepted: Counter
    let rejected: Counter
  }

  private let metrics: [RPCProtocol: ByProtocol]
  private let evictions: [EvictionEvent.Reason: Counter]

  /// - Parameter factory: The backend that receives the metrics.
  package init(factory: any MetricsFactory) {
    let metrics = RPCProtocol.allCases.map { rpcProtocol in
      let dimensions = [("protocol", rpcProtocol.rawValue)]
      return (
        rpcProtocol,
        ByProtocol(
          open: Meter(label: "rpc_server_connections_open", dimensions: dimensions, factory: factory),
          accepted: Counter(label: "rpc_server_connections_accepted", dimensions: dimensions, factory: factory),
          rejected: Counter(label: "rpc_server_connections_rejected", dimensions: dimensions, factory: factory))
      )
    }
    self.metrics = Dictionary(uniqueKeysWithValues: metrics)
    let evictions = EvictionEvent.Reason.allCases.map { reason in
      (reason, Counter(label: "rpc_server_connections_evicted", dimensions: [("limit", reason.name)], factory: factory))
    }
    self.evictions = Dictionary(uniqueKeysWithValues: evictions)
  }

  /// Counts a new connection, and its end if it was accepted.
  func record(_ channel: any Channel, of rpcProtocol: RPCProtocol, isAccepted: Bool) {
    guard let metrics = metrics[rpcProtocol] else { return }
    guard isAccepted else { return metrics.rejected.increment() }
    metrics.accepted.increment()
    metrics.open.increment()
    channel.closeFuture.whenComplete { _ in metrics.open.decrement() }
  }

  /// Counts evicted connections.
  func recordEvictions(_ count: Int, because reason: EvictionEvent.Reason) {
    evictions[reason]?.increment(by: count)
  }
}

extension EvictionEvent.Reason {
  /// The limit, as a label of metrics.
  fileprivate var name: String {
    switch self {
    case .login: "login_time"
    case .connections: "connections"
    case .memory: "buffered_bytes"
    }
  }
}
