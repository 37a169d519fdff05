import CoreMetrics

/// Measures calls: `rpc_server_calls` counts them by method and code, `rpc_server_call_duration` times them by method,
/// and `rpc_server_calls_in_flight` counts those that have not ended.
///
/// The metrics are created when the server starts, so a call only adds to them.
package struct MetricsInterceptor: Interceptor {
  /// Creates an interceptor that reports to the metrics backend of the process.
  package init() {}

  package func intercept(_ method: ServerMethod) -> ServerMethod {
    let metrics = MethodMetrics(method.name)
    return method.observing { _ in
      metrics.inFlight.increment()
      return ContinuousClock.now
    } end: { _, start, error in
      metrics.inFlight.decrement()
      metrics.record(error.map { RPCError(mapping: $0).code } ?? .ok, start.duration(to: .now))
      return error
    }
  }
}

/// The metrics of one method.
private struct MethodMetrics: Sendable {
  let inFlight: Meter
  private let calls: [Counter]
  private let duration: CoreMetrics.Timer

  init(_ name: MethodName) {
    let method = [("method", name.description)]
    inFlight = Meter(label: "rpc_server_calls_in_flight", dimensions: method)
    calls = StatusCode.allCases.map { Counter(label: "rpc_server_calls", dimensions: method + [("code", $0.name)]) }
    duration = CoreMetrics.Timer(label: "rpc_server_call_duration", dimensions: method)
  }

  func record(_ code: StatusCode, _ time: Duration) {
    calls[Int(code.rawValue)].increment()
    let (seconds, attoseconds) = time.components
    duration.recordNanoseconds(seconds * 1_000_000_000 + attoseconds / 1_000_000_000)
  }
}
