package import CoreMetrics
import NIOCore
import ToDoSupport

/// Measures calls: `rpc_server_calls` counts them by method and code, `rpc_server_call_duration` times them by method,
/// and `rpc_server_calls_in_flight` counts those that have not ended.
///
/// The metrics are created when the server starts, so a call only adds to them.
package struct MetricsInterceptor: Interceptor {
  private let factory: any MetricsFactory

  /// - Parameter factory: The backend that receives the metrics.
  package init(factory: any MetricsFactory) {
    self.factory = factory
  }

  package func intercept(_ method: ServerMethod) -> ServerMethod {
    let metrics = MethodMetrics(method.name, factory)
    return method.around { _, next in
      let start = NIODeadline.now()
      do {
        switch try next() {
        case .ready(let response):
          // A call that is ready was never seen in flight.
          metrics.record(.ok, since: start)
          return .ready(response)
        case .pending(let work):
          return .pending { try await metrics.measure(since: start, work) }
        }
      } catch {
        metrics.record(RPCError(mapping: error).code, since: start)
        throw error
      }
    } streaming: { _, next in
      try await metrics.measure(since: .now(), next)
    }
  }
}

/// The metrics of one method.
private struct MethodMetrics: Sendable {
  private let inFlight: Meter
  private let calls: [Counter]
  private let duration: CoreMetrics.Timer

  init(_ name: MethodName, _ factory: any MetricsFactory) {
    let method = [("method", name.description)]
    inFlight = Meter(label: "rpc_server_calls_in_flight", dimensions: method, factory: factory)
    calls = StatusCode.allCases.map {
      Counter(label: "rpc_server_calls", dimensions: method + [("code", $0.name)], factory: factory)
    }
    duration = CoreMetrics.Timer(label: "rpc_server_call_duration", dimensions: method, factory: factory)
  }

  func measure<Value>(since start: NIODeadline, _ work: () async throws -> Value) async throws -> Value {
    inFlight.increment()
    defer { inFlight.decrement() }
    do {
      let value = try await work()
      record(.ok, since: start)
      return value
    } catch {
      record(RPCError(mapping: error).code, since: start)
      throw error
    }
  }

  func record(_ code: StatusCode, since start: NIODeadline) {
    calls[Int(code.rawValue)].increment()
    duration.recordNanoseconds((.now() - start).nanoseconds)
  }
}
