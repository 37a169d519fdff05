#if GRPC
  import Waiters
  import RPC
  import Synchronization
  import TestSupport
  import Testing
  import GRPCTransport
  import ToDoProtocol
  import ToDoServer
  import ToDoStores

  // One after another: some send as much as they can.
  /// Calls over gRPC, of methods that a test can hold up and watch.
  @Suite(.serialized, .timeLimit(.minutes(15))) struct GRPCCallTests {
    private let methods = TestMethods()

    private static let limit = 4 << 20
    /// What comes before a text in a message of a few megabytes: the field's number, and the length in four bytes.
    private static let overhead = 5

    private func with(
      _ others: [ServerMethod] = [], _ body: @Sendable (GRPCTestServer, GRPCTestClient) async throws -> Void
    ) async throws {
      try await GRPCTestServer.with(MethodTable(methods.methods + others)) { server in
        try await GRPCTestClient.with(server.endpoint) { try await body(server, $0) }
      }
    }

    private func expect(
      _ code: StatusCode, _ reason: String, _ location: SourceLocation = #_sourceLocation,
      _ body: () async throws -> Void
    ) async {
      let error = await #expect(throws: RPCError.self, sourceLocation: location) { try await body() }
      #expect(error?.code == code, sourceLocation: location)
      #expect(error?.reason == reason, sourceLocation: location)
    }

    // MARK: Answers

    @Test func aCall_isAnswered() async throws {
      try await with { _, client async throws in
        #expect(try await client.say("Milk 🥛") == "Milk 🥛")
        #expect(try await client.say("") == "")
      }
    }

    @Test func aStream_isAnsweredInOrder_andEnds() async throws {
      try await with { _, client async throws in
        #expect(try await client.texts("Count", "3") == ["0", "1", "2"])
      }
    }

    @Test func callsOnOneConnection_doNotWaitForEachOther() async throws {
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

    @Test func aThousandCallsAtOnce_areAllAnswered() async throws {
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

    @Test func anError_comesWithItsDetails() async throws {
      let error = RPCError(
        .aborted, reason: "REFUSED", domain: "test", "no, “π”", metadata: ["key": "value"],
        violations: [RPCError.Violation(field: "a.b", reason: "must not be")])
      let refuse = ServerMethod.unary(TestMethods.name("RefuseInDetail")) { _, _, _ in .pending { throw error } }
      try await with([refuse]) { _, client async throws in
        #expect(await #expect(throws: RPCError.self) { try await client.say("", to: "RefuseInDetail") } == error)
      }
    }

    @Test func aLargeError_keepsItsCodeAndReason() async throws {
      try await with { _, client in
        await expect(.aborted, "REFUSED") { _ = try await client.say("100000", to: "Refuse") }
      }
    }

    @Test func whatTheServerDoesNotForesee_isNotTold() async throws {
      try await with { _, client in
        await expect(.internal, "INTERNAL") { _ = try await client.say("", to: "Break") }
        await expect(.internal, "INTERNAL") { _ = try await client.texts("CountAndBreak", "3") }
      }
    }

    @Test func anUnknownMethod_isUnimplemented() async throws {
      try await with { _, client in
        let error = await #expect(throws: RPCError.self) { try await client.say("", to: "Nothing") }
        #expect(error?.code == .unimplemented)
      }
    }

    @Test func aMessageThatCannotBeDecoded_isRefused() async throws {
      try await with { _, client in
        await expect(.invalidArgument, "MALFORMED_REQUEST") {
          _ = try await client.call(TestMethods.name("Say"), [0x0a, 0x05])
        }
      }
    }

    @Test(arguments: [0, 2]) func anotherNumberOfMessagesThanOne_isRefused(_ count: Int) async throws {
      try await with { _, client in
        await expect(.invalidArgument, "INVALID_STREAM") {
          try await client.stream(TestMethods.name("Say"), Array(repeating: [], count: count)) { messages in
            for try await _ in messages {}
          }
        }
      }
    }

    // MARK: Limits

    @Test func theLongestMessage_isTaken_andSent() async throws {
      try await with { _, client async throws in
        let text = String(repeating: "x", count: Self.limit - Self.overhead)
        #expect(try await client.say(text) == text)
      }
    }

    @Test func aLongerRequest_isRefused_andTheConnectionStays() async throws {
      try await with { _, client async throws in
        let text = String(repeating: "x", count: Self.limit - Self.overhead + 1)
        await expect(.resourceExhausted, "MESSAGE_TOO_LARGE") { _ = try await client.say(text) }
        #expect(try await client.say("other") == "other")
      }
    }

    @Test func aLongerAnswer_isAnErrorInstead() async throws {
      try await with { _, client in
        await expect(.resourceExhausted, "MESSAGE_TOO_LARGE") { _ = try await client.say("\(Self.limit)", to: "Large") }
      }
    }

    /// Answers every message of a caller with itself.
    private static let echo = {
      var method = ServerMethod.streaming(TestMethods.name("EchoMany")) { bytes, arena in
        let first = try TestMethods.decode(bytes, arena)
        return { _, incoming, outgoing in
          try await outgoing.send(TestMethods.message(first))
          for try await message in incoming {
            try await outgoing.send(TestMethods.message(TestMethods.decode(message)))
          }
        }
      }
      method.takesManyMessages = true
      return method
    }()

    @Test func messages_whenMethodTakesMany_areEachAnswered() async throws {
      try await with([Self.echo]) { _, client async throws in
        let texts = (0..<100).map { String(repeating: "x", count: 1000 * $0) }
        let requests = texts.map { HealthMethods.check.request.encoded($0) }
        try await client.stream(Self.echo.name, requests) { messages in
          var answers: [String] = []
          for try await message in messages { answers.append(try HealthMethods.check.request.decode(bytes: message)) }
          #expect(answers == texts)
        }
        try await client.stream(Self.echo.name, []) { for try await _ in $0 { Issue.record("nothing was said") } }
      }
    }

    @Test func message_whenTooLongAmongOthers_isRefused() async throws {
      try await with([Self.echo]) { _, client in
        await expect(.resourceExhausted, "MESSAGE_TOO_LARGE") {
          let requests = [0, 70_000, Self.limit + 1].map { [UInt8](repeating: 0, count: $0) }
          try await client.stream(Self.echo.name, requests) { for try await _ in $0 {} }
        }
      }
    }

    @Test func anotherStreamThanAreAllowed_isRefused_untilOneEnds() async throws {
      var limits = ServerLimits()
      limits.maximumStreamingCalls = 1
      try await GRPCTestServer.with(methods.table, limits: limits) { server in
        try await GRPCTestClient.with(server.endpoint) { client async throws in
          let held = Task { try await client.texts("CountAndHold", "1") }
          try await methods.journal.wait(for: "started 1")
          await expect(.resourceExhausted, "TOO_MANY_STREAMS") { _ = try await client.texts("Count", "2") }
          #expect(try await client.say("other") == "other")
          methods.gate.open()
          _ = try await held.value
          #expect(try await client.texts("Count", "2") == ["0", "1"])
        }
      }
    }

    @Test func moreMetadataThanAreAllowed_areRefused() async throws {
      try await with { _, client async throws in
        let many = Dictionary(uniqueKeysWithValues: (0..<70).map { ("key-\($0)", "") })
        await expect(.resourceExhausted, "MESSAGE_TOO_LARGE") { _ = try await client.texts("Say", "", metadata: many) }
      }
    }

    @Test func anotherConnectionThanAreAllowed_isClosed() async throws {
      var limits = ServerLimits()
      limits.maximumConnectionsPerAddress = 1
      try await GRPCTestServer.with(methods.table, limits: limits) { server in
        try await GRPCTestClient.with(server.endpoint) { client async throws in
          #expect(try await client.say("first") == "first")
          try await RawClient.with(server.endpoint) { other async throws in
            #expect(try await other.framesUntilClosed().isEmpty)
          }
          #expect(try await client.say("again") == "again")
        }
      }
    }

    @Test func aConnectionThatSaysNothing_isClosed() async throws {
      var limits = ServerLimits()
      limits.firstFrameTime = .milliseconds(20)
      try await GRPCTestServer.with(methods.table, limits: limits) { server in
        try await RawClient.with(server.endpoint) { _ = try? await $0.framesUntilClosed() }
      }
    }

    // MARK: Deadlines and cancellation

    @Test func aCallWithoutADeadline_hasTheServers_unlessItStreams() async throws {
      var limits = ServerLimits()
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

    @Test(arguments: ["Hold", "CountAndHold"]) func aCallWhoseTimeIsOver_isEnded(_ method: String) async throws {
      try await with { _, client async throws in
        // The header alone: otherwise the client would keep the time too.
        await expect(.deadlineExceeded, "DEADLINE_EXCEEDED") {
          _ = try await client.texts(method, "1", metadata: ["grpc-timeout": "20m"])
        }
        try await methods.journal.wait(for: "cancelled 1")
      }
    }

    @Test func aCallThatIsInTime_isAnswered() async throws {
      try await with { _, client async throws in
        #expect(try await client.texts("Say", "Milk", metadata: ["grpc-timeout": "1M"]) == ["Milk"])
      }
    }

    @Test(arguments: ["Hold", "CountAndHold"]) func aCallThatIsCancelled_isCancelledInTheServer(
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

    /// Whether the work learns it as its own cancellation or as a stream that takes no more is a matter of moments.
    @Test func aStreamThatIsCancelled_whileItIsSent_ends() async throws {
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

    @Test func aClientThatGoesAway_cancelsItsCalls() async throws {
      try await GRPCTestServer.with(methods.table) { server in
        await #expect(throws: (any Error).self) {
          try await GRPCTestClient.with(server.endpoint) { client in
            try await withThrowingTaskGroup(of: Void.self) { group in
              group.addTask { _ = try await client.say("held", to: "Hold") }
              try await methods.journal.wait(for: "started held")
              throw CancellationError()
            }
          }
        }
        try await methods.journal.wait(for: "cancelled held")
      }
    }

    // MARK: What goes with a call

    @Test func metadata_reachesTheMethod_withoutWhatIsTheWires() async throws {
      let tell = ServerMethod.unary(TestMethods.name("Tell")) { _, _, call in
        .pending {
          let pairs = call.metadata.pairs.map { "\($0.key)=\($0.value)" }.filter { !$0.hasPrefix("user-agent") }
          return TestMethods.message(pairs.joined(separator: " "))
        }
      }
      try await with([tell]) { _, client async throws in
        let texts = try await client.texts(
          "Tell", "", metadata: ["Authorization": "Bearer x", "grpc-timeout": "1M"])
        #expect(texts == ["authorization=Bearer x"])
      }
    }

    @Test func callsOfAConnection_shareWhatIsRemembered() async throws {
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

  extension GRPCTestClient {
    /// Calls a method of `TestMethods` that answers once.
    func say(_ text: String, to method: String = "Say") async throws -> String {
      try await texts(method, text).joined()
    }

    /// Calls a method of `TestMethods`.
    func texts(_ method: String, _ text: String, metadata: [String: String] = [:]) async throws -> [String] {
      let request = HealthMethods.check.request.encoded(text)
      return try await stream(TestMethods.name(method), [request], metadata: metadata) { messages in
        var texts: [String] = []
        for try await message in messages { texts.append(try HealthMethods.check.request.decode(bytes: message)) }
        return texts
      }
    }
  }

  private final class CallCount: Sendable {
    let number: Int

    init(_ number: Int) { self.number = number }
  }
#endif
