import InMemoryTracing
import Testing
import ToDoRPC
import ToDoTestServers
import ToDoTestSupport
import Tracing

/// The metadata `traceparent` over both protocols.
@Suite(.timeLimited) struct TraceParentTests {
  private static let trace = "0af7651916cd43dd8448eb211c80319c"
  private static let parent = "b7ad6b7169203331"
  private static let header = "00-\(trace)-\(parent)-01"

  private let tracer = TraceContextTracer()

  private var methods: MethodTable {
    MethodTable(TestMethods().methods, interceptors: Observability(tracer: tracer).interceptors)
  }

  /// Expects one span that continues the caller's trace.
  private func expectContinuedTrace() throws {
    #expect(tracer.base.finishedSpans.count == 1)
    let span = try #require(tracer.base.finishedSpans.first)
    #expect(span.operationName == "\(TestMethods.service)/Say")
    #expect(span.kind == .server)
    #expect(span.traceID == Self.trace)
    #expect(span.parentSpanID == Self.parent)
  }

  @Test func ttrpcCall_withTraceparent_continuesTrace() async throws {
    try await TestServer.with(methods) { server async throws in
      try await RawClient.with(server.endpoint) { client async throws in
        let request = RawFrame.call(
          1, TestMethods.service, "Say", ProtobufBytes().field(1, "hello"), traceparent: Self.header)
        #expect(try await client.response(to: request).text == "hello")
      }
    }
    try expectContinuedTrace()
  }

  @Test func ttrpcCall_withoutTraceparent_beginsTrace() async throws {
    try await TestServer.with(methods) { server async throws in
      try await RawClient.with(server.endpoint) { client async throws in
        #expect(try await client.response(to: .request(1, "Say", "hello")).text == "hello")
      }
    }
    let span = try #require(tracer.base.finishedSpans.first)
    #expect(span.parentSpanID == nil)
  }

  #if GRPC
  @Test func grpcCall_withTraceparent_continuesTrace() async throws {
    try await GRPCTestServer.with(methods) { server async throws in
      try await GRPCTestClient.with(server.endpoint) { client async throws in
        #expect(try await client.texts("Say", "hello", metadata: ["traceparent": Self.header]) == ["hello"])
      }
    }
    try expectContinuedTrace()
  }
  #endif
}
