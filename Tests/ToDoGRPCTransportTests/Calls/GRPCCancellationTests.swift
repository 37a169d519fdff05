#if GRPC
import ToDoGRPCTransport
import ToDoRPC
import ToDoTestServers
import ToDoTestSupport
import Testing
import ToDoProtocol

// Serialized because some tests send as much as they can.
/// Deadlines and cancellation of calls over gRPC.
@Suite(.timeLimited) struct GRPCCancellationTests: GRPCCallSuite {
  let methods = TestMethods()

  // MARK: Deadlines and cancellation

  @Test func call_withoutDeadline_getsDefault_unlessItStreams() async throws {
    var limits = ServerLimits.patient
    limits.defaultDeadline = .milliseconds(20)
    try await GRPCTestServer.with(methods.table, limits: limits) { server in
      try await GRPCTestClient.with(server.endpoint) { client async throws in
        let stream = Task { try await client.texts("CountAndHold", "1") }
        await expect(.deadlineExceeded, "DEADLINE_EXCEEDED") { _ = try await client.say("held", to: "Hold") }
        methods.gate.open()
        #expect(try await stream.value == ["0"])
      }
    }
  }

  @Test(arguments: ["Hold", "CountAndHold"]) func call_whenDeadlinePasses_ends(_ method: String) async throws {
    try await with { _, client async throws in
      // On a busy machine, the deadline may pass before the method starts.
      repeat {
        await expect(.deadlineExceeded, "DEADLINE_EXCEEDED") {
          _ = try await client.texts(method, "1", metadata: ["grpc-timeout": "20m"])
        }
      } while methods.journal.count("started 1") == 0
      try await methods.journal.wait(for: "cancelled 1")
    }
  }

  @Test func call_whenWithinDeadline_returnsResponse() async throws {
    try await with { _, client async throws in
      #expect(try await client.texts("Say", "Milk", metadata: ["grpc-timeout": "1M"]) == ["Milk"])
    }
  }

  @Test(arguments: ["Hold", "CountAndHold"]) func cancellation_reachesServer(
    _ method: String
  ) async throws {
    try await with { _, client async throws in
      let call = Task { try await client.texts(method, "1") }
      try await methods.journal.wait(for: "started 1")
      call.cancel()
      try await methods.journal.wait(for: "cancelled 1")
      await #expect(throws: (any Error).self) { try await call.value }
      #expect(try await client.say("other") == "other")
    }
  }

  @Test func stream_whenClientStopsReading_isCancelled() async throws {
    try await with { _, client async throws in
      let first = try await client.stream(
        TestMethods.name("CountAndHold"), [HealthMethods.check.request.encoded("3")]
      ) { messages -> String? in
        for try await message in messages { return try HealthMethods.check.request.decode(bytes: message) }
        return nil
      }
      #expect(first == "0")
      try await methods.journal.wait(for: "cancelled 3")
      #expect(try await client.say("other") == "other")
    }
  }

  /// Whether the work learns it as its own cancellation or as a stream that takes no more is a matter of moments.
  @Test func stream_whenCancelledWhileSending_ends() async throws {
    let journal = methods.journal
    let flood = ServerMethod.streaming(TestMethods.name("FloodUntilTheEnd")) { _, _ in
      { _, _, outgoing in
        journal.record("started")
        defer { journal.record("ended") }
        while true { try await outgoing.send(TestMethods.message(String(repeating: "x", count: 10_000))) }
      }
    }
    try await with([flood]) { _, client async throws in
      let call = Task { try await client.texts("FloodUntilTheEnd", "") }
      try await journal.wait(for: "started")
      call.cancel()
      try await journal.wait(for: "ended")
      await #expect(throws: (any Error).self) { try await call.value }
      #expect(try await client.say("other") == "other")
    }
  }

  @Test func disconnection_cancelsCalls() async throws {
    try await GRPCTestServer.with(methods.table) { server in
      try await HTTP2TestClient.with(server.endpoint) { client async throws in
        let stream = try await client.open()
        try await stream.send(headers: HTTP2TestStream.headers("Hold"))
        try await stream.send(HTTP2TestStream.message("held"), endStream: true)
        try await methods.journal.wait(for: "started held")
      }
      try await methods.journal.wait(for: "cancelled held")
    }
  }
}
#endif
