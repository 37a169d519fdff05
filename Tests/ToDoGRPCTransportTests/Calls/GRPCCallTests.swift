#if GRPC
import ToDoGRPCTransport
import ToDoRPC
import Synchronization
import ToDoTestServers
import ToDoTestSupport
import Testing
import ToDoProtocol
import ToDoSupport

// Serialized because some tests send as much as they can.
/// Calls over gRPC, of methods that a test can suspend and observe.
@Suite(.timeLimited) struct GRPCCallTests: GRPCCallSuite {
  let methods = TestMethods()

  // MARK: Responses

  @Test func unaryCall_returnsResponse() async throws {
    try await with { _, client async throws in
      #expect(try await client.say("Milk 🥛") == "Milk 🥛")
      #expect(try await client.say("") == "")
    }
  }

  @Test func streamingCall_returnsResponsesInOrder_andEnds() async throws {
    try await with { _, client async throws in
      #expect(try await client.texts("Count", "3") == ["0", "1", "2"])
    }
  }

  @Test(arguments: [(true, "event loop"), (false, "another thread")])
  func unaryCall_whenSuspended_runsWhereItsMethodPermits(_ runsOnEventLoop: Bool, _ thread: String)
    async throws
  {
    try await with([TestMethods.thread(runsOnEventLoop: runsOnEventLoop)]) { _, client async throws in
      #expect(try await client.say("", to: "Thread") == thread)
    }
  }

  @Test func calls_whenOnOneConnection_areConcurrent() async throws {
    try await with { _, client async throws in
      try await withThrowingTaskGroup(of: String.self) { group in
        group.addTask { try await client.say("held", to: "Hold") }
        try await methods.journal.wait(for: "started held")
        #expect(try await client.say("other") == "other")
        methods.gate.open()
        #expect(try await group.next() == "held")
      }
    }
  }

  @Test func calls_whenThousandAreConcurrent_allReturn() async throws {
    try await with { _, client async throws in
      try await withThrowingTaskGroup(of: Bool.self) { group in
        for number in 0..<1000 { group.addTask { try await client.say("\(number)") == "\(number)" } }
        var right = 0
        for try await isRight in group where isRight { right += 1 }
        #expect(right == 1000)
      }
    }
  }

  // MARK: Errors

  @Test func error_includesItsDetails() async throws {
    let error = RPCError(
      .aborted, reason: "REFUSED", domain: "test", "no, “π”", metadata: ["key": "value"],
      violations: [RPCError.Violation(field: "a.b", reason: "must not be")])
    let refuse = ServerMethod.unary(TestMethods.name("RefuseInDetail")) { _, _, _ in .pending { throw error } }
    try await with([refuse]) { _, client async throws in
      #expect(await #expect(throws: RPCError.self) { try await client.say("", to: "RefuseInDetail") } == error)
    }
  }

  @Test func error_whenLarge_keepsCodeAndReason() async throws {
    try await with { _, client in
      await expect(.aborted, "REFUSED") { _ = try await client.say("100000", to: "Refuse") }
    }
  }

  @Test func error_whenUnexpected_isInternalWithoutDetails() async throws {
    try await with { _, client in
      await expect(.internal, "INTERNAL") { _ = try await client.say("", to: "Break") }
      await expect(.internal, "INTERNAL") { _ = try await client.texts("CountAndBreak", "3") }
    }
  }

  @Test func method_whenUnknown_isUnimplemented() async throws {
    try await with { _, client in
      let error = await #expect(throws: RPCError.self) { try await client.say("", to: "Nothing") }
      #expect(error?.code == .unimplemented)
    }
  }

  @Test func message_whenMalformed_isRejected() async throws {
    try await with { _, client in
      await expect(.invalidArgument, "MALFORMED_REQUEST") {
        _ = try await client.call(TestMethods.name("Say"), [0x0a, 0x05])
      }
    }
  }

  @Test(arguments: [0, 2]) func unaryCall_whenMessageCountIsNotOne_isRejected(_ count: Int) async throws {
    try await with { _, client in
      await expect(.unimplemented, "INVALID_STREAM") {
        try await client.stream(TestMethods.name("Say"), Array(repeating: [], count: count)) { messages in
          for try await _ in messages {}
        }
      }
    }
  }

  // MARK: What goes with a call

  @Test func metadata_reachesMethod_withoutReservedHeaders() async throws {
    let describe = ServerMethod.unary(TestMethods.name("Tell")) { _, _, call in
      .pending {
        let pairs = call.metadata.pairs.map { "\($0.key)=\($0.value)" }
        return TestMethods.message(pairs.joined(separator: " "))
      }
    }
    try await with([describe]) { _, client async throws in
      let texts = try await client.texts(
        "Tell", "", metadata: ["Authorization": "Bearer x", "grpc-timeout": "1M"])
      #expect(texts == ["user-agent=test authorization=Bearer x"])
    }
  }

  @Test func calls_whenOnOneConnection_shareItsMemory() async throws {
    let count = ServerMethod.unary(TestMethods.name("CountCalls")) { _, _, call in
      .pending {
        let number = call.connection.memory.withLock { memory in
          let number = ((memory as? CallCount)?.number ?? 0) + 1
          memory = CallCount(number)
          return number
        }
        return TestMethods.message("\(number)")
      }
    }
    try await GRPCTestServer.with(MethodTable([count])) { server in
      for _ in 0..<2 {
        try await GRPCTestClient.with(server.endpoint) { client async throws in
          #expect(try await client.texts("CountCalls", "") == ["1"])
          #expect(try await client.texts("CountCalls", "") == ["2"])
        }
      }
    }
  }
}

private final class CallCount: Sendable {
  let number: Int

  init(_ number: Int) { self.number = number }
}
#endif
