import CoreMetrics
import InMemoryLogging
import InMemoryTracing
import Logging
import MetricsTestKit
import NIOCore
import Synchronization
import Testing
import ToDoProtobuf
import ToDoRPC
import ToDoSupport
import ToDoTestSupport

@Suite(.unitTimeLimited) struct InterceptorTests {
  private struct Failure: Error {}

  private static let name = MethodName(service: "test.Texts", method: "Say")
  private static let response = OutgoingMessage(encoded: ByteBuffer())
  private let call = CallContext(metadata: Metadata(), connection: CallConnection(peer: Peer()), stream: 7)

  /// Calls a unary method that looks its response up, behind interceptors.
  private func callUnary(
    _ interceptors: [any Interceptor], _ call: CallContext? = nil,
    _ lookUp: @escaping @Sendable () throws -> Lookup<OutgoingMessage>
  ) async throws {
    let table = MethodTable([.unary(Self.name) { _, _, _ in try lookUp() }], interceptors: interceptors)
    guard case .unary(let body) = table.methods[0].body else { return }
    let found = try body(UnsafeRawBufferPointer(start: nil, count: 0), Arena(), call ?? self.call)
    _ = try await found.value
  }

  /// Calls a streaming method behind interceptors.
  private func callStreaming(
    _ interceptors: [any Interceptor], _ work: @escaping @Sendable () async throws -> Void
  ) async throws {
    let method = ServerMethod.streaming(Self.name) { _, _ in { _, _, _ in try await work() } }
    guard case .streaming(let body) = MethodTable([method], interceptors: interceptors).methods[0].body else { return }
    let run = try body(UnsafeRawBufferPointer(start: nil, count: 0), Arena())
    try await run(call, .none, OutgoingMessages { _ in })
  }

  // MARK: Order

  private final class Journal: Sendable {
    let lines = Mutex<[String]>([])
    func append(_ line: String) { lines.withLock { $0.append(line) } }
  }

  private struct Recorder: Interceptor {
    let name: String
    let journal: Journal

    func intercept(_ method: ServerMethod) -> ServerMethod {
      method.observing { _ in
        journal.append("\(name) starts")
      } end: { _, _, error in
        journal.append("\(name) ends")
        return error
      }
    }
  }

  @Test func table_whenInterceptorsAreGiven_appliesTheFirstOutermost() async throws {
    let journal = Journal()
    let interceptors = ["outer", "inner"].map { Recorder(name: $0, journal: journal) }
    try await callUnary(interceptors) { .pending { Self.response } }
    #expect(journal.lines.withLock(\.self) == ["outer starts", "inner starts", "inner ends", "outer ends"])
  }

  // MARK: Log

  private func logger(_ level: Logger.Level) -> (Logger, InMemoryLogHandler) {
    let handler = InMemoryLogHandler()
    var logger = Logger(label: "test") { _ in handler }
    logger.logLevel = level
    return (logger, handler)
  }

  @Test func log_whenCallFailsUnexpectedly_namesCallMethodAndCause() async throws {
    let (logger, handler) = logger(.info)
    await #expect(throws: RPCError.internal) {
      try await callUnary([LoggingInterceptor(logger)]) { .pending { throw Failure() } }
    }
    let entry = try #require(handler.entries.first)
    #expect(entry.level == .error)
    #expect(entry.metadata["call"] == "\(call.id)")
    #expect(entry.metadata["method"] == "test.Texts/Say")
    #expect(entry.metadata["error"] == "Failure()")
  }

  @Test func log_whenCallIsRejected_hasNoError() async throws {
    let (logger, handler) = logger(.info)
    await #expect(throws: RPCError.shuttingDown) {
      try await callUnary([LoggingInterceptor(logger)]) { throw RPCError.shuttingDown }
    }
    #expect(handler.entries.isEmpty)
  }

  @Test func log_whenLevelIsDebug_hasLineOfEachCall() async throws {
    let (logger, handler) = logger(.debug)
    try await callUnary([LoggingInterceptor(logger)]) { .ready(Self.response) }
    try await callStreaming([LoggingInterceptor(logger)]) {}
    #expect(handler.entries.map(\.message) == ["call ended", "call ended"])
    #expect(handler.entries.allSatisfy { $0.metadata["code"] == "OK" })
  }

  // MARK: Metrics

  @Test func metrics_countCallsByMethodAndCode() async throws {
    let metrics = TestMetrics()
    let interceptors = [MetricsInterceptor(factory: metrics)]
    try await callUnary(interceptors) { .ready(Self.response) }
    try await callUnary(interceptors) { .pending { Self.response } }
    try await callStreaming(interceptors) {}
    try? await callUnary(interceptors) { throw RPCError.shuttingDown }
    try? await callUnary(interceptors) { .pending { throw Failure() } }
    func count(_ code: String) throws -> Int64 {
      try metrics.expectCounter("rpc_server_calls", [("method", "test.Texts/Say"), ("code", code)]).totalValue
    }
    #expect(try count("OK") == 3)
    #expect(try count("UNAVAILABLE") == 1)
    #expect(try count("INTERNAL") == 1)
    #expect(try metrics.expectTimer("rpc_server_call_duration", [("method", "test.Texts/Say")]).values.count == 5)
  }

  // MARK: Traces

  @Test func trace_whenMetadataNamesOne_isContinued() async throws {
    let tracer = InMemoryTracer()
    var metadata = Metadata()
    metadata.append(InMemoryTracer.traceIDKey, "trace")
    metadata.append(InMemoryTracer.spanIDKey, "parent")
    let call = CallContext(metadata: metadata, connection: CallConnection(peer: Peer()))
    try await callUnary([TracingInterceptor(tracer: tracer)], call) { .pending { Self.response } }
    let span = try #require(tracer.finishedSpans.first)
    #expect(span.operationName == "test.Texts/Say")
    #expect(span.traceID == "trace")
    #expect(span.parentSpanID == "parent")
    #expect(span.errors.isEmpty)
  }

  @Test func trace_whenCallFails_recordsError() async throws {
    let tracer = InMemoryTracer()
    try? await callUnary([TracingInterceptor(tracer: tracer)]) { throw Failure() }
    try? await callStreaming([TracingInterceptor(tracer: tracer)]) { throw Failure() }
    #expect(tracer.finishedSpans.map(\.errors.count) == [1, 1])
  }

  // MARK: Backends

  @Test func interceptors_whenProcessHasNoBackend_areLeftOut() {
    #expect(Observability.ofProcess().interceptors.isEmpty, "every call would pay for what no backend takes")
  }

  @Test func interceptors_ofTwoBackends_traceAroundMetrics() {
    let interceptors = Observability(metrics: TestMetrics(), tracer: InMemoryTracer()).interceptors
    #expect(interceptors.count == 2)
    #expect(interceptors.first is TracingInterceptor)
  }
}
