import InMemoryTracing
import Instrumentation
import ServiceContextModule
import Tracing

/// A tracer that reads the header `traceparent`, as backends for W3C Trace Context do, and records spans in memory.
struct TraceContextTracer: Tracer {
  let base = InMemoryTracer()

  func startSpan<Instant: TracerInstant>(
    _ operationName: String, context: @autoclosure () -> ServiceContext, ofKind kind: SpanKind,
    at instant: @autoclosure () -> Instant, function: String, file fileID: String, line: UInt
  ) -> InMemorySpan {
    base.startSpan(
      operationName, context: context(), ofKind: kind, at: instant(), function: function, file: fileID, line: line)
  }

  func forceFlush() { base.forceFlush() }

  func extract<Carrier, Extract: Extractor>(
    _ carrier: Carrier, into context: inout ServiceContext, using extractor: Extract
  ) where Extract.Carrier == Carrier {
    let fields = extractor.extract(key: "traceparent", from: carrier)?.split(separator: "-") ?? []
    guard fields.count == 4 else { return }
    let headers = [InMemoryTracer.traceIDKey: String(fields[1]), InMemoryTracer.spanIDKey: String(fields[2])]
    base.extract(headers, into: &context, using: DictionaryExtractor())
  }

  func inject<Carrier, Inject: Injector>(
    _ context: ServiceContext, into carrier: inout Carrier, using injector: Inject
  ) where Inject.Carrier == Carrier {
    base.inject(context, into: &carrier, using: injector)
  }
}

private struct DictionaryExtractor: Extractor {
  func extract(key: String, from carrier: [String: String]) -> String? { carrier[key] }
}
