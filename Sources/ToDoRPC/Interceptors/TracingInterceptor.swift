import Instrumentation
import ServiceContextModule
import ToDoSupport
package import Tracing

/// Puts each call in a span, which continues the trace that the call's metadata names (`traceparent`).
package struct TracingInterceptor: Interceptor {
  private let tracer: any Tracer

  /// - Parameter tracer: The backend that receives the spans.
  package init(tracer: any Tracer) {
    self.tracer = tracer
  }

  package func intercept(_ method: ServerMethod) -> ServerMethod {
    let (tracer, name) = (tracer, method.name.description)
    return method.around { call, next in
      let span = tracer.startSpan(call, name)
      do {
        switch try ServiceContext.withValue(span.context, operation: next) {
        case .ready(let response):
          span.end()
          return .ready(response)
        case .pending(let work):
          return .pending { try await span.during(work) }
        }
      } catch {
        span.fail(error)
        throw error
      }
    } streaming: { call, next in
      try await tracer.startSpan(call, name).during(next)
    }
  }
}

extension Tracer {
  fileprivate func startSpan(_ call: CallContext, _ name: String) -> any Tracing.Span {
    var context = ServiceContext.topLevel
    extract(call.metadata, into: &context, using: MetadataExtractor())
    return startAnySpan(name, context: context, ofKind: .server)
  }
}

extension Tracing.Span {
  /// Runs work as part of the span, and ends the span with it.
  fileprivate func during<Value>(_ work: () async throws -> Value) async throws -> Value {
    do {
      let value = try await ServiceContext.withValue(context, operation: work)
      end()
      return value
    } catch {
      fail(error)
      throw error
    }
  }

  fileprivate func fail(_ error: any Error) {
    recordError(error)
    setStatus(SpanStatus(code: .error))
    end()
  }
}

/// Reads trace headers from a call's metadata.
private struct MetadataExtractor: Extractor {
  func extract(key: String, from metadata: Metadata) -> String? { metadata[key] }
}
