package import CoreMetrics
import Instrumentation
package import Tracing

/// The backends that receive a server's metrics and spans.
///
/// Work for a missing backend is left out, so that calls pay nothing for it.
package struct Observability: Sendable {
  /// The backend that receives the metrics; `nil` for none.
  package let metrics: (any MetricsFactory)?
  /// The backend that receives the spans; `nil` for none.
  package let tracer: (any Tracer)?

  /// Creates a pair of backends.
  package init(metrics: (any MetricsFactory)? = nil, tracer: (any Tracer)? = nil) {
    self.metrics = metrics
    self.tracer = tracer
  }

  /// Returns the backends that the process has bootstrapped.
  package static func ofProcess() -> Observability {
    let (factory, tracer) = (MetricsSystem.factory, InstrumentationSystem.tracer)
    return Observability(
      metrics: factory is NOOPMetricsHandler ? nil : factory, tracer: tracer is NoOpTracer ? nil : tracer)
  }

  /// The interceptors that measure and trace calls, the outermost first.
  package var interceptors: [any Interceptor] {
    let all: [(any Interceptor)?] = [
      tracer.map(TracingInterceptor.init(tracer:)), metrics.map(MetricsInterceptor.init(factory:)),
    ]
    return all.compactMap(\.self)
  }
}
